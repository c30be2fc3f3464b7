"""``plugin-eval traces``: which skills fired in recorded sessions, and their prompts as labels."""

from __future__ import annotations

import os
from typing import TextIO

from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.load_config import say, shown_path
from plugin_eval_ci.commands.triggers import refuse_existing
from plugin_eval_ci.errors import UsageError, not_found, not_read
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.evals.traces.tally import LONGEST_PROMPT, Tally, files_in, read_file
from plugin_eval_ci.evals.traces.values import Lines, TraceReport
from plugin_eval_ci.evals.trials.labels.file import text_of
from plugin_eval_ci.evals.trials.labels.importers import labels_of_sessions
from plugin_eval_ci.report.words import many


def run(
    paths: tuple[str, ...], skills: tuple[str, ...], format: str, to_labels: str | None, force: bool, out: TextIO
) -> int:
    """Print what the records in ``paths`` hold: 0, or 2 if a path does not exist or nothing can be read."""
    if to_labels is not None:
        if len(skills) != 1:
            raise UsageError("--to-labels needs exactly one --skill, which the labels belong to")
        if to_labels != "-":
            refuse_existing(to_labels, force, "--to-labels")
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(not_found(path))
    tally, read, unreadable, lines = Tally(keep=to_labels is not None), 0, 0, Lines()
    for file in dict.fromkeys(file for path in paths for file in files_in(path)):
        try:
            if not os.path.isfile(file):
                raise OSError(0, "not a regular file")
            lines = lines.plus(read_file(file, tally))
            read += 1
        except OSError as error:
            unreadable += 1
            say(not_read(shown_path(file), error))
    if not read:
        raise UsageError(
            f"{', '.join(paths)}: no readable records (expected JSON Lines files, or folders with .jsonl files)"
        )
    wanted = frozenset(name.removeprefix("/") for name in skills)
    tally.known(wanted)
    uses = tuple(use for use in tally.uses() if not wanted or wanted & {use.skill, use.skill.rpartition(":")[2]})
    counts = (tally.sessions, tally.prompts, tally.other_commands(), tally.listings, table().date)
    traced = TraceReport(read, unreadable, lines, *counts, uses)
    if to_labels is not None:
        _write_labels(tally, skills[0].removeprefix("/"), to_labels, out)
    if to_labels != "-":
        out.write(_render(traced, format))
    return 0


def _render(traced: TraceReport, format: str) -> str:
    if format == "json":
        from plugin_eval_ci.report.trials import traces as traces_json

        return traces_json.render_json(traced)
    from plugin_eval_ci.report.trials import traces as traces_text

    return traces_text.markdown(traced) if format == "markdown" else traces_text.text(traced)


def _write_labels(tally: Tally, skill: str, file: str, out: TextIO) -> None:
    labels = labels_of_sessions(skill, ((heard.text, heard.fired, heard.listed) for heard in tally.heard.values()))
    if not labels.prompts:
        raise UsageError(f"--to-labels: no recorded prompt can become a label of {skill}")
    for note in labels.notes:
        say(note)
    if tally.long:
        say(f"skipped {many(tally.long, 'prompt')} of more than {LONGEST_PROMPT:,} characters")
    text = text_of(labels, skill.rpartition(":")[2])
    if file == "-":
        out.write(text)
        return
    write(os.path.dirname(os.path.abspath(file)), [(os.path.basename(file), text)], "--to-labels")
    say(
        f"wrote {many(len(labels.prompts), 'prompt')} to {shown_path(file)}; read them before you commit: redaction may miss secrets"
    )
