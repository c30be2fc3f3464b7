"""The summary's table of skills that models were asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.rows import Block, fit, written
from plugin_eval_ci.report.score_text import points
from plugin_eval_ci.score_report import ScoreReport
from plugin_eval_ci.spending import dollars

_LONGEST = 300  # characters of a reason


class Row(NamedTuple):
    """One skill. ``report`` is None where no model was asked; ``why`` says what is missing, empty where all was measured."""

    path: str
    report: ScoreReport | None
    why: str

    @property
    def complete(self) -> bool:
        """Whether everything was measured that the depth asks for."""
        return self.report is not None and not self.why


def render(rows: Sequence[Row], depth: str, spent: str, limit: int) -> str:
    """A heading and the table, at most ``limit`` bytes. ``spent`` is a sum in words."""
    asked = many(sum(row.report is not None for row in rows), "skill")
    head = f"## plugin-eval: {asked} at depth `{depth}`, {spent}\n\nExperimental: models were asked. Each skill is scored by itself."
    lines, hidden = written(rows, limit, _row)
    table = "| Skill | Composite | Label | Cost | Missing |\n| --- | --- | --- | --- | --- |"
    return fit([Block(head), *([Block(table, lines, more=_more, hidden=hidden)] if lines else [])], limit)


def _more(count: int) -> str:
    return f"\n{many(count, 'more skill')} left out here; the files of the run hold them all."


def _row(row: Row) -> str:
    why = for_markdown(row.why[:_LONGEST])
    if row.report is None:
        return f"| {markdown_code(row.path)} | — | — | — | {why} |"
    composite, usage = row.report.composite, row.report.model_usage
    score = "—" if composite.score is None else points(composite.score)
    cost = dollars(usage.cost) if usage else "—"
    return f"| {markdown_code(row.path)} | {score} | {for_markdown(composite.confidence_label)} | {cost} | {why} |"
