"""``labels.jsonl``: what people say of skills, one JSON object a line, on the anchors of the rubric. It corrects what judges say.

A label belongs to the text that was labelled, by its hash: a skill that was edited since has none. ``judge`` is what the judge had
said of it when it was labelled, which is what a correction learns from.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.llm.prompt_templates import ANCHORS
from plugin_eval_ci.parse.source import read_source
from plugin_eval_ci.scoring.dimensions import DIMENSIONS
from plugin_eval_ci.scoring.layer_details import Correction, JudgedDimension
from plugin_eval_ci.stats import available
from plugin_eval_ci.stats.prediction_powered import corrected_score

FILE = "evals/labels.jsonl"  # below the root of a repository
OVERALL = "composite"  # the skill as a whole
LABELLED = (*(row.name for row in DIMENSIONS), OVERALL)
LEAST_LABELS = 20  # of a dimension, before anything is corrected by them
PICKED = ("random", "informative")
_KEYS = ("skill", "dimension", "score", "who", "when", "sha256", "judge", "judged_by", "picked", "note")
_NEEDED = _KEYS[:6]
_HASH, _DAY = re.compile(r"[0-9a-f]{64}"), re.compile(r"\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])")
_MOST_LINES = 100_000
_MOST_BYTES = 1 << 25


class HumanLabel(NamedTuple):
    """What a person gave a skill. ``judge``: what the judge gave it, None where that is not known; ``judged_by``: how it was asked."""

    skill: str  # path, as reported
    dimension: str
    score: float
    who: str
    when: str
    sha256: str
    judge: float | None = None
    judged_by: str = ""
    picked: str = "random"
    line: int = 0


def read_labels(place: str, shown: str = "") -> tuple[HumanLabel, ...]:
    """The labels of a file. Raises ``UsageError`` with file (as ``shown``) and line for anything that is not as it should be."""
    file = shown or place
    if not os.path.lexists(place):
        raise UsageError(f"{file}: no such file; create it with `plugin-eval label RESULTS --who NAME`")
    source = read_source(place, file, _MOST_BYTES)
    if source.problem is not None:
        raise UsageError(f"{file}:{source.problem.line}: {source.problem.message}")
    found: list[HumanLabel] = []
    seen: dict[tuple[str, str, str], int] = {}
    for number, line in enumerate(source.text.split("\n"), 1):
        if number > _MOST_LINES:
            raise UsageError(f"{file}:{number}: more than {_MOST_LINES:,} lines")
        if not line.strip():
            continue
        label = _label(line, file, number)
        key = (label.sha256, label.dimension, label.who)
        if key in seen:
            raise UsageError(
                f"{file}:{number}: {label.who} already labelled this on line {seen[key]}; keep only one of the two"
            )
        seen[key] = number
        found.append(label)
    return tuple(found)


def labels_near(root: str) -> tuple[HumanLabel, ...]:
    """Those of a repository; none without a file."""
    file = os.path.join(root, *FILE.split("/"))
    return read_labels(file, FILE) if os.path.isfile(file) else ()


def line_of(label: HumanLabel) -> str:
    """A label as a line of the file, without its end."""
    plain: dict[str, object] = {key: value for key, value in label._asdict().items() if key != "line"}
    if label.judge is None:
        del plain["judge"], plain["judged_by"]
    return json.dumps(plain, ensure_ascii=False)


def judge_settings(rubrics: str, panel: Sequence[str], samples: int) -> str:
    """How a judge was asked, in a few words: only what was asked alike has the same bias."""
    return f"rubric {rubrics}, {'+'.join(panel) or 'one model'}, {samples} each"


def correct_dimensions(
    dimensions: Sequence[JudgedDimension], labels: Sequence[HumanLabel], sha256: str, how: str
) -> tuple[JudgedDimension, ...]:
    """The dimensions, each with the score that people would have given where enough labels say so. Nothing is replaced.

    Only labels count whose judge was asked in the same way, and none of the skill itself.
    """
    if not available():
        return tuple(dimensions)
    return tuple(one._replace(corrected=_correction(one, labels, sha256, how)) for one in dimensions)


def pairs_of(labels: Sequence[HumanLabel], dimension: str, how: str, without: str = "") -> list[tuple[float, float]]:
    """Label and judge's score of each labelled text; where several people labelled it, their mean."""
    by_text: dict[str, list[HumanLabel]] = {}
    for label in labels:
        same = label.dimension == dimension and label.judged_by == how and label.judge is not None
        if same and label.sha256 != without:
            by_text.setdefault(label.sha256, []).append(label)
    return [
        (sum(one.score for one in group) / len(group), sum(one.judge or 0.0 for one in group) / len(group))
        for _, group in sorted(by_text.items())
    ]


def _correction(one: JudgedDimension, labels: Sequence[HumanLabel], sha256: str, how: str) -> Correction | None:
    pairs = pairs_of(labels, one.name, how, sha256)
    if one.score is None or len(pairs) < LEAST_LABELS:
        return None
    found = corrected_score(pairs, one.score)
    if found is None or found.interval is None:
        return None
    return Correction(found.value, found.interval.low, found.interval.high, len(pairs), found.interval.method)


def _label(line: str, file: str, number: int) -> HumanLabel:
    def wrong(what: str) -> UsageError:
        return UsageError(f"{file}:{number}: {what}")

    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise wrong("not valid JSON") from None
    if not isinstance(data, dict):
        raise wrong("a label must be an object")
    if unknown := [key for key in data if key not in _KEYS]:
        raise wrong(f"unknown key {unknown[0][:40]!r} in a label; known: {', '.join(_KEYS)}")
    if missing := [key for key in _NEEDED if key not in data]:
        raise wrong(f"a label needs {missing[0]}")
    for key in _KEYS:
        if key not in ("score", "judge") and not isinstance(data.get(key, ""), str):
            raise wrong(f"{key} must be text")
    if data["score"] is None:
        raise wrong("the score is missing: fill it in, or remove the line")
    if not _is_number(data["score"]) or data["score"] not in ANCHORS:
        raise wrong(f"score must be one of {', '.join(f'{one:g}' for one in ANCHORS)}")
    if data["dimension"] not in LABELLED:
        raise wrong(f"unknown dimension {data['dimension'][:40]!r}; known: {', '.join(LABELLED)}")
    if not _HASH.fullmatch(data["sha256"]):
        raise wrong("sha256 must be 64 digits of the SKILL.md's hash")
    if not _DAY.fullmatch(data["when"]):
        raise wrong("when must be a date (YYYY-MM-DD)")
    if not data["who"].strip() or not data["skill"].strip():
        raise wrong("who and skill must not be empty")
    judge = data.get("judge")
    if judge is not None and not (_is_number(judge) and 0 <= judge <= 1):
        raise wrong("judge must be a number from 0 to 1")
    if (picked := data.get("picked", "random")) not in PICKED:
        raise wrong(f"picked must be one of {', '.join(PICKED)}")
    plain = {key: data[key] for key in _NEEDED} | {"score": float(data["score"])}
    given = None if judge is None else float(judge)
    return HumanLabel(**plain, judge=given, judged_by=data.get("judged_by", ""), picked=picked, line=number)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
