"""A gate as Markdown: the part of a comment, and of a step's summary."""

from __future__ import annotations

from plugin_eval_ci.report import gate_words as words
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.rows import Block, fit, written
from plugin_eval_ci.spending import dollars
from plugin_eval_ci.trials.gated import Gated, Row

LIMIT = 60_000  # bytes: a comment holds 65,536 characters
_LONGEST = 400  # characters of a reason
_ICONS = {"regression": "❌", "below the floor": "❌", "fine": "✅", "above the floor": "✅"}


def render(gated: Gated, limit: int = LIMIT) -> str:
    """At most ``limit`` bytes, with a final newline."""
    head = f"### Triggering: {for_markdown(words.headline(gated))}"
    rows = [row for row in gated.rows if row.change != "unchanged"]
    lines, hidden = written(rows, limit // 2, _row)
    table = "| Skill | Verdict | Base | Head | Points [95 % bounds] | Why |\n| --- | --- | --- | --- | --- | --- |"
    blocks = [Block(head), *([Block(table, lines, more=_more, hidden=hidden)] if lines else [])]
    foot = [f"- {for_markdown(note[:_LONGEST])}" for note in words.notes(gated)]
    if gated.made:
        cost = f"; {gated.spent.calls:,} calls, {dollars(gated.spent.cost)}" if gated.spent.models else ""
        foot.append(f"- {for_markdown(words.method(gated) + cost)}")
    foot.append(f"- {words.ABOUT}")
    return fit([*blocks, Block("\n".join(foot))], limit)


def _more(count: int) -> str:
    return f"\n{many(count, 'more skill')} left out here."


def _row(row: Row) -> str:
    verdict = words.verdict(row)
    sides = f"{words.rate(row.base)} | {words.rate(row.head)}"
    why = for_markdown(words.reason(row)[:_LONGEST])
    said = f"{_ICONS.get(verdict, '⚠️')} {verdict}"
    return f"| {markdown_code(row.skill)} | {said} | {sides} | {words.moved(row.decision)} | {why} |"
