"""A score as GitHub Markdown: for a job summary, a comment or a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.needs import listing_lines, needs_rows
from plugin_eval_ci.report.rating import rating_lines
from plugin_eval_ci.report.score import layout
from plugin_eval_ci.report.score.advice import first_changes, is_measured_plugin, static_of
from plugin_eval_ci.report.score.layers_lines import layer_lines, title_of, unmeasured_lines, usage_lines
from plugin_eval_ci.report.score.text import points
from plugin_eval_ci.report.size_limit import Block, fit_blocks, write_rows
from plugin_eval_ci.report.tables import table, table_head, table_row
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import badge_named
from plugin_eval_ci.scoring.measurement import Measurement
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.scoring.spending import dollars
from plugin_eval_ci.scoring.static.layer import portability

_LONGEST = 300  # characters of a reason


class Row(NamedTuple):
    """One skill. ``report`` is None if no model was called. ``why`` names what is missing, empty if all was measured."""

    path: str
    report: ScoreReport | None
    why: str

    @property
    def complete(self) -> bool:
        """Whether every layer of the depth was measured."""
        return self.report is not None and not self.why


def render_models(rows: Sequence[Row], depth: str, spent: str, limit: int) -> str:
    """A heading and the table, at most ``limit`` bytes. ``spent`` is a sum in words."""
    scored = many(sum(row.report is not None for row in rows), "skill")
    head = (
        f"## plugin-eval: {scored} at depth `{depth}`, {spent}\n\n"
        "Experimental: these scores include model calls. Each skill is scored on its own."
    )
    lines, hidden = write_rows(rows, limit, _row)
    heading = table_head(("Skill", "Composite", "Label", "Cost", "Missing"))
    return fit_blocks([Block(head), *([Block(heading, lines, more=_more, hidden=hidden)] if lines else [])], limit)


def _more(count: int) -> str:
    return f"\n… and {many(count, 'more skill')}; the files of the run have all of them."


def _row(row: Row) -> str:
    why = for_markdown(row.why[:_LONGEST])
    if row.report is None:
        return table_row((markdown_code(row.path), "—", "—", "—", why))
    composite, usage = row.report.composite, row.report.model_usage
    score = "—" if composite.score is None else points(composite.score)
    cost = dollars(usage.cost) if usage else "—"
    return table_row((markdown_code(row.path), score, for_markdown(composite.confidence_label), cost, why))


def render(report: ScoreReport) -> str:
    """The whole document, with a final newline."""
    blocks = [_head(report)]
    for title, rows in (
        *_trials(report),
        ("Dimensions", _dimensions(report)),
        ("Members", _members(report)),
        *_layers(report),
        ("Rating", (f"- {for_markdown(line)}" for line in rating_lines(report))),
        ("Not measured", (f"- {for_markdown(line)}" for line in unmeasured_lines(report))),
        ("Errors", _findings(report, layout.errors(report))),
        ("Anti-patterns", _findings(report, report.anti_patterns)),
        ("Portability", _portability(report)),
        ("Other findings", _findings(report, layout.others(report))),
        ("Context cost", _cost(report)),
        ("What it asks of its host", _host(report)),
        ("What the models used", (f"- {for_markdown(line)}" for line in usage_lines(report))),
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
        f"{composite.confidence_label} at depth `{report.depth.name}` · {report.kind} {markdown_code(report.path)}",
    ]
    if report.composite.ci_lower is not None:
        from plugin_eval_ci.report.trials.layout import interval_words

        lines[-1] += f" · {interval_words(report)} (sampling error only; not validity)"
    count = len(report.anti_patterns)
    if count and not is_measured_plugin(report):
        lines[-1] += f" · × {composite.anti_pattern_penalty:.2f} for {many(count, 'anti-pattern')}"
    return "\n".join(lines)


def _trials(report: ScoreReport) -> Iterator[tuple[str, Iterator[str]]]:
    """The matrix and the plots of depth measured; a static score loads nothing of them."""
    if report.confusion is not None or len(report.layers) > 1:
        from plugin_eval_ci.report.trials.text import blocks

        yield from blocks(report)


def _dimensions(report: ScoreReport) -> Iterator[str]:
    rows = [
        (row.name, f"{row.weight * 100:.0f} %", points(row.score * 100), row.grade or "—", "")
        if row.score is not None
        else (row.name, f"{row.weight * 100:.0f} %", "—", "—", f"not measured: {for_markdown(row.reason or '')}")
        for row in report.composite.dimensions
    ]
    yield from table(("Dimension", "Weight", "Score", "Grade", "Note"), rows)


def _members(report: ScoreReport) -> Iterator[str]:
    rows = [_member(member) for member in report.members]
    yield from table(("Name", "Kind", "Composite", "Static layer", "Errors and anti-patterns"), rows)
    if rows and report.composite.score is not None:
        yield ""
        yield for_markdown(layout.mean_note(report, points(report.composite.score)))


def _member(member: ScoreReport) -> tuple[str, ...]:
    composite, static = member.composite.score, static_of(member)
    said = [for_markdown(text) for text in (layout.marks(member), layout.agent_note(member)) if text]
    return (
        for_markdown(member.name),
        member.kind,
        "—" if composite is None else points(composite),
        "—" if static is None else f"{static.score:.4f}",
        "; ".join(said),
    )


def _layers(report: ScoreReport) -> Iterator[tuple[str, Iterator[str]]]:
    """Each layer's score and what it is made of; a plugin's stands with the members that it is the mean of."""
    for layer in report.layers if report.kind != "plugin" else ():
        yield f"{title_of(layer.layer)} layer score: {layer.score:.4f}", _layer(layer)


def _layer(layer: Measurement) -> Iterator[str]:
    yield from table(("Sub-score", "Value"), [(score.name, f"{score.score:.4f}") for score in layer.sub_scores])
    for number, line in enumerate(layer_lines(layer)):
        yield f"{'' if number else chr(10)}- {for_markdown(line)}"


def _findings(report: ScoreReport, findings: Sequence[Finding]) -> Iterator[str]:
    return (finding_line(finding, layout.place(finding, report)) for finding in findings)


def finding_line(finding: Finding, place: str) -> str:
    """A finding as a list item."""
    weight = f" ({finding.weight * 100:.0f} %)" if finding.weight is not None else ""
    fix = f" *Fix:* {for_markdown(finding.fix)}" if finding.fix else ""
    head = f"- {finding.severity.word} **{for_markdown(finding.rule)}**{weight} {markdown_code(place)}"
    return f"{head}: {for_markdown(finding.message)}.{fix}"


def _portability(report: ScoreReport) -> Iterator[str]:
    yield from _findings(report, tuple(portability(report.findings)))
    if note := layout.portability_note(report):
        yield ""
        yield for_markdown(note)


def _cost(report: ScoreReport) -> Iterator[str]:
    cost = report.context_cost
    if cost is not None:
        bundle = f"{cost.bundle:,}" if cost.complete else f"more than {cost.bundle:,}"
        yield f"Estimated tokens: installed {cost.installed:,}, activated {cost.activated:,}, bundle {bundle}."
        for line in listing_lines(cost.listing) if cost.listing else ():
            yield f"- {for_markdown(line)}"


def _host(report: ScoreReport) -> Iterator[str]:
    for label, words in needs_rows(report.host):
        yield f"- {label}: {', '.join(markdown_code(word) for word in words)}"


def _changes(report: ScoreReport) -> Iterator[str]:
    changes = first_changes(report)
    if changes:
        yield "Points gained by each change on its own:"
        yield ""
    for number, change in enumerate(changes, 1):
        more = layout.also(change)
        where = markdown_code(layout.spot(change, report)) + (f" {for_markdown(more)}" if more else "")
        yield f"{number}. **{change.gain}** {for_markdown(change.advice)} At {where}."
