"""The two example plugins keep their promises: one has no finding, the other exactly those that its README names."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
EXEMPLARY = EXAMPLES / "exemplary"
ANTI_PATTERNS = EXAMPLES / "every-anti-pattern"
SKILLS = EXEMPLARY / "skills"
CHANGELOG = SKILLS / "changelog-keeping" / "scripts" / "changelog.py"
COLLECT = SKILLS / "release-notes" / "scripts" / "collect.py"

# Where, the rule, and a piece of the line that it points at.
EXPECTED = [
    ("agents/worker.md", "AGENT_NAME_COLLISION", "name: worker"),
    ("agents/worker.md", "BARE_MODEL_ALIAS", "model: haiku"),
    ("skills/customer-replies/SKILL.md", "MISSING_TRIGGER", "description: Powerful assistant"),
    ("skills/database-migrations/SKILL.md", "OVER_CONSTRAINED", "- ALWAYS measure how long it holds locks."),
    ("skills/monthly-invoices/SKILL.md", "DEAD_CROSS_REF", "(../invoice-layout/SKILL.md)"),
    ("skills/payments-api/SKILL.md", "ORPHAN_REFERENCE", "(references/errors.md)"),
    ("skills/pdf-tools/SKILL.md", "EMPTY_DESCRIPTION", "description: Use for PDF files"),
    ("skills/shipping-addresses/SKILL.md", "SKILL_OVER_CODEX_CAP", ""),
    ("skills/shipping-addresses/SKILL.md", "BLOATED_SKILL", ""),
    ("skills/sql-formatting/SKILL.md", "FM_INVALID_YAML", "description: Formats SQL"),
]

NOT_COUNTED = {"AGENT_NAME_COLLISION", "BARE_MODEL_ALIAS", "SKILL_OVER_CODEX_CAP", "FM_INVALID_YAML"}


def run(*command: object, cwd: Path = EXAMPLES.parent) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *map(str, command)]
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(words, cwd=cwd, capture_output=True, encoding="utf-8", env=environment, check=False)


def tool(command: str, path: Path, *options: str) -> dict:
    answer = run("-m", "plugin_eval_ci", command, path, "--isolated", *options)
    assert answer.returncode in (0, 1), answer.stderr
    return json.loads(answer.stdout)


def lint(path: Path) -> list[dict]:
    return tool("lint", path, "--format", "json")["findings"]


def score(path: Path) -> dict:
    return tool("score", path, "--depth", "quick", "--output", "json")


def fences(file: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", file.read_text("utf-8"), re.DOTALL | re.MULTILINE)


# --- the exemplary plugin -------------------------------------------------------------------------------------------


def test_exemplary_is_clean():
    assert lint(EXEMPLARY) == []
    hook = run("-m", "plugin_eval_ci", "lint", "--hook", "--isolated", "--fail-on", "notice", EXEMPLARY)
    assert (hook.returncode, hook.stdout) == (0, "")


@pytest.mark.parametrize("path", [SKILLS / "changelog-keeping", SKILLS / "release-notes", EXEMPLARY])
def test_exemplary_is_platinum(path):
    assert score(path)["composite"]["badge"] == "platinum"


def test_exemplary_skills_fit_every_client():
    for skill in SKILLS.glob("*/SKILL.md"):
        assert skill.stat().st_size < 8_000, "Codex cuts the text of a plugin's skill at 8,000 bytes"


def test_every_file_mentioned_exists():
    mentioned = r"(?:\.\./)*(?:references|assets|scripts|skills|agents)/[\w./-]*\w|(?:\.\./)+[\w./-]*\w"
    count = 0
    for file in EXEMPLARY.rglob("*.md"):
        if "assets" in file.parts:
            continue
        base = file.parent.parent if "references" in file.parts else file.parent
        for path in re.findall(mentioned, file.read_text("utf-8")):
            assert (base / path).is_file(), f"{file}: {path}"
            count += 1
    assert count >= 15


def test_every_file_is_mentioned():
    for skill in SKILLS.iterdir():
        text = "".join(file.read_text("utf-8") for file in skill.rglob("*.md"))
        for file in skill.rglob("*"):
            if file.is_file() and file.name != "SKILL.md" and "__pycache__" not in file.parts:
                assert file.relative_to(skill).as_posix() in text, file


# --- its scripts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [CHANGELOG, COLLECT])
def test_script_has_help(script):
    answer = run(script, "--help")
    assert answer.returncode == 0 and "usage:" in answer.stdout


@pytest.fixture
def tally(tmp_path: Path) -> Path:
    """The changelog of the worked example, after the change that the example makes."""
    skill = SKILLS / "changelog-keeping" / "SKILL.md"
    (before,) = fences(skill, "markdown")
    context, *added = fences(skill, "diff")[0].splitlines()
    assert context[1:] in before and all(line.startswith("+") for line in added)
    after = before.replace(context[1:], "\n".join([context[1:], *(line[1:] for line in added)]))
    (tmp_path / "CHANGELOG.md").write_text(after, encoding="utf-8", newline="")
    return tmp_path


def test_next_prints_what_the_example_says(tally):
    assert run(CHANGELOG, "check", cwd=tally).returncode == 0
    answer = run(CHANGELOG, "next", cwd=tally)
    assert answer.stdout == fences(SKILLS / "changelog-keeping" / "SKILL.md", "text")[-1]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_cut(tally, newline):
    file = tally / "CHANGELOG.md"
    before = file.read_text("utf-8").replace("\n", newline).encode()
    file.write_bytes(before)
    dry = run(CHANGELOG, "cut", "2.4.0", "--date", "2026-06-01", "--dry-run", cwd=tally)
    assert "+## [2.4.0] - 2026-06-01" in dry.stdout and file.read_bytes() == before
    assert run(CHANGELOG, "cut", "2.4.0", "--date", "2026-06-01", cwd=tally).returncode == 0
    after = file.read_bytes().decode()
    assert after.count(newline) == after.count("\n")
    lines = after.split(newline)
    heading = lines.index("## [Unreleased]")
    assert lines[heading : heading + 5] == ["## [Unreleased]", "", "## [2.4.0] - 2026-06-01", "", "### Added"]
    assert "[Unreleased]: https://example.com/tally/compare/v2.4.0...HEAD" in lines
    assert "[2.4.0]: https://example.com/tally/compare/v2.3.0...v2.4.0" in lines
    assert "fine, 0 unreleased, newest version 2.4.0" in run(CHANGELOG, "check", cwd=tally).stdout
    assert run(CHANGELOG, "cut", "2.5.0", cwd=tally).returncode == 1  # nothing is left to cut


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cut", "2.3.0"], "2.3.0 is not newer than 2.3.0"),
        (["cut", "2.4.0-rc.1", "--date", "2026-02-30"], "no such day: 2026-02-30"),
        (["cut", "v2.4.0"], "is not a version"),
        (["check", "--file", "NOTES.md"], "cannot be read"),
    ],
)
def test_changelog_wrong_usage(tally, words, message):
    answer = run(CHANGELOG, *words, cwd=tally)
    assert answer.returncode == 2 and message in answer.stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("## Unreleased\n", "1: no title"),
        ("# C\n## 1.0.0 - 2026-01-01\n### Bugfixes\n- A\n", "3: unknown category 'Bugfixes'"),
        ("# C\n## 1.0 - 2026-01-01\n", "2: not a version heading"),
        ("# C\n## 1.0.0 - 2026-02-30\n", "2: no such day"),
        ("# C\n## 1.0.0 - 2026-01-01\n## Unreleased\n", "3: Unreleased must stand once"),
        ("# C\n## 2.1.9 - 2026-01-01\n## 2.2.1 - 2026-01-01\n", "3: 2.2.1 must stand above 2.1.9"),
        ("# C\n## 1.0.0-rc.2 - 2026-01-01\n## 1.0.0-rc.10 - 2026-01-01\n", "3: 1.0.0-rc.10 must stand above"),
        ("# C\n## Unreleased\n- A\n", "3: the entry belongs to no category"),
        ("# C\n## Unreleased\n### Fixed\n- A\n- a\n", "5: the entry stands twice"),
        ("# C\n## Unreleased\n### Fixed\n### Added\n- A\n", "3: Fixed has no entries"),
        ("# C\n## Unreleased\n### Fixed\n- A\n### Fixed\n- B\n", "5: Fixed stands twice"),
        ("# C\n## [1.0.0] - 2026-01-01\n[0.9.0]: https://example.com\n", "2: [1.0.0] has no link definition"),
    ],
)
def test_check_finds(tmp_path, text, problem):
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf-8")
    answer = run(CHANGELOG, "check", cwd=tmp_path)
    assert answer.returncode == 1
    assert [line for line in answer.stdout.splitlines() if line.startswith(f"CHANGELOG.md:{problem}")], answer.stdout
    assert len(answer.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("newest", "entries", "expected"),
    [
        ("2.3.0", "### Changed\n- **Breaking:** A", "3.0.0"),
        ("0.3.0", "### Removed\n- A", "0.4.0"),
        ("2.3.0", "### Deprecated\n- A", "2.4.0"),
        ("0.3.0", "### Added\n- A", "0.4.0"),
        ("2.3.0", "### Fixed\n- A\n### Security\n- B", "2.3.1"),
        ("2.4.0-rc.1", "### Fixed\n- A", "2.4.0"),
        (None, "### Added\n- A", "0.1.0"),
    ],
)
def test_next_follows_the_table(tmp_path, newest, entries, expected):
    released = f"## {newest} - 2026-01-01\n" if newest else ""
    (tmp_path / "CHANGELOG.md").write_text(f"# C\n## Unreleased\n{entries}\n{released}", encoding="utf-8")
    assert run(CHANGELOG, "next", cwd=tmp_path).stdout.startswith(f"{expected} (")


def test_the_template_is_a_changelog(tmp_path):
    template = SKILLS / "changelog-keeping" / "assets" / "changelog-template.md"
    assert run(CHANGELOG, "check", "--file", template).returncode == 0


def test_collect_prints_what_the_example_says(tmp_path):
    skill = SKILLS / "release-notes" / "SKILL.md"
    (tmp_path / "CHANGELOG.md").write_text(fences(skill, "markdown")[0], encoding="utf-8")
    answer = run(COLLECT, "--from", "2.2.0", "--to", "2.3.0", cwd=tmp_path)
    assert json.loads(answer.stdout) == json.loads(fences(skill, "json")[0])
    assert run(COLLECT, cwd=tmp_path).stdout == answer.stdout  # the defaults
    missing = run(COLLECT, "--to", "2.3", cwd=tmp_path)
    assert missing.returncode == 1 and "no version 2.3; it has 2.3.0, 2.2.0" in missing.stderr
    turned = run(COLLECT, "--from", "2.3.0", "--to", "2.2.0", cwd=tmp_path)
    assert turned.returncode == 2 and "2.3.0 is not older than 2.2.0" in turned.stderr


def test_collect_previews_what_is_unreleased(tally):
    result = json.loads(run(COLLECT, "--to", "Unreleased", cwd=tally).stdout)
    assert (result["from"], result["to"]) == ("2.3.0", "Unreleased")
    assert list(result["changes"]) == ["Added", "Fixed"] and result["breaking"] == []


# --- the other plugin -----------------------------------------------------------------------------------------------


def test_every_anti_pattern_has_exactly_what_it_says():
    found = [(item["path"].split("every-anti-pattern/")[1], item["rule"], item["line"]) for item in lint(ANTI_PATTERNS)]
    assert [(path, rule) for path, rule, _ in found] == [(path, rule) for path, rule, _ in EXPECTED]
    for (path, rule, line), (_, _, piece) in zip(found, EXPECTED, strict=True):
        lines = (ANTI_PATTERNS / path).read_text("utf-8").splitlines()
        assert piece in lines[line - 1], f"{rule} on line {line} of {path}"


def test_lines_that_count():
    lines = {item["rule"]: item["line"] for item in lint(ANTI_PATTERNS / "skills" / "shipping-addresses")}
    text = (ANTI_PATTERNS / "skills" / "shipping-addresses" / "SKILL.md").read_bytes()
    assert lines["BLOATED_SKILL"] == 801
    assert lines["SKILL_OVER_CODEX_CAP"] == text[:8_192].count(b"\n") + 1


def test_each_anti_pattern_is_penalised():
    composite = score(ANTI_PATTERNS)["composite"]
    assert composite["badge"] == "no_badge"
    flags = [rule for _, rule, _ in EXPECTED if rule not in NOT_COUNTED]
    assert len(flags) == 6 and composite["anti_pattern_penalty"] == pytest.approx(0.7)


def test_the_readme_names_every_rule():
    text = (ANTI_PATTERNS / "README.md").read_text("utf-8")
    for path, rule, _ in EXPECTED:
        row = next(line for line in text.splitlines() if f"]({path})" in line)
        assert f"`{rule}`" in row
