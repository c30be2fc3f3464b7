"""Trials on a page: the confusion matrix as a shaded table, intervals as small plots. All numbers are in the text, too."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.trials.layout import Forest, forests, headings, listing_words, percent_cell, row_name, thefts
from plugin_eval_ci.scoring.layer_details import NONE, ChoiceRow, Confusion, Span
from plugin_eval_ci.scoring.report import ScoreReport

_STEPS = 10  # shades of a cell
_SCALE = 1_000  # units of a drawing's width


def sections(report: ScoreReport) -> Iterator[tuple[str, str]]:
    """Titles and HTML."""
    if report.confusion is not None:
        yield "Confusion matrix", matrix(report.confusion)
    plots = "".join(forest(one) for one in forests(report))
    if plots:
        yield "Intervals", f'<div class="forests">{plots}</div>'


def matrix(confusion: Confusion) -> str:
    """A row for each skill's prompts, a column for each choice."""
    heads = "".join(
        f'<th scope="col" class="n"><abbr title="{for_html(_column_name(column))}">{for_html(head)}</abbr></th>'
        for column, head in zip(confusion.columns, headings(confusion), strict=True)
    )
    rows = "".join(_row(confusion, row) for row in confusion.rows)
    words = [*thefts(confusion), *listing_words(confusion)]
    notes = "".join(f"<li>{for_html(line)}</li>" for line in words)
    return (
        '<p class="under">Rows: the skill that a prompt is for. Columns: the skill that was chosen, in percent of the runs, with the 95 % '
        "interval below. Columns are numbered like the rows.</p>"
        '<div class="scroll" tabindex="0" role="region" aria-label="Table of prompts and choices"><table class="m">'
        f'<caption class="vh">Confusion matrix, in percent</caption><thead><tr><th scope="col">Prompts of</th>{heads}'
        f'<th scope="col" class="n">Prompts</th></tr></thead><tbody>{rows}</tbody></table></div>'
        + (f"<ul>{notes}</ul>" if notes else "")
    )


def _column_name(column: str) -> str:
    return "no skill" if column == NONE else column


def _row(confusion: Confusion, row: ChoiceRow) -> str:
    name = for_html(row_name(confusion, row.skill))
    if not row.cells:
        span = len(confusion.columns) + 1
        return f'<tr><th scope="row">{name}</th><td colspan="{span}">not measured: {for_html(row.reason)}</td></tr>'
    cells = "".join(
        _cell(cell, column == row.skill, column == NONE)
        for column, cell in zip(confusion.columns, row.cells, strict=True)
    )
    return f'<tr><th scope="row">{name}</th>{cells}<td class="n">{row.prompts}</td></tr>'


def _cell(cell: Span, right: bool, nobody: bool) -> str:
    shade = min(_STEPS, max(1, round(cell.value * _STEPS + 0.4))) if cell.value else 0
    sort = "hit" if right else "miss" if nobody else "theft"
    ends = ""
    if cell.low is not None and cell.high is not None and cell.value:
        ends = f"<small>{cell.low * 100:.0f}–{cell.high * 100:.0f}</small>"
    return f'<td class="n {sort} h{shade}">{percent_cell(cell)}{ends}</td>'


def forest(plot: Forest) -> str:
    """A row for each number: name, drawing, words; the scale below."""
    rows = "".join(
        f'<tr><th scope="row">{for_html(one.name)}</th><td class="f">{_drawing(plot, one.span)}</td>'
        f'<td class="n">{for_html(one.text)}</td></tr>'
        for one in plot.lines
    )
    note = f" {for_html(plot.note[:1].upper() + plot.note[1:])}." if plot.note else ""
    caption = f"<b>{for_html(plot.title)}</b>{note} 95 % intervals."
    return (
        f'<div class="forest"><table><caption>{caption}</caption><thead class="vh"><tr><th scope="col">Name</th><th scope="col">Plot'
        f'</th><th scope="col">Number and interval</th></tr></thead><tbody>{rows}</tbody>'
        f'<tfoot aria-hidden="true"><tr><td></td><td class="f"><div class="scale">{_scale(plot)}</div></td><td></td></tr></tfoot>'
        "</table></div>"
    )


def _drawing(plot: Forest, span: Span) -> str:
    parts = [f'<path class="axis" d="M0 10H{_SCALE}"/>']
    parts += [f'<path class="mark" d="M{_place(plot, at)} 0V20"/>' for at, _ in plot.marks]
    if span.low is not None and span.high is not None:
        parts.append(f'<path class="reach" d="M{_place(plot, span.low)} 10H{_place(plot, span.high)}"/>')
    parts.append(f'<path class="dot" d="M{_place(plot, span.value)} 10h.1"/>')
    return f'<svg viewBox="0 0 {_SCALE} 20" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>'


def _place(plot: Forest, value: float) -> int:
    share = (value - plot.low) / (plot.high - plot.low)
    return round(_SCALE * min(1.0, max(0.0, share)))


def _scale(plot: Forest) -> str:
    middle = (plot.low + plot.high) / 2
    return "".join(f"<span>{_mark(plot, value)}</span>" for value in (plot.low, middle, plot.high))


def _mark(plot: Forest, value: float) -> str:
    if plot.high > 1:
        return f"{value:g}"
    sign = "+" if plot.low < 0 < value else ""
    return f"{sign}{value * 100:.0f}" + (" %" if plot.low == 0 else "")
