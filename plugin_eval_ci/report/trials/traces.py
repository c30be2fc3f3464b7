"""Skill use in recorded sessions, as JSON, text and Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.evals.traces.values import TraceReport, Use
from plugin_eval_ci.report.document import Json, dump_json, json_head
from plugin_eval_ci.report.escape import for_markdown, for_terminal
from plugin_eval_ci.report.score.layout import width_of_output, wrap
from plugin_eval_ci.report.tables import table
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.spending import dollars


def render_json(traced: TraceReport) -> str:
    """The document, with a final newline."""
    lines = traced.lines
    return dump_json(
        {
            **json_head(),
            "files": {"read": traced.files, "unreadable": traced.unreadable},
            "lines": {"read": lines.read, "damaged": lines.damaged, "too_long": lines.too_long},
            "sessions": traced.sessions,
            "prompts": traced.prompts,
            "other_commands": traced.other_commands,
            "prices": traced.priced,
            "skills": [_skill(use, traced.listings) for use in traced.skills],
        }
    )


def _skill(use: Use, listings: bool) -> Json:
    return {
        "skill": use.skill,
        "listed": {"sessions": use.listed, "prompts": use.prompts_listed} if listings else None,
        "fired": use.fired,
        "by_model": use.by_model,
        "by_user": use.by_user,
        "in_subagents": use.in_subagents,
        "metered": use.metered,
        "tokens": use.tokens if use.metered else None,
        "cost": use.cost,
        "prompts": list(use.prompts),
    }


_SHOWN = 3  # prompts of a skill
HEAD = ("skill", "fired", "by the model", "by command", "prompts while listed", "tokens after", "cost")


def text(traced: TraceReport, width: int | None = None) -> str:
    """For a terminal; ``width`` is its own unless given."""
    broad = width or width_of_output()
    heads = [head.rpartition(" ")[::2] for head in HEAD]  # in two lines, for a terminal is not wide
    rows = [*zip(*heads, strict=True), *(_row(use, traced) for use in traced.skills)]
    widths = [max(len(for_terminal(row[at])) for row in rows) for at in range(len(HEAD))]
    lines = [summary(traced), ""] if traced.skills else [summary(traced)]
    for row in rows if traced.skills else ():
        first, *numbers = (for_terminal(cell) for cell in row)
        cells = [f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join((f"{first:<{widths[0]}}", *cells)).rstrip())
    for use in traced.skills:
        if use.prompts:
            lines += ["", f"{for_terminal(use.skill)} fired on:"]
            lines += [wrap("  ", for_terminal(prompt), broad) for prompt in use.prompts[:_SHOWN]]
    return "\n".join((*lines, *(f"\n{wrap('', note, broad)}" for note in notes(traced)))) + "\n"


def markdown(traced: TraceReport) -> str:
    """For a page or a comment."""
    lines = [for_markdown(summary(traced))]
    if traced.skills:
        rows = [[for_markdown(cell) for cell in _row(use, traced)] for use in traced.skills]
        lines += ["", *table(HEAD, rows, range(1, len(HEAD)))]
    for use in traced.skills:
        if use.prompts:
            lines += ["", f"{for_markdown(use.skill)} fired on:", ""]
            lines += [f"- {for_markdown(prompt)}" for prompt in use.prompts[:_SHOWN]]
    return "\n".join((*lines, *(f"\n{for_markdown(note)}" for note in notes(traced)))) + "\n"


def summary(traced: TraceReport) -> str:
    """What was read."""
    parts = [many(traced.files, "file"), many(traced.sessions, "session"), many(traced.prompts, "prompt")]
    if traced.lines.damaged or traced.lines.too_long:
        parts.append(f"{traced.lines.damaged + traced.lines.too_long:,} of {many(traced.lines.read, 'line')} not read")
    if traced.unreadable:
        parts.append(f"{many(traced.unreadable, 'file')} not read")
    fired = sum(use.fired for use in traced.skills)
    return f"{', '.join(parts)}; skills fired {many(fired, 'time')}"


def notes(traced: TraceReport) -> Sequence[str]:
    """Limits of the numbers."""
    found = []
    if not traced.listings:
        found.append("The sessions do not record the skill listing, so how often a skill could have fired is unknown.")
    if any(use.metered for use in traced.skills):
        found.append(
            "Tokens and cost cover the messages after a skill fires, to the end of its turn. If several skills fire in a turn, each "
            f"counts them. Prices as of {traced.priced}."
        )
    if traced.other_commands:
        what = many(traced.other_commands, "slash command")
        found.append(f"Not counted: {what} that may or may not name a skill. Use --skill NAME to count one.")
    return found


def _row(use: Use, traced: TraceReport) -> tuple[str, ...]:
    listed = f"{use.prompts_listed:,}" if use.listed else "0" if traced.listings else "unknown"
    tokens = f"{use.tokens:,}" if use.metered else "unknown" if use.fired else ""
    cost = dollars(use.cost) if use.fired else ""
    inner = f" ({use.in_subagents:,} by subagents)" if use.in_subagents else ""
    return use.skill, f"{use.fired:,}", f"{use.by_model:,}{inner}", f"{use.by_user:,}", listed, tokens, cost
