"""Answers of a judge by type, from a model or from a file: read, held to the anchors, recomputed. The shapes of both are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plugin_eval_ci.ask import Json
from plugin_eval_ci.fitting import closed
from plugin_eval_ci.json_values import DamagedError, as_list, as_object, as_text
from plugin_eval_ci.measure.details import Prediction, Rated, Sample
from plugin_eval_ci.measure.wording import ANCHORS, Rubrics

TRIGGERING, OUTPUT = "triggering_accuracy", "output_quality"
_SPAN = re.compile(r"[\"“”«]([^\"“”«»]{1,400})[\"”»]")
_LEAST_WORDS = 3  # of a quotation inside a reason: shorter ones are terms
_TEXT: Json = {"type": "string"}
_SCORE: Json = {"type": "number", "enum": list(ANCHORS)}


def schema_of(dimension: str, rubrics: Rubrics) -> Json:
    """What a model's answer must fit; reasons come before scores."""
    if dimension == TRIGGERING:
        count = rubrics.should_trigger + rubrics.should_not_trigger
        one = closed(message=_TEXT, intended={"type": "boolean"}, chosen={"type": "boolean"})
        predictions: Json = {"type": "array", "items": one, "minItems": count, "maxItems": count}
        return closed(predictions=predictions, f1={"type": "number", "minimum": 0, "maximum": 1})
    if dimension == OUTPUT:
        task = closed(task=_TEXT, reason=_TEXT, score=_SCORE)
        return closed(tasks={"type": "array", "items": task, "minItems": rubrics.tasks, "maxItems": rubrics.tasks})
    quotes: Json = {"type": "array", "items": _TEXT, "maxItems": 3}
    return closed(reason=_TEXT, quotes=quotes, score=_SCORE)


def sample_of(dimension: str, data: Json, visible: str, where: str = "the answer", model: str = "") -> Sample:
    """An answer about a dimension. Raises ``DamagedError`` for one that is not of its shape."""
    if dimension == TRIGGERING:
        return _triggering(data, where)._replace(model=model)
    if dimension == OUTPUT:
        tasks = tuple(
            _rated(as_object(one, f"{where}.tasks[{n}]"), f"{where}.tasks[{n}]")
            for n, one in enumerate(as_list(data.get("tasks"), f"{where}.tasks"))
        )
        if not tasks:
            raise DamagedError(f"{where}.tasks is empty")
        score = sum(task.score for task in tasks) / len(tasks)
        return Sample(score, model=model, tasks=tasks)
    reason = as_text(data.get("reason"), f"{where}.reason")
    listed = tuple(as_text(one, f"{where}.quotes") for one in as_list(data.get("quotes"), f"{where}.quotes"))
    quotes = listed or quoted_in(reason)
    missing = tuple(quote for quote in quotes if not holds(visible, quote))
    return Sample(_anchor(data.get("score"), f"{where}.score"), "", model, reason, quotes, missing)


def f1_of(predictions: Sequence[Prediction]) -> float | None:
    """F1 of what was chosen against what was intended; None where neither ever holds."""
    hits = sum(one.intended and one.chosen for one in predictions)
    either = sum(one.intended for one in predictions) + sum(one.chosen for one in predictions)
    return 2 * hits / either if either else None


def quoted_in(reason: str) -> tuple[str, ...]:
    """The quotations in a reason that are long enough to be one."""
    return tuple(span for span in _SPAN.findall(reason) if len(span.split()) >= _LEAST_WORDS)


def holds(visible: str, quote: str) -> bool:
    """Whether a text holds a quotation, blanks and line ends apart; a quotation may leave out words with "…" or "..."."""
    text, at = _plain(visible), 0
    for piece in re.split(r"…|\.\.\.", quote):
        words = _plain(piece).strip(" .")
        at = text.find(words, at)
        if at < 0:
            return False
        at += len(words)
    return True


def _plain(text: str) -> str:
    return " ".join(word for line in text.splitlines() for word in line.removeprefix("| ").split()).casefold()


def _triggering(data: Json, where: str) -> Sample:
    rows = as_list(data.get("predictions"), f"{where}.predictions")
    predictions = tuple(
        _prediction(as_object(row, f"{where}.predictions[{n}]"), f"{where}.predictions[{n}]")
        for n, row in enumerate(rows)
    )
    said = data.get("f1")
    f1 = None if said is None else _number(said, f"{where}.f1")
    intended = sum(one.intended for one in predictions)
    if not 0 < intended < len(predictions):
        return Sample(None, "it needs messages that the skill is for and messages that it is not for", "", f1=f1)
    return Sample(f1_of(predictions), predictions=predictions, f1=f1)


def _prediction(row: Json, where: str) -> Prediction:
    intended, chosen = row.get("intended"), row.get("chosen")
    if not isinstance(intended, bool) or not isinstance(chosen, bool):
        raise DamagedError(f"{where} needs intended and chosen, each true or false")
    return Prediction(as_text(row.get("message"), f"{where}.message"), intended, chosen)


def _rated(row: Json, where: str) -> Rated:
    task, reason = as_text(row.get("task"), f"{where}.task"), as_text(row.get("reason"), f"{where}.reason")
    return Rated(task, reason, _anchor(row.get("score"), f"{where}.score"))


def _anchor(value: object, where: str) -> float:
    number = _number(value, where)
    if number not in ANCHORS:
        raise DamagedError(f"{where} must be one of {', '.join(f'{one:g}' for one in ANCHORS)}")
    return number


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise DamagedError(f"{where} must be a number from 0 to 1")
    return float(value)
