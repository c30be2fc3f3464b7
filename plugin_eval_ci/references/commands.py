"""Scripts that a shell command runs."""

import re
from collections.abc import Iterator

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.references.mention import SKILL_FOLDER

_BASE = rf"(?:\$\{{?CLAUDE_SKILL_DIR\}}?/|\$\{{?CLAUDE_PLUGIN_ROOT\}}?/|{SKILL_FOLDER})"
_RUN = Lazy(
    r"(?:^|[;&|(]|\$ |&& )\s*(?:[A-Z_][A-Z0-9_]*=\S*\s+)*"
    r"(?:(?:uv run(?: (?:--with|--python) \S+){0,4}(?: --script| python3?)?|python3?|node|bash|sh|zsh|ruby|perl|deno run|bun(?: run)?"
    r"|npx tsx|tsx|pwsh|source|\.)\s+(?:-{1,2}[\w-]+(?:=\S+)?\s+){0,4}[\"']?"
    rf"(?P<argument>(?:\./)?{_BASE}?scripts/[\w./-]+)"
    rf"|[\"']?(?P<program>(?:\./|{_BASE})scripts/[\w./-]+)"
    r"|(?P<script>scripts/[\w/-]+\.(?:sh|py|js|mjs|ts|rb|pl|ps1)))"
)
_ELSEWHERE = Lazy(
    r"\b(?:ssh|scp|docker (?:exec|run|compose exec)|kubectl exec|podman exec|vagrant ssh)\b|\bcd\s+(?P<folder><[^>]*>|\S+)"
)
_HOME = Lazy(r"CLAUDE_|SKILL_|baseDir|<[^>]*skill|(?:^|/)skills?/|path/to/\S*skill|^[\"']?\.[\"']?$", re.IGNORECASE)
_OPTION = Lazy(r"(?:--project|--directory|--cwd|-C)[ =]\Z")


def scripts_of(command: str) -> Iterator[str]:
    """The paths below ``scripts/`` that one line of shell runs, as written."""
    if "scripts/" not in command or len(command) > 1_000:
        return
    for match in _RUN().finditer(command):
        path = match["argument"] or match["program"] or match["script"]
        if leaves(command[: match.start()]):
            return
        start = max(match.start("argument"), match.start("program"), match.start("script"))
        if path.rpartition("/")[2].strip(".") and not _OPTION().search(command[:start]):
            yield path.rstrip(".")


def leaves(shell: str) -> bool:
    """Whether lines of shell go to another host, into a container, or into a folder that is not the skill's."""
    return any(not match["folder"] or not _HOME().search(match["folder"]) for match in _ELSEWHERE().finditer(shell))
