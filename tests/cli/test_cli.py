"""The command line as people and hooks meet it: exit codes, what goes to which stream, and what is never imported."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from plugin_eval_ci import __version__, cli
from plugin_eval_ci.errors import MeasurementError, UsageError

Repo = Callable[..., Path]
A = "skills/stock-report/SKILL.md"
NO_HEADER = "# no frontmatter\n"
DEAD = "[x](references/gone.md)"  # a warning: ORPHAN_REFERENCE


class Answer(tuple[int, str, str]):
    code = property(lambda self: self[0])
    out = property(lambda self: self[1])
    err = property(lambda self: self[2])


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """``run(root, "lint", …)`` in process, from ``root``."""

    def command(root: Path, *words: str) -> Answer:
        monkeypatch.chdir(root)
        capsys.readouterr()
        code = cli.run(list(words))
        return Answer((code, *capsys.readouterr()))

    return command


def start(root: Path, words: Sequence[str], module: bool = True, **more: Any) -> subprocess.Popen[Any]:
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "PYTHONPATH", "TERM")}
    command = (
        [sys.executable, "-m", "plugin_eval_ci"] if module else [str(Path(sys.executable).with_name("plugin-eval"))]
    )
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    options["env"] = environment | more.get("env", {})
    return subprocess.Popen([*command, *words], cwd=root, **options)


def outside(root: Path, *words: str, text: str | None = None, **more: Any) -> Answer:
    """The same in a process of its own."""
    if text is not None:
        more["stdin"] = subprocess.PIPE
    with start(root, words, **more) as process:
        out, err = process.communicate(text, timeout=60)
    return Answer((process.returncode, out, err))


@pytest.fixture
def clean(repo: Repo, skill_text: Callable[..., str]) -> Path:
    return repo({A: skill_text()})


@pytest.fixture
def warned(repo: Repo, skill_text: Callable[..., str]) -> Path:
    return repo({A: skill_text(body=DEAD)})


@pytest.fixture
def broken(repo: Repo) -> Path:
    return repo({A: NO_HEADER})


# --- exit codes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "codes"),
    [(None, (0, 0, 1)), ("error", (0, 0, 1)), ("warning", (0, 1, 1)), ("notice", (0, 1, 1)), ("never", (0, 0, 0))],
)
def test_fail_on(
    clean: Path,
    repo: Repo,
    skill_text: Callable[..., str],
    run: Callable[..., Answer],
    level: str | None,
    codes: tuple[int, ...],
) -> None:
    roots = [
        clean,
        repo({A: skill_text(description="Writes the stock report of a shop.")}, name="warned"),
        repo({A: NO_HEADER}, name="broken"),
    ]
    only = ["--select", "FM_MISSING,MISSING_TRIGGER"]
    words = ["lint", *only] + (["--fail-on", level] if level else [])
    assert tuple(run(root, *words).code for root in roots) == codes


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["lint"], 0, ""),
        (["lint", "."], 0, ""),
        (["lint", A], 0, ""),
        (["lint", "README.md"], 2, "README.md: not part of a skill"),
        (["lint", "README.md", A], 2, "README.md: not part of a skill"),
        (["lint", "docs"], 2, "docs: no skills found here"),
        (["lint", "no/such"], 2, "no/such: no such file or folder"),
        (["lint", A, "no/such"], 2, "no/such: no such file or folder"),
        (["lint", ".", "docs"], 2, "docs: no skills found here"),
        (["lint", "--exclude", "skills", A], 0, "excluded by configuration"),
        (["lint", "--no-such-option"], 2, "No such option"),
        (["lint", "--format", "xml"], 2, "'xml' is not valid"),
        (["lint", "--fail-on", "info"], 2, "'info' is not valid"),
        (["lint", "--select", "FM_MISING"], 2, "did you mean FM_MISSING?"),
        (["lint", "--ignore", "QQQQ"], 2, "see `plugin-eval rules`"),
        (["lint", "--select"], 2, "requires an argument"),
        (["lint", "--config", "gone.yaml"], 2, "--config gone.yaml: no such file"),
        (["lint", "--config", "docs"], 2, "--config docs: "),
        (["lint", "--isolated", "--config", "x"], 2, "cannot be used together"),
        (["lint", "--stdin-filename", A, "."], 2, "--stdin-filename and PATHS cannot be used together"),
        (["nonsense"], 2, "unknown command"),
        (["explain", "FM_MISING"], 2, "did you mean FM_MISSING?"),
        (["explain"], 2, "Missing argument"),
        ([], 2, "Usage"),
    ],
)
def test_usage(
    repo: Repo, skill_text: Callable[..., str], run: Callable[..., Answer], words: list[str], code: int, said: str
) -> None:
    root = repo({A: skill_text(), "README.md": "", "docs/x.md": ""})
    answer = run(root, *words)
    assert answer.code == code
    assert said in answer.err
    assert (answer.err == "") is (said == "")
    assert "Traceback" not in answer.out + answer.err


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--help"], "lint"), (["-h"], "lint"), (["lint", "--help"], "--fail-on"), (["--version"], __version__)],
)
def test_help(clean: Path, run: Callable[..., Answer], words: list[str], said: str) -> None:
    answer = run(clean, *words)
    assert (answer.code, answer.err) == (0, "") and said in answer.out


def test_rules_and_explain(clean: Path, run: Callable[..., Answer]) -> None:
    listed = run(clean, "rules")
    assert listed.code == 0 and "FM_MISSING" in listed.out
    for name in ("FM_MISSING", "fm_missing"):
        explained = run(clean, "explain", name)
        assert explained.code == 0 and "## How to turn it off" in explained.out


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (RuntimeError("it broke"), 4, "RuntimeError: it broke"),
        (RuntimeError("two\nlines \x1b[31m ::error::"), 4, "two\\nlines \\x1b[31m"),
        (RecursionError("deep"), 4, "RecursionError"),
        (MemoryError(), 4, "MemoryError"),
        (OSError(28, "No space left on device"), 2, "the output cannot be written: No space left"),
        (OSError(5, "Input/output error"), 2, "the output cannot be written"),
        (OSError(24, "Too many open files"), 4, "Too many open files"),
        (UsageError("not so"), 2, "not so"),
        (UsageError("a\n::error::b"), 2, "a\\n::error::b"),
        (MeasurementError("no key"), 3, "no key"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_every_failure_is_one_short_line(
    clean: Path, run: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    from plugin_eval_ci.commands import lint

    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(lint, "run", fail)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    monkeypatch.delenv("PLUGIN_EVAL_DEBUG", raising=False)
    answer = run(clean, "lint")
    assert (answer.code, answer.out) == (code, "")
    assert said in answer.err and answer.err.strip().count("\n") == 0 and len(answer.err) < 400


def test_debugging_shows_the_exception(
    clean: Path, run: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    from plugin_eval_ci.commands import lint

    def fail(*_: object) -> int:
        raise RuntimeError("it broke")

    monkeypatch.setattr(lint, "run", fail)
    monkeypatch.setenv("PLUGIN_EVAL_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run(clean, "lint")


# --- output --------------------------------------------------------------------------------------------------------


def test_text(broken: Path, run: Callable[..., Answer]) -> None:
    answer = run(broken, "lint")
    assert f"{A}:1: error FM_MISSING" in answer.out and "fix:" in answer.out
    assert answer.err == "" and "\x1b" not in answer.out


def test_json(broken: Path, run: Callable[..., Answer]) -> None:
    answer = run(broken, "lint", "--format", "json")
    document = json.loads(answer.out)
    assert (answer.code, answer.err) == (1, "")
    assert [finding["rule"] for finding in document["findings"]] == ["FM_MISSING"]
    assert run(broken, "lint", "--format", "json").out == answer.out


@pytest.mark.parametrize("words", [["no/such"], ["docs"], ["README.md"], ["--exclude", "**"]])
def test_json_stays_json_when_there_is_nothing(repo: Repo, run: Callable[..., Answer], words: list[str]) -> None:
    root = repo({A: NO_HEADER, "README.md": "", "docs/x.md": ""})
    document = json.loads(run(root, "lint", "--format", "json", *words).out)
    assert document["summary"]["skills"] == 0


def test_select_and_ignore(repo: Repo, skill_text: Callable[..., str], run: Callable[..., Answer]) -> None:
    root = repo({A: skill_text(body=DEAD), "skills/b/SKILL.md": NO_HEADER})

    def rules(*words: str) -> set[str]:
        return {
            finding["rule"] for finding in json.loads(run(root, "lint", "--format", "json", *words).out)["findings"]
        }

    assert rules("--select", "FM_MISSING") == {"FM_MISSING"}
    assert rules("--select", "fm_missing, orphan_reference") == {"FM_MISSING", "ORPHAN_REFERENCE"}
    assert rules("--select", "FM_MISSING", "--select", "ORPHAN_REFERENCE", "--ignore", "FM_MISSING") == {
        "ORPHAN_REFERENCE"
    }
    assert "ORPHAN_REFERENCE" not in rules("--ignore", "ORPHAN_REFERENCE")
    (root / ".plugin-eval.yaml").write_text("ignore: [FM_MISSING]\nselect: [FM_MISSING, ORPHAN_REFERENCE]\n")
    assert rules() == {"ORPHAN_REFERENCE"}
    assert rules("--isolated", "--select", "FM_MISSING") == {"FM_MISSING"}
    assert rules("--ignore", "ORPHAN_REFERENCE") == set()


def test_configuration(repo: Repo, run: Callable[..., Answer]) -> None:
    root = repo(
        {
            A: NO_HEADER,
            ".plugin-eval.yaml": "exclude: [skills]\n",
            "docs/x.md": "",
            "other.yaml": "ignore: [FM_MISSING]\nselect: [FM_MISSING]\n",
        }
    )
    assert run(root, "lint", A).code == 0
    assert run(root / "skills", "lint", ".").code == 0  # that of the repository, from wherever
    assert run(root, "lint", "--isolated", A).code == 1
    assert run(root, "lint", "--config", "other.yaml", A).code == 0
    (root / ".plugin-eval.yaml").write_text("\nexclud: [x]\n")
    answer = run(root, "lint")
    assert (answer.code, answer.out) == (2, "")
    assert f"{root}/.plugin-eval.yaml:2: unknown key 'exclud'" in answer.err


def test_names_from_outside_are_made_harmless(repo: Repo, run: Callable[..., Answer]) -> None:
    root = repo(
        {"skills/a\n::error::b/SKILL.md": NO_HEADER, "skills/\x1b[31mc/SKILL.md": NO_HEADER, "x\n::error::y/z.md": ""}
    )
    answer = run(root, "lint")
    assert answer.code == 1
    assert "\x1b" not in answer.out and not any(line.startswith("::") for line in answer.out.splitlines())
    answer = run(root, "lint", "x\n::error::y", "\x1b[31m")
    assert "\x1b" not in answer.err and not any(line.startswith("::") for line in answer.err.splitlines())


# --- hooks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        [], [A], ["README.md"], ["README.md", "docs/x.md"], ["skills/gone/SKILL.md"], ["skills/gone/references/x.md",
        A], [".claude-plugin/plugin.json"], ["--", A],
        ["skills/stock-report/references/x.md", A, f"./{A}"],
    ],
)  # fmt: skip
def test_a_hook_is_silent_when_clean(
    repo: Repo, skill_text: Callable[..., str], run: Callable[..., Answer], words: list[str]
) -> None:
    files = {
        A: skill_text(body="[x](references/x.md)"),
        "README.md": "",
        "docs/x.md": "",
        ".claude-plugin/plugin.json": '{"name": "p"}',
        "skills/stock-report/references/x.md": "x",
    }
    answer = run(repo(files), "lint", "--hook", *words)
    assert answer == (0, "", "")


def test_a_hook_in_a_repository_without_skills(repo: Repo, run: Callable[..., Answer]) -> None:
    root = repo({"README.md": "", "docs/x.md": ""})
    assert run(root, "lint", "--hook").code == run(root, "lint", "--hook", "docs").code == 0


def test_a_hook_shows_findings_and_nothing_else(broken: Path, run: Callable[..., Answer]) -> None:
    answer = run(broken, "lint", "--hook", "README.md", A, "gone.md")
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.startswith(f"{A}:1: error FM_MISSING")


def test_a_hook_respects_excludes_for_named_files(repo: Repo, run: Callable[..., Answer]) -> None:
    root = repo({A: NO_HEADER, ".plugin-eval.yaml": "exclude: [skills/**]\n"})
    assert run(root, "lint", "--hook", A) == (0, "", "")


@pytest.mark.parametrize("folder", ["-skills/x", "-h", "--version", "--help/x", "-", "--", "-o x"])
def test_folders_that_look_like_options(repo: Repo, run: Callable[..., Answer], folder: str) -> None:
    root = repo({f"{folder}/SKILL.md": NO_HEADER})
    for words in (["lint", "--hook", "--", f"{folder}/SKILL.md"], ["lint", "--", f"{folder}/SKILL.md"], ["lint"]):
        answer = run(root, *words)
        assert answer.code == 1
        assert f"{folder}/SKILL.md:1: error FM_MISSING" in answer.out


def test_many_names_end_soon(repo: Repo, skill_text: Callable[..., str], run: Callable[..., Answer]) -> None:
    root = repo({A: skill_text(), **{f"src/f{n}.py": "" for n in range(3_000)}})
    begin = time.perf_counter()
    assert run(root, "lint", "--hook", *[f"src/f{n % 3_000}.py" for n in range(20_000)], A).code == 0
    assert time.perf_counter() - begin < 10


# --- editors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [A, "skills/new/SKILL.md", "SKILL.md", "new/agents/x.md"])
def test_standard_input(clean: Path, name: str) -> None:
    answer = outside(clean, "lint", "--format", "json", "--stdin-filename", name, text=NO_HEADER)
    document = json.loads(answer.out)
    assert (answer.code, answer.err) == (1, "")
    assert [(finding["rule"], finding["path"]) for finding in document["findings"]] == [("FM_MISSING", name)]
    assert not (clean / "new").exists()


def test_standard_input_takes_the_place_of_the_file(broken: Path, skill_text: Callable[..., str]) -> None:
    assert outside(broken, "lint", "--stdin-filename", A, text=skill_text()).code == 0
    assert outside(broken, "lint", "--stdin-filename", A, text="").code == 1


def test_standard_input_of_bytes(clean: Path) -> None:
    with start(
        clean, ["lint", "--format", "json", "--stdin-filename", A], stdin=subprocess.PIPE, text=False
    ) as process:
        out, _ = process.communicate(b"---\r\nname: \xe9\r\n---\r\n", timeout=60)
    findings = {finding["rule"]: finding["line"] for finding in json.loads(out)["findings"]}
    assert findings["FILE_ENCODING"] == 2


# --- the process ---------------------------------------------------------------------------------------------------


def test_exit_codes_of_the_process(clean: Path) -> None:
    assert outside(clean, "lint") == (0, "1 skill: nothing to report.\n", "")
    assert outside(clean, "lint", module=False).code == 0
    assert outside(clean, "lint", "no/such").code == 2
    (clean / A).write_text(NO_HEADER)
    answer = outside(clean, "lint")
    assert answer.code == 1 and answer.out and answer.err == ""


@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_color_only_on_a_terminal(broken: Path, environment: dict[str, str], colored: bool) -> None:
    leader, follower = pty.openpty()
    with start(broken, ["lint"], stdout=follower, env=environment) as process:
        process.wait(60)
        os.close(follower)
        out = b""
        try:
            while chunk := os.read(leader, 65_536):
                out += chunk
        except OSError:
            pass  # Linux says EIO when the other end is closed
        os.close(leader)
    assert (b"\x1b[" in out) is colored and b"FM_MISSING" in out


def test_no_color_in_a_pipe_or_in_json(broken: Path) -> None:
    assert "\x1b" not in outside(broken, "lint", env={"TERM": "xterm"}).out


def test_names_that_are_no_text(repo: Repo) -> None:
    root = repo({})
    folder = os.fsencode(str(root)) + b"/skills/\xff"
    os.makedirs(folder)
    with open(folder + b"/SKILL.md", "w") as stream:
        stream.write(NO_HEADER)
    answer = outside(root, "lint", "--format", "json", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert answer.code == 1 and json.loads(answer.out)["findings"][0]["rule"] == "FM_MISSING"
    assert "SKILL.md:1: error" in outside(root, "lint").out


def test_a_reader_that_goes_away(repo: Repo) -> None:
    root = repo({f"skills/s{n}/SKILL.md": NO_HEADER for n in range(300)})
    read, write = os.pipe()
    with start(root, ["lint"], stdout=write) as process:
        os.close(write)
        os.close(read)
        _, err = process.communicate(timeout=60)
    assert err == "" and process.returncode in (0, 1)


def test_a_closed_output_and_a_full_disk(broken: Path) -> None:
    answer = outside(broken, "lint", preexec_fn=lambda: os.close(1), stdout=None)
    assert answer.code == 1 and "Traceback" not in (answer.err or "")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            answer = outside(broken, "lint", stdout=full)
        assert answer.code == 2 and answer.err == "plugin-eval: the output cannot be written: No space left on device\n"


def test_interrupted(clean: Path) -> None:
    with start(clean, ["lint", "--stdin-filename", A], stdin=subprocess.PIPE) as process:
        time.sleep(1.5)  # it waits for its input by then
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "plugin-eval: interrupted" and "Traceback" not in err


HOSTILE = [
    "yaml", "click", "markdown_it", "mdurl", "json", "re", "enum", "typing", "types", "collections", "functools",
    "gc", "io", "fnmatch", "stat", "errors",
    "sitecustomize", "usercustomize", "conftest", "warnings", "difflib", "unicodedata", "runpy", "importlib",
    "encodings", "site", "os", "pkgutil",
]  # fmt: skip


@pytest.mark.parametrize("module", [True, False])
@pytest.mark.parametrize("packages", [True, False])
def test_nothing_of_the_working_directory_is_imported(clean: Path, module: bool, packages: bool) -> None:
    mark = "os.path.join(os.path.dirname(os.path.abspath(__file__)), 'written-by-the-input')"
    trap = f"import os\nopen({mark}, 'w').close()\nraise SystemExit(77)\n"
    for name in HOSTILE:
        file = clean / (f"{name}/__init__.py" if packages else f"{name}.py")
        file.parent.mkdir(exist_ok=True)
        file.write_text(trap)
    for folder in (clean, clean / "skills/stock-report"):
        answer = outside(folder, "lint", module=module)
        assert (answer.code, answer.err) == (0, "")
    assert not list(clean.rglob("written-by-the-input"))


def test_a_package_of_our_name_in_the_working_directory(clean: Path) -> None:
    """``python -m`` looks there first, whatever a package does; the command does not."""
    (clean / "plugin_eval_ci").mkdir()
    (clean / "plugin_eval_ci/__init__.py").write_text("raise SystemExit(77)\n")
    (clean / "plugin_eval_ci/__main__.py").write_text("raise SystemExit(77)\n")
    assert outside(clean, "lint", module=False).code == 0


def test_tags_and_commands_of_the_input_are_not_run(repo: Repo, run: Callable[..., Answer]) -> None:
    text = "---\nname: a\ndescription: !!python/object/apply:os.system ['touch written']\n---\n!`touch written`\n$(touch written)\n"
    root = repo({A: text, "conftest.py": "open('written', 'w')"})
    assert run(root, "lint").code == 1
    assert not (root / "written").exists()


def test_the_tree_is_only_read(clean: Path) -> None:
    def state() -> dict[str, tuple[int, int]]:
        return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in sorted(clean.rglob("*"))}

    before = state()
    for words in (["lint"], ["lint", "--format", "json"], ["lint", "--hook", A]):
        assert outside(clean, *words).code == 0
    assert state() == before


def test_paths_are_those_of_the_repository_from_any_folder(broken: Path, run: Callable[..., Answer]) -> None:
    for folder, words in (
        (broken, ["lint", str(broken)]),
        (broken / "skills", ["lint"]),
        (broken.parent, ["lint", "repo"]),
    ):
        paths = re.findall(r"^(\S+):1: error", run(folder, *words).out, re.MULTILINE)
        assert paths == [A]


# --- each command in its module ---


def test_every_command_is_loaded_by_its_name_and_says_what_it_does():
    from plugin_eval_ci.cli import group

    context = click.Context(group.cli)
    for name in group.cli.list_commands(context):
        command = group.cli.get_command(context, name)
        assert command is not None and command.name == name and command.get_short_help_str()
    assert group.cli.get_command(context, "door") is None


def test_no_module_declares_a_command_that_is_not_listed():
    import plugin_eval_ci.cli as package
    from plugin_eval_ci.cli import group

    declared = {
        (file.stem, name)
        for file in Path(package.__file__).parent.glob("[a-z]*.py")
        for name, value in vars(import_module(f"plugin_eval_ci.cli.{file.stem}")).items()
        if isinstance(value, click.Command) and value is not group.cli
    }
    for module, name in list(declared):
        listed = getattr(import_module(f"plugin_eval_ci.cli.{module}"), name)
        if isinstance(listed, click.Group):
            below = set(listed.commands.values())
            declared -= {
                one
                for one in declared
                if one[0] == module and getattr(import_module(f"plugin_eval_ci.cli.{module}"), one[1]) in below
            }
    assert declared == set(group.COMMANDS.values())


def test_the_help_lists_every_command_and_a_wrong_name_is_usage(capsys):
    from plugin_eval_ci.cli import group, run

    assert run(["--help"]) == 0
    listed_lines = [line for line in capsys.readouterr().out.partition("Commands:\n")[2].splitlines() if line]
    listed = [line.split()[0] for line in listed_lines]
    assert set(group.COMMANDS) <= set(listed)
    assert run(["triggers", "--help"]) == 0
    cut = [
        line
        for line in (*listed_lines, *capsys.readouterr().out.splitlines())
        if line.startswith("  ") and line.endswith("...")
    ]
    assert len(listed_lines) >= len(group.COMMANDS) and cut == []
    assert run(["lnit"]) == 2
    assert "unknown command 'lnit' (did you mean lint?)" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "module"), [(["lint", "--hook"], "lint"), (["rules"], "lint")])
def test_a_run_loads_no_other_command(words, module, repo, skill_text):
    root = repo({"skills/stock-report/SKILL.md": skill_text()})
    code = (
        "import sys; from plugin_eval_ci.cli import run; run(sys.argv[1:]);"
        "print([m for m in sorted(sys.modules) if m.startswith('plugin_eval_ci.cli.')])"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=root, capture_output=True, text=True, check=True)
    ours = {f"plugin_eval_ci.cli.{name}" for name in ("group", module)}
    loaded = set(ast.literal_eval(done.stdout.splitlines()[-1]))
    assert ours <= loaded <= ours | {"plugin_eval_ci.cli.options"}


# --- what a newcomer reads ---


def test_a_missing_path_is_no_clean_run(clean: Path, run: Callable[..., Answer]) -> None:
    assert run(clean, "lint", "gone") == (2, "Nothing to lint.\n", "plugin-eval: gone: no such file or folder\n")
    answer = run(clean, "lint", A, "gone")
    assert (answer.code, answer.out) == (2, "1 skill: nothing to report; 1 path not found.\n")


def test_a_manifest_alone_is_looked_at(repo: Repo, run: Callable[..., Answer]) -> None:
    root = repo(
        {
            ".claude-plugin/plugin.json": '{"name": "p", "version": "1.0.0"}',
            "commands/x.md": "---\ndescription: x\n---\nx\n",
        }
    )
    assert run(root, "lint", ".claude-plugin/plugin.json").out == "0 skills: nothing to report.\n"


@pytest.mark.parametrize("output", ["text", "markdown", "json"])
def test_a_note_of_the_score_is_said_once(clean: Path, run: Callable[..., Answer], output: str) -> None:
    answer = run(clean, "score", A, "--output", output)
    assert answer.code == 0 and answer.err.count("\n") == 1
    assert answer.err.count("the judge layer did not measure") == 1 and "the result is Estimated" in answer.err
    assert "ANTHROPIC_API_KEY" in answer.out and "the result is Estimated" not in answer.out


def test_no_two_hooks_of_a_push_show_the_same() -> None:
    hooks = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks if "pre-push" in hook["stages"]] == ["plugin-eval-all"]
