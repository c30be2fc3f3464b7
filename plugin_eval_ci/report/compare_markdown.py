"""A comparison as GitHub Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.dimensions import badge_named
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.compare_text import MOST_SHOWN, measured, verdict
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.rating_lines import paired_lines
from plugin_eval_ci.report.score_markdown import finding_line, table
from plugin_eval_ci.report.score_text import points
from plugin_eval_ci.revisions import Comparison, Row
from plugin_eval_ci.score_report import ScoreReport


def render(comparison: Comparison) -> str:
    """The whole document, with a final newline."""
    a, b = comparison.a, comparison.b
    sides = [_side("A", a), _side("B", b)]
    blocks = [
        f"## {for_markdown(a.name)} and {for_markdown(b.name)}",
        f"{verdict(comparison)} {a.composite.confidence_label} at depth `{a.depth.name}`.",
        "\n".join(table(("Side", "Name", "Path", "Composite", "Badge"), sides)),
    ]
    rows = [_row(row) for row in comparison.rows]
    if rows:
        blocks.append("\n".join(["### Dimensions", "", *table(("Dimension", "Weight", "A", "B", "Winner"), rows)]))
    if paired := [f"- {for_markdown(line)}" for line in paired_lines(comparison.paired, comparison.unpaired)]:
        blocks.append("\n".join(["### On the same tasks", "", *paired]))
    for title, findings in (
        ("Only in A, weighs in the score", comparison.only_a),
        ("Only in B, weighs in the score", comparison.only_b),
        ("Only in A, costs no points", comparison.other_a),
        ("Only in B, costs no points", comparison.other_b),
    ):
        if findings:
            blocks.append("\n".join([f"### {title}", "", *_findings(findings)]))
    return "\n\n".join(blocks) + "\n"


def _side(letter: str, report: ScoreReport) -> tuple[str, ...]:
    composite = report.composite
    score = "—" if composite.score is None else points(composite.score)
    badge = badge_named(composite.badge)
    said = "none" if badge.name == "no_badge" else f"{badge.stars} {badge.name.capitalize()}"
    return letter, for_markdown(report.name), markdown_code(report.path), score, said


def _row(row: Row) -> tuple[str, ...]:
    if row.difference is None:
        outcome = "not measured"
    else:
        outcome = "=" if row.winner == "tie" else f"{(row.winner or '').upper()} +{abs(row.difference) * 100:.2f}"
    return row.name, f"{row.weight * 100:.0f} %", measured(row.a), measured(row.b), outcome


def _findings(findings: tuple[Finding, ...]) -> Iterator[str]:
    yield from (finding_line(finding, f"{finding.path}:{finding.line}") for finding in findings[:MOST_SHOWN])
    if len(findings) > MOST_SHOWN:
        yield f"- and {len(findings) - MOST_SHOWN:,} more: `--output json` has them all"
