"""Findings of one form are one cause; identical copies are shown once; nothing is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plugin_eval_ci.lint.causes import LEAST, causes_of
from plugin_eval_ci.model import Finding, Severity

DEAD = "does not lead to a skill or agent in this repository"


def finding(path: str, message: str, fix: str = "", rule: str = "R", severity: Severity = Severity.ERROR) -> Finding:
    return Finding(rule, severity, False, path, 3, None, None, message, fix, "", "0" * 16, None, message)


def test_paths_of_one_shape_are_one_cause_with_its_fix() -> None:
    some = [
        finding(f"skills/{name}/SKILL.md", f"'../../{name}-b/SKILL.md' {DEAD}", f"Did you mean '../{name}-b/SKILL.md'?")
        for name in ("one", "two", "three")
    ]
    (cause,) = causes_of(some)
    assert cause.message == f"'../../X/SKILL.md' {DEAD}" and cause.fix == "Did you mean '../X/SKILL.md'?"
    assert cause.amount == "3 findings in 3 files"


def test_a_letter_stands_for_one_name() -> None:
    some = [
        finding(f"{name}/SKILL.md", f"'skills/{name}/{name}-b' {DEAD}", f"Did you mean 'skills/{name}-b'?")
        for name in ("one", "two", "three")
    ]
    (cause,) = causes_of(some)
    assert cause.message == f"'skills/X/Y' {DEAD}" and cause.fix == "Did you mean 'skills/Y'?"


def test_numbers_stay_where_all_have_the_same() -> None:
    some = [finding(f"{n}.md", f"1{n},423 bytes of 'x1'; Codex 0.171.0 cuts it at 8,000") for n in range(3)]
    assert causes_of(some)[0].message == "N bytes of 'x1'; Codex 0.171.0 cuts it at 8,000"


def test_two_files_are_no_group() -> None:
    some = [finding(f"{n % 2}.md", "no trigger") for n in range(6)]
    assert [cause.is_group for cause in causes_of(some)] == [False] * 6


def test_errors_come_first_then_the_largest() -> None:
    some = [finding(f"{n}.md", "w", severity=Severity.WARNING) for n in range(9)]
    some += [finding(f"{n}.md", "e", rule="E") for n in range(3)] + [
        finding(f"{n}.md", "f", rule="F") for n in range(4)
    ]
    assert [(cause.first.rule, len(cause.findings)) for cause in causes_of(some)] == [("F", 4), ("E", 3), ("R", 9)]


def test_a_copy_is_shown_once() -> None:
    texts = {f".{client}/skills/x": "same" for client in ("claude", "codex", "gemini")}
    some = [finding(f"{folder}/{name}", f"dead {name}") for folder in texts for name in ("SKILL.md", "references/a.md")]
    causes = causes_of(some, texts)
    assert [cause.amount for cause in causes] == ["also in 2 copies"] * 2
    assert all(cause.first.path.startswith(".claude/") for cause in causes)
    texts[".codex/skills/x"] = "another"
    assert sorted(cause.amount for cause in causes_of(some, texts)) == ["", "", "also in 1 copy", "also in 1 copy"]


def test_skills_with_another_name_are_no_copies() -> None:
    texts = {"skills/a": "same", "skills/b": "same"}
    assert len(causes_of([finding(f"{folder}/SKILL.md", "dead") for folder in texts], texts)) == 2


_TEXT = st.text(alphabet="ab'/.#X 0123\0,?", max_size=20)
_FINDINGS = st.lists(
    st.builds(
        finding,
        st.sampled_from(["a/x/SKILL.md", "b/x/SKILL.md", "c/SKILL.md", "/d//e.md", "../d.md", "."]),
        _TEXT | st.sampled_from(["'../a/b.md' is dead", "'../c/d.md' is dead", "12 bytes"]),
        _TEXT,
        st.sampled_from("RS"),
        st.sampled_from(Severity),
    ),
    max_size=30,
)


@given(_FINDINGS)
def test_every_finding_is_in_exactly_one_cause(findings: list[Finding]) -> None:
    causes = causes_of(findings, {"a/x": "t", "b/x": "t"})
    assert sorted(id(one) for cause in causes for one in cause.everything) == sorted(map(id, findings))
    for cause in causes:
        assert len({(one.rule, one.severity) for one in cause.everything}) == 1
        assert not cause.is_group or (len(cause.findings) >= LEAST and cause.files >= LEAST)
