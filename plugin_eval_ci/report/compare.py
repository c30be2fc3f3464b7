"""A comparison as JSON, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.document import Json, dump_json, json_head
from plugin_eval_ci.report.escape import for_markdown, for_terminal, markdown_code
from plugin_eval_ci.report.lint.json import finding_object
from plugin_eval_ci.report.rating import paired_lines, paired_object
from plugin_eval_ci.report.score.layout import width_of_output, wrap
from plugin_eval_ci.report.score.markdown import finding_line
from plugin_eval_ci.report.score.text import points
from plugin_eval_ci.report.tables import table
from plugin_eval_ci.report.words import paint
from plugin_eval_ci.scoring.comparison import Comparison, Row
from plugin_eval_ci.scoring.dimensions import badge_named, round_score
from plugin_eval_ci.scoring.report import ScoreReport


def render_json(comparison: Comparison) -> str:
    """The document, with a final newline."""
    return dump_json(
        document_of(comparison)
        | (
            {"paired": paired_object(comparison.paired), "unpaired": comparison.unpaired or None}
            if comparison.paired is not None or comparison.unpaired
            else {}
        )
    )


def document_of(comparison: Comparison) -> Json:
    """What every comparison holds."""
    return {
        **json_head(comparison.a.version, comparison.a.methodology),
        "kind": comparison.a.kind,
        "depth": comparison.a.depth.name,
        "a": _side_json(comparison.a),
        "b": _side_json(comparison.b),
        "difference": comparison.difference,
        "winner": comparison.winner,
        "dimensions": [row._asdict() for row in comparison.rows],
        "only_a": [finding_object(finding) for finding in comparison.only_a],
        "only_b": [finding_object(finding) for finding in comparison.only_b],
        "other_only_a": [finding_object(finding) for finding in comparison.other_a],
        "other_only_b": [finding_object(finding) for finding in comparison.other_b],
    }


def _side_json(report: ScoreReport) -> Json:
    composite = report.composite
    return {
        "path": report.path,
        "name": report.name,
        "score": composite.score,
        "badge": composite.badge,
        "confidence_label": composite.confidence_label,
        "anti_pattern_penalty": round_score(composite.anti_pattern_penalty),
    }


MOST_SHOWN = 20  # findings of one group: a comparison should show at a glance where two targets differ


def render_text(comparison: Comparison, color: bool, width: int | None = None) -> str:
    """The whole text, with a final newline; ``width`` is the terminal's unless given."""
    broad = width or width_of_output()
    head = [_side("A", comparison.a), _side("B", comparison.b), "", paint(verdict(comparison), "1", color)]
    blocks = ["\n".join(head)]
    for title, lines in (
        ("Dimensions", list(_rows(comparison))),
        (
            "On the same tasks",
            [wrap("  ", for_terminal(line), broad) for line in paired_lines(comparison.paired, comparison.unpaired)],
        ),
        ("Anti-patterns only in A", list(_findings_text(comparison.only_a, broad))),
        ("Anti-patterns only in B", list(_findings_text(comparison.only_b, broad))),
        ("Other findings only in A", list(_findings_text(comparison.other_a, broad))),
        ("Other findings only in B", list(_findings_text(comparison.other_b, broad))),
    ):
        if lines:
            blocks.append("\n".join([paint(title, "1", color), *lines]))
    return "\n\n".join(blocks) + "\n"


def verdict(comparison: Comparison) -> str:
    """One sentence: who wins and by how much."""
    if comparison.difference is None:
        return "No winner: one of the two was not measured."
    if comparison.winner == "tie":
        return "Tie: the composites are equal."
    apart = f"{abs(comparison.difference):.2f}"
    # Two decimals can hide a difference that is there.
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


def _findings_text(findings: tuple[Finding, ...], width: int) -> Iterator[str]:
    for finding in findings[:MOST_SHOWN]:
        place = f"{for_terminal(finding.path)}:{finding.line}"
        yield f"  {finding.rule} ({_weight(finding)})  {place}"
        yield wrap("      ", for_terminal(finding.message), width)
    if len(findings) > MOST_SHOWN:
        yield f"  and {len(findings) - MOST_SHOWN:,} more; use --format json to see all"


def _weight(finding: Finding) -> str:
    return finding.severity.word if finding.weight is None else f"{finding.weight * 100:.0f} %"


def render_markdown(comparison: Comparison) -> str:
    """The whole document, with a final newline."""
    a, b = comparison.a, comparison.b
    sides = [_side_markdown("A", a), _side_markdown("B", b)]
    blocks = [
        f"## {for_markdown(a.name)} compared with {for_markdown(b.name)}",
        f"{verdict(comparison)} {a.composite.confidence_label} at depth `{a.depth.name}`.",
        "\n".join(table(("Side", "Name", "Path", "Composite", "Badge"), sides)),
    ]
    rows = [_row_markdown(row) for row in comparison.rows]
    if rows:
        blocks.append("\n".join(["### Dimensions", "", *table(("Dimension", "Weight", "A", "B", "Winner"), rows)]))
    if paired := [f"- {for_markdown(line)}" for line in paired_lines(comparison.paired, comparison.unpaired)]:
        blocks.append("\n".join(["### On the same tasks", "", *paired]))
    for title, findings in (
        ("Anti-patterns only in A", comparison.only_a),
        ("Anti-patterns only in B", comparison.only_b),
        ("Other findings only in A", comparison.other_a),
        ("Other findings only in B", comparison.other_b),
    ):
        if findings:
            blocks.append("\n".join([f"### {title}", "", *_findings_markdown(findings)]))
    return "\n\n".join(blocks) + "\n"


def _side_markdown(letter: str, report: ScoreReport) -> tuple[str, ...]:
    composite = report.composite
    score = "—" if composite.score is None else points(composite.score)
    badge = badge_named(composite.badge)
    said = "no badge" if badge.name == "no_badge" else f"{badge.stars} {badge.name.capitalize()}"
    return letter, for_markdown(report.name), markdown_code(report.path), score, said


def _row_markdown(row: Row) -> tuple[str, ...]:
    return row.name, f"{row.weight * 100:.0f} %", measured(row.a), measured(row.b), _outcome(row)


def _findings_markdown(findings: tuple[Finding, ...]) -> Iterator[str]:
    yield from (finding_line(finding, f"{finding.path}:{finding.line}") for finding in findings[:MOST_SHOWN])
    if len(findings) > MOST_SHOWN:
        yield f"- and {len(findings) - MOST_SHOWN:,} more; use `--format json` to see all"
