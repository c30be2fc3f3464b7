"""What is wrong with labels, as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.trials.checked import Checked


def render(checked: Sequence[Checked]) -> str:
    """A line for each note, then one for each skill."""
    lines = []
    for one in checked:
        lines += [f"{one.file}:{note.line}: {note.level}: {note.message}" for note in one.notes]
    for one in checked:
        if not one.file:
            lines.append(f"{one.skill}: no labels; `plugin-eval triggers init` drafts some")
        elif one.broken:
            lines.append(f"{one.skill}: {one.file} cannot be used")
        else:
            what = f"{many(one.positives, 'positive')}, {many(one.negatives, 'negative')}"
            where = f"{one.file}{f' ({one.form})' if one.form else ''}"
            lines.append(f"{one.skill}: {what}, {one.reviewed} reviewed; {where}")
    return "".join(f"{for_terminal(line)}\n" for line in lines)
