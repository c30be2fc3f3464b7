"""``plugin-eval label RESULTS``: a person scores what tells most, without being shown what the judge said."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Sequence
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.json_input import results_in
from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.evals.llm.prompt_templates import ANCHORS, rubrics
from plugin_eval_ci.evals.trials.calibration import Item, calibrate, items_of, pick
from plugin_eval_ci.evals.trials.human_labels import LABELLED, HumanLabel, line_of, read_labels
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.trials import labels as calibration
from plugin_eval_ci.report.words import many


def run_calibrate(files: Sequence[str], labels: str, output: str, threshold: float, seed: int, out: TextIO) -> int:
    """0; 2 for files that are not what they should be; 3 when no score has three labels."""
    found = calibrate(results_in(files), read_labels(labels), threshold, seed)
    if found.stale:
        say(f"{many(found.stale, 'label')} of a text that none of these results is about, or that was edited since")
    if not found.rows:
        raise MeasurementError(f"{labels}: no score has labels of three skills; `plugin-eval label` asks for more")
    out.write(calibration.as_json(found) if output == "json" else calibration.as_text(found))
    return 0


_ANSWERS = {f"{anchor:g}": anchor for anchor in ANCHORS}
_PLAIN = "How good is the skill in this dimension? 0 useless, 0.25 poor, 0.5 usable, 0.75 good, 1 as a specialist would have it."


class LabelOptions(NamedTuple):
    """What is asked for: ``labels`` to add to, ``output`` for a file to fill in, ``who`` labels."""

    labels: str
    output: str | None
    who: str
    number: int
    dimensions: tuple[str, ...]
    threshold: float
    seed: int


def run(files: Sequence[str], wanted: LabelOptions, ask: TextIO, out: TextIO) -> int:
    """0, also when the person stops; 2 for files or options that do not fit; 3 when there is nothing to label."""
    there = read_labels(wanted.labels) if os.path.exists(wanted.labels) else ()
    done = {(label.sha256, label.dimension) for label in there if not wanted.who or label.who == wanted.who}
    results = results_in(files)
    if gone := sum(not result.sha256 for result in results):
        say(f"{many(gone, 'skill')} of these results not found here: run this where they lie")
    chosen = pick(items_of(results, wanted.dimensions or LABELLED, done, wanted.threshold), wanted.number, wanted.seed)
    if not chosen:
        raise MeasurementError("there is nothing to label: no skill that is here, or everything is labelled")
    if wanted.output is not None:
        lines = "".join(_open_line(item, wanted.who) + "\n" for item in chosen)
        if wanted.output == "-":
            out.write(lines)
            return 0
        _write(wanted.output, lines, "x")
        say(f"{wanted.output}: {many(len(chosen), 'line')}; give each a score and append them to {wanted.labels}")
        return 0
    if not ask.isatty():
        raise UsageError("this is no terminal: --output FILE writes what is to be labelled")
    if not wanted.who.strip():
        raise UsageError("--who NAME: whose labels these are")
    return _asked(chosen, wanted, ask, out)


def _asked(chosen: Sequence[Item], wanted: LabelOptions, ask: TextIO, out: TextIO) -> int:
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
    """A line whose score is still to be given."""
    plain = json.loads(line_of(_label(item, 0.0, who)))
    return json.dumps(plain | {"score": None}, ensure_ascii=False)


def _write(file: str, text: str, mode: str) -> None:
    """Append, beginning a new line where the last one has no end; or make a file that is not there yet."""
    try:
        os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
        whole = mode == "x" or not os.path.exists(file) or _ends_line(file)
        with open(file, mode, encoding="utf-8") as stream:
            stream.write(text if whole else "\n" + text)
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from None


def _ends_line(file: str) -> bool:
    with open(file, "rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - 1))
        return size == 0 or stream.read() == b"\n"
