"""``plugin-eval label`` and ``calibrate``: a person scores skills without seeing the judge's scores; how well both agree."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Sequence
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.files import refuse_unwritable_folder
from plugin_eval_ci.commands.json_input import results_in
from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.errors import MeasurementError, UsageError, already_exists, not_written
from plugin_eval_ci.evals.llm.prompt_templates import ANCHORS, rubrics
from plugin_eval_ci.evals.trials.calibration import Item, calibrate, items_of, pick
from plugin_eval_ci.evals.trials.human_labels import LABELLED, HumanLabel, line_of, read_labels
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.trials import labels as calibration
from plugin_eval_ci.report.words import many


def run_calibrate(files: Sequence[str], labels: str, format: str, threshold: float, seed: int, out: TextIO) -> int:
    """Print the agreement: 0, 2 (a file of another kind) or 3 (no score has three labels)."""
    found = calibrate(results_in(files), read_labels(labels), threshold, seed)
    if found.stale:
        say(f"skipped {many(found.stale, 'label')} of texts that were edited since or are not in these results")
    if not found.rows:
        raise MeasurementError(f"{labels}: no score has labels for three skills; add some with `plugin-eval label`")
    out.write(calibration.as_json(found) if format == "json" else calibration.as_text(found))
    return 0


_ANSWERS = {f"{anchor:g}": anchor for anchor in ANCHORS}
_PLAIN = "How good is the skill in this dimension? 0 useless, 0.25 poor, 0.5 usable, 0.75 good, 1 expert."


class LabelOptions(NamedTuple):
    """The options of the command. ``labels`` is the file to add to, ``output`` a file to fill in, ``who`` the person."""

    labels: str
    output: str | None
    who: str
    number: int
    dimensions: tuple[str, ...]
    threshold: float
    seed: int


def run(files: Sequence[str], wanted: LabelOptions, ask: TextIO, out: TextIO) -> int:
    """Ask for labels: 0 (even if the person stops), 2 (a wrong file or option) or 3 (nothing to label)."""
    if wanted.output not in (None, "-"):
        _refuse_existing(wanted.output or "")
    elif wanted.output is None:
        refuse_unwritable_folder(os.path.dirname(wanted.labels) or ".", "--labels")
    there = read_labels(wanted.labels) if os.path.exists(wanted.labels) else ()
    done = {(label.sha256, label.dimension) for label in there if not wanted.who or label.who == wanted.who}
    results = results_in(files)
    if gone := sum(not result.sha256 for result in results):
        say(
            f"{many(gone, 'skill')} of these results not found here; run this command in the folder that their paths start from"
        )
    chosen = pick(items_of(results, wanted.dimensions or LABELLED, done, wanted.threshold), wanted.number, wanted.seed)
    if not chosen:
        raise MeasurementError("nothing to label: no skill found here, or all have labels already")
    if wanted.output is not None:
        lines = "".join(_open_line(item, wanted.who) + "\n" for item in chosen)
        if wanted.output == "-":
            out.write(lines)
            return 0
        _write(wanted.output, lines, "x")
        say(f"{wanted.output}: {many(len(chosen), 'line')}; add a score to each and append them to {wanted.labels}")
        return 0
    if not ask.isatty():
        raise UsageError("standard input is not a terminal; use --output FILE to write the items to a file")
    if not wanted.who.strip():
        raise UsageError("--who is missing; give the name of the person who labels")
    return _read_labels(chosen, wanted, ask, out)


def _refuse_existing(file: str) -> None:
    """Raise ``UsageError`` for a file that exists, or that cannot be created."""
    if os.path.lexists(file):
        raise UsageError(already_exists(f"--output {file}", "delete it or choose another name"))
    refuse_unwritable_folder(os.path.dirname(file) or ".", "--output")


def _read_labels(chosen: Sequence[Item], wanted: LabelOptions, ask: TextIO, out: TextIO) -> int:
    given = 0
    for number, item in enumerate(chosen, 1):
        out.write(_question(item, number, len(chosen)))
        while True:
            out.write("score (0, 0.25, 0.5, 0.75, 1; s skips, q stops): ")
            out.flush()
            line = ask.readline()
            word = line.strip().lower()
            if not line or word == "q":
                say(f"{many(given, 'label')} added to {wanted.labels}")
                return 0
            if word == "s":
                break
            if word in _ANSWERS:
                _write(wanted.labels, line_of(_label(item, _ANSWERS[word], wanted.who)) + "\n", "a")
                given += 1
                break
    say(f"{many(given, 'label')} added to {wanted.labels}")
    return 0


def _question(item: Item, number: int, of: int) -> str:
    known = {one.dimension: one for one in (*rubrics().questions, *rubrics().at_measured) if one.anchors}
    asks = f"{known[item.dimension].asks}\n{known[item.dimension].scale}" if item.dimension in known else _PLAIN
    return f"\n{number}/{of}  {for_terminal(item.path)}\n{item.dimension}: {asks}\n"


def _label(item: Item, score: float, who: str) -> HumanLabel:
    today = datetime.date.today().isoformat()
    return HumanLabel(
        item.path, item.dimension, score, who, today, item.sha256, item.judge, item.judged_by, item.picked
    )


def _open_line(item: Item, who: str) -> str:
    """A line without a score yet."""
    plain = json.loads(line_of(_label(item, 0.0, who)))
    return json.dumps(plain | {"score": None}, ensure_ascii=False)


def _write(file: str, text: str, mode: str) -> None:
    """Append, on a new line even if the last one has no line end; or create a file."""
    try:
        os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
        whole = mode == "x" or not os.path.exists(file) or _ends_line(file)
        with open(file, mode, encoding="utf-8") as stream:
            stream.write(text if whole else "\n" + text)
    except OSError as error:
        raise UsageError(not_written(file, error)) from None


def _ends_line(file: str) -> bool:
    with open(file, "rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - 1))
        return size == 0 or stream.read() == b"\n"
