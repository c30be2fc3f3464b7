"""A comparison for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.dimensions import badge_named
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.rating_lines import paired_lines
from plugin_eval_ci.report.score_layout import width_of_output, wrapped
from plugin_eval_ci.report.score_text import points
from plugin_eval_ci.report.style import paint
from plugin_eval_ci.revisions import Comparison, Row
from plugin_eval_ci.score_report import ScoreReport

MOST_SHOWN = 20  # findings of one group: whoever compares two wants to see what sets them apart at a glance


def render(comparison: Comparison, color: bool, width: int | None = None) -> str:
    """The whole text, with a final newline; ``width`` is the terminal's unless given."""
    broad = width or width_of_output()
    head = [_side("A", comparison.a), _side("B", comparison.b), "", paint(verdict(comparison), "1", color)]
    blocks = ["\n".join(head)]
    for title, lines in (
        ("Dimensions", list(_rows(comparison))),
        ("On the same tasks", [wrapped("  ", for_terminal(line), broad) for line in _paired(comparison)]),
        ("Only in A, weighs in the score", list(_findings(comparison.only_a, broad))),
        ("Only in B, weighs in the score", list(_findings(comparison.only_b, broad))),
        ("Only in A, costs no points", list(_findings(comparison.other_a, broad))),
        ("Only in B, costs no points", list(_findings(comparison.other_b, broad))),
    ):
        if lines:
            blocks.append("\n".join([paint(title, "1", color), *lines]))
    return "\n\n".join(blocks) + "\n"


def _paired(comparison: Comparison) -> Iterator[str]:
    return paired_lines(comparison.paired, comparison.unpaired)


def verdict(comparison: Comparison) -> str:
    """One sentence: who wins and by how much."""
    if comparison.difference is None:
        return "No winner: one of the two was not measured."
    if comparison.winner == "tie":
        return "Neither wins: the composites are equal."
    apart = f"{abs(comparison.difference):.2f}"
    # A difference that two decimals do not show is one all the same.
    return f"{(comparison.winner or '').upper()} wins by {apart if apart != '0.00' else 'less than 0.01'} points."


def measured(value: float | None) -> str:
    """A score in [0, 1] on 0-100, or a dash."""
    return "—" if value is None else points(value * 100)


def _side(letter: str, report: ScoreReport) -> str:
    composite = report.composite
    score = "—" if composite.score is None else points(composite.score)
    return (
        f"{letter}  {score:>6}  {badge_named(composite.badge).stars:<5}  {composite.confidence_label}"
        f"  {for_terminal(report.name)}  {for_terminal(report.path)}"
    )


def _rows(comparison: Comparison) -> Iterator[str]:
    for row in comparison.rows:
        sides = f"{measured(row.a):>6}  {measured(row.b):>6}"
        yield f"  {row.name:<24}{row.weight * 100:3.0f} %  {sides}  {_outcome(row)}"


def _outcome(row: Row) -> str:
    if row.difference is None:
        return "not measured"
    return "=" if row.winner == "tie" else f"{(row.winner or '').upper()} +{abs(row.difference) * 100:.2f}"


def _findings(findings: tuple[Finding, ...], width: int) -> Iterator[str]:
    for finding in findings[:MOST_SHOWN]:
        place = f"{for_terminal(finding.path)}:{finding.line}"
        yield f"  {finding.rule} ({_weight(finding)})  {place}"
        yield wrapped("      ", for_terminal(finding.message), width)
    if len(findings) > MOST_SHOWN:
        yield f"  and {len(findings) - MOST_SHOWN:,} more: --output json has them all"


def _weight(finding: Finding) -> str:
    return finding.severity.word if finding.weight is None else f"{finding.weight * 100:.0f} %"
