"""Trials as GitHub Markdown: who takes whose prompts, and intervals on one scale."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.measure.trialled import Confusion
from plugin_eval_ci.report.escape import for_markdown
from plugin_eval_ci.report.trial_layout import (
    Forest,
    forests,
    headings,
    listing_words,
    percent,
    row_name,
    thefts,
)
from plugin_eval_ci.report.trial_lines import drawn
from plugin_eval_ci.score_report import ScoreReport


def blocks(report: ScoreReport) -> Iterator[tuple[str, Iterator[str]]]:
    """Titles and lines."""
    if report.confusion is not None:
        yield "Who takes whose prompts", _matrix(report.confusion)
    for forest in forests(report):
        yield forest.title, _forest(forest)


def _matrix(confusion: Confusion) -> Iterator[str]:
    heads = [for_markdown(head) for head in headings(confusion)]
    yield "In %; a row: whose prompts; a column: what was chosen."
    yield ""
    yield f"| Prompts of | {' | '.join(heads)} | Prompts |"
    yield f"| --- |{' --: |' * (len(heads) + 1)}"
    for row in confusion.rows:
        name = for_markdown(row_name(confusion, row.skill))
        if row.cells:
            cells = [
                f"**{percent(cell)}**" if column == row.skill else percent(cell)
                for column, cell in zip(confusion.columns, row.cells, strict=True)
            ]
            yield f"| {name} | {' | '.join(cells)} | {row.prompts} |"
        else:
            yield f"| {name} (not measured: {for_markdown(row.reason)}) |{' |' * (len(heads) + 1)}"
    yield ""
    for line in (*thefts(confusion), *listing_words(confusion)):
        yield f"- {for_markdown(line)}"


def _forest(forest: Forest) -> Iterator[str]:
    if forest.note:
        yield f"{for_markdown(forest.note[:1].upper() + forest.note[1:])}."
        yield ""
    yield f"| | 95 % interval, {forest.low:g} to {forest.high:g} | |"
    yield "| --- | --- | --- |"
    for one in forest.lines:
        plot = drawn(forest, one.span.value, one.span.low, one.span.high)
        yield f"| {for_markdown(one.name)} | `{plot}` | {for_markdown(one.text)} |"
