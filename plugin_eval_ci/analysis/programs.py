"""Names of programs: those that every host has, and those that a single mention is believed of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugin_eval_ci.analysis import shell
from plugin_eval_ci.util.lazy import Lazy


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What the shell does itself, and words of its grammar.
SHELL = _words(""". : [ [[ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo
    enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf
    pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit
    umask unalias unset until wait autoload bindkey print setopt unsetopt zmodload if then else elif fi for while do
    done case esac in select function time coproc { } ! sh end""")
# POSIX and GNU tools that any Unix host has: not worth a line.
EVERYWHERE = _words("""awk basename cat chgrp chmod chown cksum clear cmp comm cp csplit cut date dd df diff dirname du egrep env expand
    expr fgrep file find fold getconf grep groups gunzip gzip head hostname id install join less ln locale logger ls
    md5sum mkdir mkfifo mktemp more mv nice nl nohup nproc od paste patch pathchk pr printenv ps readlink realpath rm
    rmdir sed seq sha1sum sha256sum shasum shuf sleep sort split stat stty su sudo sum sync tac tail tar tee time timeout
    touch tput tr truncate tsort tty uname unexpand uniq unlink wc which who whoami xargs yes base64 zcat man whereis pgrep pkill
    killall uptime free top mount umount reset""")
# Installers of a system: an instruction to install names one of them, whichever the host has.
INSTALLERS = _words("apk apt apt-get brew choco dnf pacman port scoop snap winget yum zypper")
KNOWN = _words(
    """7z aapt actionlint adb airflow alembic ansible ansible-playbook apksigner apktool argocd asciidoctor ast-grep
    aws aws-vault az bandit base64 bash bats bazel binwalk biome buf buildah bun bundle bundler bundletool bunx
    busted bzip2 cabal caddy calicoctl cargo cargo-audit ccache cdk celery chezmoi chromium cilium circleci clang
    clang-format clang-tidy claude clickhouse-client cloudflared cmake codecov codesign codex commitlint composer
    conda conftest consul copilot corepack cosign cppcheck cqlsh createdb crictl crontab csc cspell ctest curl cwebp
    cypress dart dbt deno depcheck dig direnv django-admin docker docker-compose doctl dolt dotnet drush duckdb eas
    elixir emacs emcc erl esbuild eslint etcdctl exiftool fastlane fd ffmpeg ffprobe firebase flake8 flutter flyctl
    flyway foundryup frida fzf gcc gcloud gcov gdb gem gemini gh ghc ghidra git git-filter-repo git-lfs gitleaks
    gitlint glab gleam go gofmt goimports golangci-lint goreleaser govulncheck gpg gradle grype gsutil gunicorn
    hadolint hardhat hatch helm helmfile heroku hexdump htop httpie hugo hypercorn hyperfine iex infracost inkscape
    ios-deploy ipython isort istioctl jadx java javac jekyll jest jj jmap journalctl jq jstack julia jupyter k3d k6
    k9s kafka-topics kcat keytool knip kompose kotlin kotlinc ktlint kubeconform kubectl kubeseal kustomize latexmk
    lcov ldd lefthook lhci libreoffice lighthouse linkchecker linkerd liquibase lldb llvm-cov llvm-profdata lsof lua
    luarocks lychee lz4 magick make markdownlint markdownlint-cli2 maturin mdbook minikube mise mkdocs mmdc mongo
    mongodump mongorestore mongosh mosquitto_pub mosquitto_sub msbuild mvn mypy mysql mysqldump nats netlify netstat
    newman nextflow nft nginx ngrok ninja nix nix-shell nmap node nodemon nomad npm npx nslookup nuget nvm nx
    objdump ollama opa openssl osascript otool pa11y packer pandoc pbcopy pbpaste pdfinfo pdflatex pdftoppm
    pdftotext pdm perf perl perlcritic pg_dump pg_restore pgbench php phpstan phpunit pip pip-audit pip-compile
    pipenv pipx playwright plutil pnpm pnpx podman poetry powershell pre-commit prek prettier prisma promtool psql
    pulumi pwsh pyenv pylint pyright pyspark pytest python3 qemu-img qpdf r2 radare2 radon rails railway rake rclone
    redis-cli redis-server restic rg rizin rollup rspec rsync rubocop ruby ruff rustc rustfmt rustup rye samtools
    sbt scala scp sealert selene semgrep sfdx sftp shellcheck shfmt sips skaffold skopeo slither snakemake snyk
    socat soffice solana solc sops spectral sphinx-build sqlc sqlcmd sqlfluff sqlite3 ssh ssh-add ssh-keygen stern
    strace stripe supabase svn swag swift swiftc swiftformat swiftlint syft sysbench systemctl tailwindcss tcpdump
    tectonic terraform terraform-docs terragrunt tesseract tflint tfsec tilt tkn tmux tox traceroute trivy
    trufflehog ts-node tsc tshark tsx turbo twine unzip uv uvicorn uvx vagrant valgrind vault vegeta velero vercel
    vim vite vitest volatility volta vsce wasm-pack watchman wget whois wl-copy wrangler wrk wscat xclip
    xcode-select xcodebuild xcrun xdg-open xelatex xmllint xvfb-run xxd xz yamllint yarn yq yt-dlp zig zip zipalign
    zsh zstd"""
)
# The same program under several names.
SAME = {"python": "python3", "pip3": "pip", "nodejs": "node", "powershell": "pwsh"}
# Words that only prose has.
PROSE = _words(
    "a an and are be for from into is it its of on or sure that the then these they this to via when with you your"
)


_NAME = Lazy(r"[a-z][a-z0-9]*(?:[._+-][a-z0-9]+)*|Rscript|R")
_ASSIGNMENT = Lazy(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=.*", 16)
_OPTION = Lazy(r"--?[A-Za-z][\w-]*(?:=.*)?", 16)
_VERSIONED = Lazy(r"(python|pip)[23](?:\.\d+)?")
_LEADING = frozenset({"if", "then", "do", "else", "elif", "while", "until", "!", "time", "{"})
_WRAPPERS = frozenset(
    {"sudo", "env", "exec", "nohup", "timeout", "nice", "xargs", "command", "builtin", "stdbuf", "doas", "setsid"}
)
_WITH_VALUE = frozenset({"-u", "-n", "-I", "-P", "-L", "-k", "-s", "--user", "--signal", "-C", "-d"})
_LOOPS = frozenset({"for", "select", "case", "in"})


def in_script(text: str, functions: frozenset[str] = frozenset()) -> frozenset[str]:
    """What a shell script runs; ``functions`` are those that other scripts define."""
    return _found(text, functions, strict=False)


def in_fence(text: str, functions: frozenset[str] = frozenset()) -> frozenset[str]:
    """What the commands of a fence run. A word nobody knows counts only when it is given an option."""
    return _found("\n".join(_typed(text)), functions, strict=True)


def plain_name(word: str) -> str:
    """The one name of a program that has several."""
    match = _VERSIONED().fullmatch(word)
    name = match[1] if match else word
    return SAME.get(name, name)


def _typed(text: str) -> list[str]:
    """The lines behind a prompt, without it, when a text shows any; else all of its lines."""
    lines = text.split("\n")
    return [line.lstrip()[2:] for line in lines if line.lstrip().startswith("$ ")] or lines


def _found(text: str, functions: frozenset[str], strict: bool) -> frozenset[str]:
    script = shell.parse_commands(text)
    own = functions | script.functions
    names = (_program(words, strict) for words in script.commands)
    return frozenset(plain_name(name) for name in names if name and name not in own)


def _program(words: Sequence[str], strict: bool) -> str:
    """The program that one command runs; empty if none exists, every machine has it, or it is not certain."""
    rest = list(_unwrapped(words))
    if not rest or rest[0] in _LOOPS:
        return ""
    name, arguments = rest[0], rest[1:]
    if name in SHELL or name in EVERYWHERE or name in INSTALLERS or not _NAME().fullmatch(name):
        return ""
    if any(word in PROSE or word.endswith(",") for word in arguments) or arguments[:1] in (
        ["="],
        ["=="],
        ["->"],
        ["→"],
        [":"],
    ):
        return ""
    if plain_name(name) in KNOWN or name in ("Rscript", "R"):
        return name
    certain = len(name) > 1 and (not strict or any(_OPTION().fullmatch(word) for word in arguments))
    return name if certain else ""


def _unwrapped(words: Sequence[str]) -> Iterator[str]:
    """A command without what only leads to it: assignments, sudo, env, timeout 30, xargs -0 …"""
    place = 0
    while place < len(words):
        word = words[place]
        if word in _WRAPPERS:
            place += 1
            while place < len(words) and _belongs(words[place], word):
                if word == "command" and words[place] in ("-v", "-V"):
                    return
                place += 2 if words[place] in _WITH_VALUE else 1
        elif word in _LEADING or _ASSIGNMENT().fullmatch(word):
            place += 1
        else:
            break
    yield from words[place:]


def _belongs(word: str, wrapper: str) -> bool:
    return word.startswith("-") or (wrapper == "timeout" and word[:1].isdigit())
