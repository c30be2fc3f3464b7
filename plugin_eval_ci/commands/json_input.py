"""Reading the JSON of ``score`` and ``report``: the scores of each skill, which ``label`` and ``calibrate`` compare with people's."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Sequence

from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.errors import UsageError, not_json, not_output_of, not_read
from plugin_eval_ci.evals.trials.calibration import Result
from plugin_eval_ci.evals.trials.human_labels import OVERALL, judge_settings
from plugin_eval_ci.scoring.dimensions import STATIC_SUB_SCORES
from plugin_eval_ci.util.json_values import DamagedError, Json, as_list, as_object, as_text


def json_of(file: str, most: int) -> object:
    """The value in a file of at most ``most`` bytes. Raises ``UsageError`` if it cannot be read, ``DamagedError`` if it is not JSON."""
    try:
        if _is_pipe(file):
            raise UsageError(f"{file}: is a named pipe (expected a file)")
        with open(file, "rb") as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise UsageError(not_read(file, error)) from None
    if len(content) > most:
        raise DamagedError(f"larger than {most:,} bytes")
    try:
        found: object = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DamagedError(not_json(error)) from None
    return found


def _is_pipe(file: str) -> bool:
    """Whether opening it may wait forever. What a shell makes of ``<(command)`` may not: it has no name on disk."""
    try:
        return stat.S_ISFIFO(os.lstat(os.path.realpath(file)).st_mode)
    except OSError:
        return False


BLEND = "score"  # of a dimension or a skill, from all layers
_MOST_BYTES = 1 << 26
_FEEDS = {row.name: row.dimension for row in STATIC_SUB_SCORES}


def results_in(files: Sequence[str]) -> tuple[Result, ...]:
    """The skills in all files. Raises ``UsageError`` for a file of another kind."""
    found = []
    for file in files:
        try:
            document = as_object(json_of(file, _MOST_BYTES), "the file")
            if "targets" not in document and document.get("kind") in ("plugin", "agent"):
                kind = "a plugin" if document["kind"] == "plugin" else "an agent"
                say(f"{file}: skipped: it is the score of {kind}, and only skills have labels")
                continue
            found += list(_results(document, os.path.dirname(os.path.abspath(file))))
        except DamagedError as error:
            raise UsageError(not_output_of(file, str(error), "score or report")) from None
    return tuple(found)


def _results(document: Json, folder: str) -> Iterator[Result]:
    if "targets" in document:
        for one in as_list(document["targets"], "targets"):
            target = as_object(one, "a target")
            if target.get("kind") == "skill":
                scores = {
                    (name, BLEND): _number(value)
                    for name, value in as_object(target.get("dimensions"), "dimensions").items()
                }
                yield _result(target, folder, scores | _overall(target.get("score")), {}, "")
        return
    if "composite" not in document or "layers" not in document:
        raise DamagedError("no targets and no layers")
    composite = as_object(document["composite"], "composite")
    scores = _overall(composite.get("score"))
    for row in (as_object(one, "a dimension") for one in as_list(composite.get("dimensions"), "dimensions")):
        scores[as_text(row.get("name"), "name"), BLEND] = _number(row.get("score"))
    judges: dict[str, tuple[float, ...]] = {}
    how = ""
    for layer in (as_object(one, "a layer") for one in as_list(document["layers"], "layers")):
        scores |= _layer(layer)
        judge = as_object(as_object(layer.get("details"), "details").get("judge"), "judge")
        if judge:
            how = _judged_by(judge)
            judges |= _judges(judge)
            scores |= _models(judge)
    yield _result(document, folder, scores, judges, how)


def _result(
    target: Json,
    folder: str,
    scores: dict[tuple[str, str], float | None],
    judges: dict[str, tuple[float, ...]],
    how: str,
) -> Result:
    path = as_text(target.get("path"), "path")
    known = {key: value for key, value in scores.items() if value is not None}
    return Result(path, as_text(target.get("name"), "name"), _sha256(path, folder), known, judges, how)


def _layer(layer: Json) -> dict[tuple[str, str], float | None]:
    name = as_text(layer.get("layer"), "layer")
    scores = as_object(layer.get("sub_scores"), "sub_scores")
    fed = {(_FEEDS.get(key) if name == "static" else key): value for key, value in scores.items()}
    return {(key, name): _number(value) for key, value in fed.items() if key}


def _judges(judge: Json) -> dict[str, tuple[float, ...]]:
    """The score of each answer, by dimension."""
    found = {}
    for row in (as_object(one, "a dimension") for one in as_list(judge.get("dimensions"), "dimensions")):
        samples = [as_object(one, "a sample").get("score") for one in as_list(row.get("samples"), "samples")]
        found[as_text(row.get("name"), "name")] = tuple(score for one in samples if (score := _number(one)) is not None)
    return found


def _models(judge: Json) -> dict[tuple[str, str], float | None]:
    """The mean score of each model of a panel."""
    found: dict[tuple[str, str], float | None] = {}
    for row in (as_object(one, "a dimension") for one in as_list(judge.get("dimensions"), "dimensions")):
        for model in (as_object(one, "a model") for one in as_list(row.get("models"), "models")):
            listed = [score for one in as_list(model.get("scores"), "scores") if (score := _number(one)) is not None]
            key = as_text(row.get("name"), "name"), f"judge:{as_text(model.get('model'), 'model')}"
            found[key] = sum(listed) / len(listed) if listed else None
    return found


def _judged_by(judge: Json) -> str:
    panel = [as_text(one, "panel") for one in as_list(judge.get("panel"), "panel")]
    samples = judge.get("judges")
    return judge_settings(as_text(judge.get("rubrics"), "rubrics"), panel, samples if isinstance(samples, int) else 1)


def _overall(score: object) -> dict[tuple[str, str], float | None]:
    number = _number(score, 100)
    return {(OVERALL, BLEND): None if number is None else number / 100}


def _number(value: object, most: float = 1) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= most:
        raise DamagedError(f"{value} is not a score from 0 to {most:g}")
    return float(value)


def _sha256(path: str, folder: str) -> str:
    """The digest of the file that a result names, from the working directory or the folder of the result; empty without it."""
    for base in (os.getcwd(), folder):
        place = os.path.join(base, path)
        if os.path.isfile(place):
            with open(place, "rb") as stream:
                return hashlib.sha256(stream.read()).hexdigest()
    return ""
