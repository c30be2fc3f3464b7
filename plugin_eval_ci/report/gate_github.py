"""A gate as workflow commands: an annotation on each skill that is no better than it should be."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.report import gate_words as words
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.lint_github import PER_LEVEL
from plugin_eval_ci.report.workflow import MESSAGE_LIMIT, broken, command, plain
from plugin_eval_ci.trials.gated import Gated, Row


def render(gated: Gated) -> str:
    """One command a line, and the verdict as a line that is none."""
    lines = [plain(words.headline(gated))]
    for level, rows in (("error", (*gated.regressions, *gated.unmeasured)), ("warning", gated.undecided)):
        lines += list(_commands(level, rows))
    return "".join(f"{line}\n" for line in lines)


def _commands(level: str, rows: tuple[Row, ...]) -> Iterator[str]:
    for row in rows[:PER_LEVEL]:
        said = f"{row.skill}: {words.rate(row.base)} -> {words.rate(row.head)}, {words.moved(row.decision)} points; {words.reason(row)}"
        title = f"triggering: {words.verdict(row)}"
        yield command(level, [("file", row.path), ("title", title)], broken(for_terminal(said))[:MESSAGE_LIMIT])
    if len(rows) > PER_LEVEL:
        yield plain(f"{len(rows) - PER_LEVEL:,} more than GitHub shows as annotations")
