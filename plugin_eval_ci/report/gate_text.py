"""A gate for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.report import gate_words as words
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.score_layout import width_of_output, wrapped
from plugin_eval_ci.report.style import paint
from plugin_eval_ci.spending import dollars
from plugin_eval_ci.trials.gated import Gated, Row

_COLORS = {"regression": "31", "below the floor": "31", "fine": "32", "above the floor": "32"}


def render(gated: Gated, color: bool, width: int | None = None) -> str:
    """The whole text, with a final newline; ``width`` is the terminal's unless given."""
    broad = width or width_of_output()
    lines = [paint(words.headline(gated), "1", color)]
    rows = [row for row in gated.rows if row.change != "unchanged"]
    for row in rows:
        lines += ["", *_row(row, color, broad)]
    if same := len(gated.rows) - len(rows):
        lines += ["", f"Listed as before, so not tried: {many(same, 'skill')}."]
    if notes := words.notes(gated):
        lines += ["", *(wrapped("  ", for_terminal(note), broad) for note in notes)]
    if gated.made:
        lines += ["", *_foot(gated, broad)]
    return "\n".join(lines) + "\n"


def _row(row: Row, color: bool, width: int) -> Iterator[str]:
    verdict = words.verdict(row)
    name = f"{for_terminal(row.skill)} ({words.change(row)})"
    yield f"{paint(verdict, _COLORS.get(verdict, '33'), color)}  {name}"
    if row.base is not None and row.head is not None:
        yield f"  right {words.rate(row.base)} -> {words.rate(row.head)}: {words.moved(row.decision)} points"
    elif row.head is not None:
        yield f"  right {words.rate(row.head)}"
    if why := words.reason(row):
        yield wrapped("  ", for_terminal(why), width)


def _foot(gated: Gated, width: int) -> Iterator[str]:
    cost = f"; {many(gated.spent.calls, 'call')}, {dollars(gated.spent.cost)}" if gated.spent.models else ""
    yield wrapped("", for_terminal(words.method(gated) + cost), width)
    yield wrapped("", words.ABOUT, width)
