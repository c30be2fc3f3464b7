"""A score as GitHub Markdown: for a job summary, a comment or a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugin_eval_ci.dimensions import badge_named
from plugin_eval_ci.measure.static import portability
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_markdown
from plugin_eval_ci.report.score_advice import first_changes
from plugin_eval_ci.report.score_text import points
from plugin_eval_ci.score_report import ScoreReport


def render(report: ScoreReport) -> str:
    """The whole document, with a final newline."""
    blocks = [_head(report)]
    for title, rows in (
        ("Dimensions", _dimensions(report)),
        ("Members", _members(report)),
        ("Static layer", _sub_scores(report)),
        ("Anti-patterns", _findings(report.anti_patterns)),
        ("Portability", _findings(tuple(portability(report.findings)))),
        ("Other findings", _others(report)),
        ("Context cost", _cost(report)),
        ("What to change first", _changes(report)),
        ("Notes", (f"- {for_markdown(note)}" for note in report.notes)),
    ):
        lines = list(rows)
        if lines:
            blocks.append("\n".join([f"### {title}", "", *lines]))
    return "\n\n".join(blocks) + "\n"


def _head(report: ScoreReport) -> str:
    composite = report.composite
    badge = badge_named(composite.badge)
    score = "—" if composite.score is None else points(composite.score)
    said = "no badge" if composite.badge == "no_badge" else f"{badge.stars} {badge.name.capitalize()}"
    lines = [
        f"## {for_markdown(report.name)}: {score} {said}",
        "",
        f"{composite.confidence_label} at depth `{report.depth.name}` · {report.kind} {for_markdown(report.path)}",
    ]
    count = len(report.anti_patterns)
    if count:
        many = "1 anti-pattern" if count == 1 else f"{count} anti-patterns"
        lines[-1] += f" · × {composite.anti_pattern_penalty:.2f} for {many}"
    return "\n".join(lines)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A table of cells that are escaped already; nothing for no rows."""
    if rows:
        yield f"| {' | '.join(head)} |"
        yield f"|{' --- |' * len(head)}"
        for row in rows:
            yield f"| {' | '.join(row)} |"


def _dimensions(report: ScoreReport) -> Iterator[str]:
    rows = [
        (row.name, f"{row.weight * 100:.0f} %", points(row.score * 100), row.grade or "—", "")
        if row.score is not None
        else (row.name, f"{row.weight * 100:.0f} %", "—", "—", f"not measured: {for_markdown(row.reason or '')}")
        for row in report.composite.dimensions
    ]
    return table(("Dimension", "Weight", "Score", "Grade", ""), rows)


def _members(report: ScoreReport) -> Iterator[str]:
    rows = [
        (
            for_markdown(member.name),
            member.kind,
            "—" if member.composite.score is None else points(member.composite.score),
            ", ".join(finding.rule for finding in member.anti_patterns),
        )
        for member in report.members
    ]
    return table(("Name", "Kind", "Score", "Anti-patterns"), rows)


def _sub_scores(report: ScoreReport) -> Iterator[str]:
    rows = []
    for layer in report.layers:
        rows.append((f"**{layer.layer} layer score**", f"{layer.score:.4f}"))
        rows += [(score.name, f"{score.score:.4f}") for score in layer.sub_scores]
    return table(("Sub-score", "Value"), rows)


def place(finding: Finding) -> str:
    """A finding's file and line."""
    return f"{for_markdown(finding.path)}:{finding.line}"


def _findings(findings: tuple[Finding, ...]) -> Iterator[str]:
    for finding in findings:
        fix = f" *Fix:* {for_markdown(finding.fix)}" if finding.fix else ""
        yield f"- **{finding.rule}** {place(finding)}: {for_markdown(finding.message)}.{fix}"


def _others(report: ScoreReport) -> Iterator[str]:
    others = [finding for finding in report.findings if not finding.anti_pattern and finding.weight is None]
    others.sort(key=lambda finding: -finding.severity)
    for finding in others:
        yield f"- {finding.severity.word} **{finding.rule}** {place(finding)}: {for_markdown(finding.message)}"


def _cost(report: ScoreReport) -> Iterator[str]:
    cost = report.context_cost
    if cost is not None:
        bundle = f"{cost.bundle:,}" if cost.complete else f"more than {cost.bundle:,}"
        yield f"In estimated tokens: installed {cost.installed:,}, activated {cost.activated:,}, bundle {bundle}."


def _changes(report: ScoreReport) -> Iterator[str]:
    for number, change in enumerate(first_changes(report), 1):
        where = f" ({for_markdown(change.path)})" if report.kind == "plugin" else ""
        yield f"{number}. +{change.points:.1f}: {for_markdown(change.advice)}{where}"
