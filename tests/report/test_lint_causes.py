"""Findings of one form in the text and the summary of a job: told once, worst first, on two screens."""

from __future__ import annotations

from typing import Any

from made import evaluation, finding, skill

from plugin_eval_ci.model import Severity
from plugin_eval_ci.report.lint import markdown, text


def dead(number: int, **more: Any) -> Any:
    path = f"skills/s{number}/SKILL.md"
    return finding("REF_DEAD", Severity.ERROR, path, message=f"'../../n{number}/SKILL.md' is dead", **more)


def test_the_one_cause_comes_first() -> None:
    found = evaluation([finding(path=f"skills/s{n}/SKILL.md") for n in range(3)] + [dead(n) for n in range(300)])
    lines = text.render(found, text.How()).split("\n")
    assert lines[0] == "error REF_DEAD: 300 findings in 300 files"
    assert lines[1].strip() == "'../../X/SKILL.md' is dead"
    assert lines[2].strip() == "in: skills/s0/SKILL.md:1, skills/s1/SKILL.md:1 and 298 more"
    assert text.render(found, text.How(every=True)).count("error REF_DEAD") == 300
    row = next(line for line in markdown.render(found, 100_000).split("\n") if "REF_DEAD" in line)
    assert "300 findings in 300 files" in row


def test_two_screens() -> None:
    some = [
        finding(f"RULE_{rule}", severity, f"skills/s{n}/SKILL.md", message=f"{'abcdefghij'[n]} is wrong", fix="Fix it.")
        for severity in Severity
        for rule in range(8)
        for n in range(10)
    ]
    shown = text.render(evaluation(some), text.How())
    assert len(shown.splitlines()) <= 100
    assert all(f"error RULE_{rule}" in shown and f"warning RULE_{rule}" in shown for rule in range(8))
    assert "80 errors, 80 warnings, 80 notices" in shown and "RULE_7 10" in shown and "--all shows them" in shown


def test_a_copy_is_shown_once_and_counted() -> None:
    paths = [f".{client}/skills/x/SKILL.md" for client in ("claude", "codex")]
    found = evaluation([finding(path=path) for path in paths], [skill(path, "same") for path in paths])
    shown = text.render(found, text.How())
    assert shown.count("warning ORPHAN_REFERENCE") == 1 and "2 warnings" in shown
    assert "also in 1 copy: .codex/skills/x/SKILL.md" in shown
    assert "also in 1 copy" in markdown.render(found, 100_000)
