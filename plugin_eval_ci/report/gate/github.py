"""A gate as Markdown: the part of a comment, and of a step's summary."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.evals.trials.gate import GateResult, GateRow
from plugin_eval_ci.report.escape import for_markdown, for_terminal, markdown_code
from plugin_eval_ci.report.gate import text as words
from plugin_eval_ci.report.lint.github import PER_LEVEL
from plugin_eval_ci.report.size_limit import Block, fit_blocks, write_rows
from plugin_eval_ci.report.tables import table_head, table_row
from plugin_eval_ci.report.words import many
from plugin_eval_ci.report.workflow_commands import MESSAGE_LIMIT, break_command, command, plain
from plugin_eval_ci.scoring.spending import dollars


def render_annotations(gated: GateResult) -> str:
    """One workflow command a line, after the verdict as plain text."""
    lines = [plain(words.headline(gated))]
    for level, rows in (("error", (*gated.regressions, *gated.unmeasured)), ("warning", gated.undecided)):
        lines += list(_commands(level, rows))
    return "".join(f"{line}\n" for line in lines)


def _commands(level: str, rows: tuple[GateRow, ...]) -> Iterator[str]:
    for row in rows[:PER_LEVEL]:
        said = (
            f"{row.skill}: {words.rate(row.base)} -> {words.rate(row.head)}"
            f", {words.points_moved(row.decision)} points; {words.reason_of(row)}"
        )
        title = f"triggering: {words.verdict_of(row)}"
        yield command(level, [("file", row.path), ("title", title)], break_command(for_terminal(said))[:MESSAGE_LIMIT])
    if len(rows) > PER_LEVEL:
        yield plain(f"{len(rows) - PER_LEVEL:,} more not shown, because GitHub limits annotations")


LIMIT = 60_000  # bytes: a comment holds 65,536 characters
_LONGEST = 400  # characters of a reason
_ICONS = {"regression": "❌", "below the floor": "❌", "fine": "✅", "above the floor": "✅"}


def render_markdown(gated: GateResult, limit: int = LIMIT) -> str:
    """At most ``limit`` bytes, with a final newline."""
    head = f"### Triggering: {for_markdown(words.headline(gated))}"
    rows = [row for row in gated.rows if row.change != "unchanged"]
    lines, hidden = write_rows(rows, limit // 2, _row)
    table = table_head(("Skill", "Verdict", "Base", "Head", "Points [95 % bounds]", "Why"))
    blocks = [Block(head), *([Block(table, lines, more=_more, hidden=hidden)] if lines else [])]
    foot = [f"- {for_markdown(note[:_LONGEST])}" for note in words.gate_notes(gated)]
    if gated.made:
        cost = f"; {gated.spent.calls:,} calls, {dollars(gated.spent.cost)}" if gated.spent.models else ""
        foot.append(f"- {for_markdown(words.method(gated) + cost)}")
    foot.append(f"- {words.ABOUT}")
    return fit_blocks([*blocks, Block("\n".join(foot))], limit)


def _more(count: int) -> str:
    return f"\n… and {many(count, 'more skill')}."


def _row(row: GateRow) -> str:
    verdict = words.verdict_of(row)
    why = for_markdown(words.reason_of(row)[:_LONGEST])
    marked = f"{_ICONS.get(verdict, '⚠️')} {verdict}"
    moved = words.points_moved(row.decision)
    return table_row((markdown_code(row.skill), marked, words.rate(row.base), words.rate(row.head), moved, why))
