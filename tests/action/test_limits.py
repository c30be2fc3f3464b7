"""Sizes that GitHub does not take, systems that have no fork, and what a step loads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cmarkgfm
import pytest
from action.conftest import Step, commit
from cmarkgfm.cmark import Options
from report.made import evaluation, finding, letters

from plugin_eval_ci import git
from plugin_eval_ci.action.runner import OUTPUT_LIMIT, SUMMARY_LIMIT, as_list
from plugin_eval_ci.model import Severity
from plugin_eval_ci.report import rules
from plugin_eval_ci.report.lint import markdown as findings_markdown
from plugin_eval_ci.util import parallel

HERE = Path(__file__).resolve().parents[2]


def test_a_summary_is_cut_by_whole_rows() -> None:
    many = [
        finding(path=f"skills/{number:04}/SKILL.md", message=f"{letters(number)} " + "数据" * 60, fix="修" * 60)
        for number in range(5_000)
    ]
    worst = finding(path="skills/zz/SKILL.md", severity=Severity.ERROR, message="the one that matters")
    text = findings_markdown.render(evaluation([*many, worst]), SUMMARY_LIMIT)
    assert SUMMARY_LIMIT - 2_000 < len(text.encode()) <= SUMMARY_LIMIT
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(line.count("|") == 6 and line.endswith("|") for line in rows)
    assert "the one that matters" in rows[1] or "the one that matters" in rows[2]
    left = re.search(r"([\d,]+) more rows left out", text)
    assert left is not None and int(left[1].replace(",", "")) + len(rows) - 2 == 5_001  # two rows are the head


def test_a_short_summary_leaves_nothing_out() -> None:
    text = findings_markdown.render(evaluation([finding()]), SUMMARY_LIMIT, "1 of 2 skills")
    assert text.startswith("## plugin-eval: 1 warning\n") and "more" not in text and "1 of 2 skills" in text
    assert findings_markdown.render(evaluation([]), 500) == "## plugin-eval: no findings\n"


def test_words_of_a_stranger_make_no_markdown() -> None:
    words = "</details> | a | @acme/owners fixes #12 <img src=x> ![x](http://x) `| b` \n\n# head"
    text = findings_markdown.render(
        evaluation([finding(path=f"skills/{words}/SKILL.md", message=words, fix=words)]), SUMMARY_LIMIT
    )
    page = cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)
    assert set(re.findall(r"</?([a-z0-9]+)", page)) <= {
        "h2",
        "p",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "code",
        "br",
    }
    assert set(re.findall(r'href="([^"]*)"', page)) == {rules.url("ORPHAN_REFERENCE")}
    assert page.count("<tr>") == 2 and page.count("<td>") == 5
    shown = re.sub(r"<code>.*?</code>", "", page)  # in code nothing becomes a link
    assert not re.search(r"@\w|#\d", shown)


def test_a_list_is_cut_by_whole_entries() -> None:
    text = as_list(f"skills/{number:06}-é/SKILL.md" for number in range(20_000))
    assert len(text) <= OUTPUT_LIMIT and text.isascii()
    entries = json.loads(text)
    assert 1_000 < len(entries) < 20_000 and entries[0] == "skills/000000-é"
    assert as_list([]) == "[]" and json.loads(as_list(["agents/a.md", 'b"\n/SKILL.md'])) == ["agents/a.md", 'b"\n']


def test_seven_hundred_skills_in_one_run(step: Step, repo: Callable[..., Path]) -> None:
    root = repo(
        {
            f"skills/group-{number:04}/SKILL.md": f"---\nname: group-{number:04}\ndescription: 数据\n---\n\n文\n"
            for number in range(700)
        }
    )
    commit(root)
    ran = step(root, "push", {}, {"fail-on": "warning"})
    assert ran.code == 1 and int(ran.outputs["warnings"]) > 700
    levels = [level for level, _, _ in ran.commands]
    assert max(levels.count(level) for level in ("error", "warning", "notice")) <= 10
    assert any("more than GitHub shows" in line for line in ran.log) and len(ran.summary.encode()) < 1 << 20


# --- systems ---

POSIX_ONLY = re.compile(
    r"\b(?:os\.(?:fork|getuid|geteuid|getgid|setsid|killpg|mkfifo|mknod|chown|uname|getpgid|nice|statvfs|sched_\w+|waitpid|wait\d?)"
    r"|signal\.(?:SIGALRM|SIGKILL|SIGHUP|SIGUSR\d|alarm|setitimer))\b|^\s*(?:import|from) (?:fcntl|pwd|grp|resource|termios|tty|pty|posix|curses)\b",
    re.MULTILINE,
)


def test_calls_that_only_some_systems_have_are_in_one_place() -> None:
    found = {
        file.name
        for file in (HERE / "plugin_eval_ci").rglob("*.py")
        if POSIX_ONLY.search(file.read_text(encoding="utf-8"))
    }
    assert found <= {"parallel.py"}, found  # which asks for Linux first
    assert not POSIX_ONLY.search((HERE / "action/main.py").read_text())


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_nothing_is_forked_elsewhere(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert parallel.processes_for(100_000) == 1


def test_the_repository_has_no_links() -> None:
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=HERE, capture_output=True, text=True, check=True).stdout
    assert [
        line
        for line in listed.splitlines()
        if line.startswith("120000") and ("\taction" in line or "\tplugin_eval_ci" in line)
    ] == []


def test_a_program_is_never_taken_from_where_we_are(tmp_path: Path) -> None:
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "git.exe").write_text("")
    path = ":".join([".", "", "here", f'"{tmp_path}/there"', str(tmp_path / "here")])
    assert git.on_path("git.exe", path) == str(tmp_path / "there" / "git.exe")
    assert git.on_path("git.exe", ".:here") is None


# --- what is loaded ---

PROBE = """
import json, os, sys
sys.path.insert(0, {root!r})
before = set(sys.modules)
from plugin_eval_ci.action import install
from plugin_eval_ci.action import main as start
install.ensure = lambda *_: (print("loaded " + json.dumps(sorted(set(sys.modules) - before))), {packages!r})[1]
code = start.run(os.environ)
print("all " + json.dumps(sorted(sys.modules)))
"""
STANDARD = set(sys.stdlib_module_names)


def probe(root: Path, tmp_path: Path, skill: str) -> tuple[set[str], set[str]]:
    """Top-level modules that are loaded before packages are installed, and at the end."""
    (tmp_path / "event.json").write_text("{}")
    environ = {
        "PATH": "/usr/bin:/bin",
        "GITHUB_EVENT_NAME": "push",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "RUNNER_TEMP": str(tmp_path),
    }
    code = PROBE.format(root=str(HERE), packages=next(path for path in sys.path if path.endswith("site-packages")))
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=root, env=environ, capture_output=True, text=True, timeout=60
    )
    lines = {
        line.partition(" ")[0]: json.loads(line.partition(" ")[2])
        for line in done.stdout.splitlines()
        if line.startswith(("loaded ", "all "))
    }
    return tuple({name.partition(".")[0] for name in lines[key]} for key in ("loaded", "all"))  # type: ignore[return-value]


def test_the_start_needs_python_alone_and_a_lint_no_network(
    repo: Callable[..., Path], skill_text: Callable[..., str], tmp_path: Path
) -> None:
    root = repo({"skills/one/SKILL.md": skill_text("one", body="See [x](references/gone.md).")})
    commit(root)
    first, everything = probe(root, tmp_path, "one")
    assert {name for name in first if name not in STANDARD} == {"plugin_eval_ci"}
    assert "markdown_it" in everything and not everything & {"click", "urllib3", "ssl", "http", "asyncio"}


def test_nothing_reads_inputs_that_only_a_copy_of_the_runner_sets() -> None:
    files = [*(HERE / "action").iterdir(), *(HERE / "plugin_eval_ci" / "action").glob("*.py"), HERE / "action.yml"]
    assert [file.name for file in files if file.is_file() and "INPUT_" in file.read_text(encoding="utf-8")] == []
