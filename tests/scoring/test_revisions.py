"""Two reports side by side."""

import pytest

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report import compare as compare_markdown
from plugin_eval_ci.report import compare as compare_text
from plugin_eval_ci.report.compare import verdict
from plugin_eval_ci.scoring.comparison import compare
from plugin_eval_ci.scoring.composite import composite_of
from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement
from plugin_eval_ci.scoring.report import ScoreReport


def finding(
    rule: str, target: str = "", line: int = 1, weight: float | None = 0.05, anti_pattern: bool = True
) -> Finding:
    return Finding(
        rule, Severity.WARNING, anti_pattern, "s/SKILL.md", line, None, None, "m", "f", target, "0" * 16, weight
    )


def report(name: str, score: float | None, *found: Finding, depth: str = "quick", **fields) -> ScoreReport:
    values = (
        () if score is None else (DimensionValue("triggering_accuracy", score), DimensionValue("token_efficiency", 0.5))
    )
    counted = tuple(one for one in found if one.anti_pattern)
    layers = {"static": Measurement("static", score or 0.0, (), values)} if score is not None else {}
    composite = composite_of(depth_named(depth), layers, len(counted))
    return ScoreReport(
        "skill", f"{name}/SKILL.md", name, depth_named(depth), tuple(layers.values()), counted, composite, None, found
    )._replace(**fields)


@pytest.mark.parametrize(
    ("a", "b", "winner", "words"),
    [
        (0.5, 0.9, "b", "B wins by 32.26 points."),
        (0.9, 0.5, "a", "A wins by 32.26 points."),
        (0.5, 0.5, "tie", "Tie: the composites are equal."),
        (None, 0.5, None, "No winner: one of the two was not measured."),
        (0.5, None, None, "No winner: one of the two was not measured."),
        (0.500001, 0.5, "a", "A wins by less than 0.01 points."),
    ],
)
def test_who_wins(a, b, winner, words):
    comparison = compare(report("one", a), report("two", b))
    assert comparison.winner == winner
    assert verdict(comparison) == words


def test_dimension_by_dimension():
    rows = {row.name: row for row in compare(report("one", 0.5), report("two", 0.75)).rows}
    assert len(rows) == 10
    assert (rows["triggering_accuracy"].difference, rows["triggering_accuracy"].winner) == (0.25, "b")
    assert (rows["token_efficiency"].difference, rows["token_efficiency"].winner) == (0.0, "tie")
    assert (rows["output_quality"].difference, rows["output_quality"].winner) == (None, None)


def test_findings_that_make_the_difference():
    a = report(
        "one",
        0.5,
        finding("ORPHAN_REFERENCE", "references/a.md"),
        finding("ORPHAN_REFERENCE", "references/b.md"),
        finding("MISSING_TRIGGER", line=3),
        finding("NAME_FORMAT", weight=None, anti_pattern=False),
    )
    b = report(
        "two",
        0.5,
        finding("MISSING_TRIGGER", line=9),
        finding("ORPHAN_REFERENCE", "references/a.md"),
        finding("CLAUDE_TOOL_PROSE", weight=0.05, anti_pattern=False),
    )
    comparison = compare(a, b)
    assert [one.target for one in comparison.only_a] == ["references/b.md"]
    assert [one.rule for one in comparison.only_b] == ["CLAUDE_TOOL_PROSE"]
    assert [one.rule for one in comparison.other_a] == ["NAME_FORMAT"]
    assert comparison.other_b == ()


def weightless(rule: str, severity: Severity, target: str = "") -> Finding:
    return finding(rule, target, weight=None, anti_pattern=False)._replace(severity=severity)


def test_findings_that_cost_no_points_are_told_apart_from_those_that_do():
    a = report("one", 0.5, finding("MISSING_TRIGGER"), weightless("REF_UNUSED", Severity.NOTICE, "x.md"))
    b = report(
        "two",
        0.5,
        weightless("REF_UNUSED", Severity.NOTICE, "x.md"),
        weightless("KEY_UNKNOWN", Severity.WARNING, "colour"),
        weightless("SAFE_SECRET", Severity.ERROR, "key"),
    )
    comparison = compare(a, b)
    assert [one.rule for one in comparison.only_a] == ["MISSING_TRIGGER"]
    assert comparison.only_b == comparison.other_a == ()
    assert [one.rule for one in comparison.other_b] == ["SAFE_SECRET", "KEY_UNKNOWN"]  # the worst first
    text = compare_text.render_text(comparison, color=False, width=100)
    assert "Anti-patterns only in A\n  MISSING_TRIGGER (5 %)  s/SKILL.md:1" in text
    assert "Other findings only in B\n  SAFE_SECRET (error)  s/SKILL.md:1" in text
    assert "Only in B, weighs" not in text and "Only in A, costs" not in text
    page = compare_markdown.render_markdown(comparison)
    assert "### Anti-patterns only in A" in page and "- error **SAFE_SECRET** `s/SKILL.md:1`" in page


def test_a_long_list_is_cut_and_says_so():
    many = [weightless("REF_UNUSED", Severity.NOTICE, f"{number}.md") for number in range(25)]
    comparison = compare(report("one", 0.5, *many), report("two", 0.5))
    assert len(comparison.other_a) == 25
    for text in (
        compare_text.render_text(comparison, color=False, width=100),
        compare_markdown.render_markdown(comparison),
    ):
        assert text.count("UNUSED") == 20
        assert "and 5 more" in text and "--format json" in text


@pytest.mark.parametrize(
    ("other", "word"),
    [
        (
            report("two", 0.5, methodology="plugin-eval-ci/2"),
            "methodologies differ (plugin-eval-ci/1 and plugin-eval-ci/2)",
        ),
        (report("two", 0.5, depth="standard"), "depths differ (quick and standard)"),
        (report("two", 0.5, kind="plugin"), "kinds differ (skill and plugin)"),
    ],
)
def test_what_is_refused(other, word):
    with pytest.raises(UsageError) as refused:
        compare(report("one", 0.5), other)
    assert word in str(refused.value)
    assert "one/SKILL.md and two/SKILL.md cannot be compared" in str(refused.value)


def test_comparing_with_itself_is_a_tie():
    one = report("one", 0.5, finding("DEAD_CROSS_REF", "../x"))
    comparison = compare(one, one)
    assert comparison.winner == "tie"
    assert comparison.only_a == comparison.only_b == comparison.other_a == comparison.other_b == ()
