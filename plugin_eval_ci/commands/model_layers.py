"""Asking models on behalf of a command: options, what hinders it, the calls, what a replay lacks and what an estimate counts."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from plugin_eval_ci.commands.json_input import json_of
from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.commands.model_options import ModelOptions, refuse_wrong_calls
from plugin_eval_ci.config import Config
from plugin_eval_ci.errors import DoneError, MeasurementError, UsageError
from plugin_eval_ci.evals.layers.judge import caveats_of, measurement_of, sample_of, summarize_samples, visible_text
from plugin_eval_ci.evals.llm.anthropic import CollectedError, ShardedError
from plugin_eval_ci.evals.llm.prompt_templates import rubrics
from plugin_eval_ci.evals.llm.request import StopError
from plugin_eval_ci.model import Skill
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.scoring.dimensions import LAYERS, depth_named
from plugin_eval_ci.scoring.layer_details import Details, JudgedDimension, JudgeDetails
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults, dimensions_of, nothing_measured
from plugin_eval_ci.scoring.spending import Estimate, dollars
from plugin_eval_ci.util.json_values import DamagedError, Json, as_number, as_object, as_text

if TYPE_CHECKING:
    from plugin_eval_ci.commands.elo import ReferenceSet
    from plugin_eval_ci.evals.layers import Result
    from plugin_eval_ci.evals.llm.anthropic import Options
    from plugin_eval_ci.scoring.layer_details import Details

_T = TypeVar("_T")


def run_asking(main: Callable[[], Coroutine[object, object, _T]]) -> _T:
    """What ``main`` gives. Raises ``MeasurementError`` when no call can succeed, or answers are still to come, and ``DoneError`` when this
    was a shard."""
    while True:
        try:
            return asyncio.run(main())
        except CollectedError:
            say("answers of a batch have come; going on")
        except ShardedError as done:
            raise DoneError(str(done)) from None
        except StopError as error:
            raise MeasurementError(str(error)) from None


_MOST_BYTES = 1_000_000
_HEAD = ("schema_version", "rubrics", "judge", "skill", "sha256")
_FROM_FILE = "the judge layer was read from a file: who judged, and how, is what the file says"


def read_judge_file(file: str, skill: Skill) -> Measurement | Unmeasured:
    """The judge layer as a file has it. Raises ``UsageError`` for a file that cannot be read, is damaged, or is about another skill."""
    try:
        return _layer(as_object(json_of(file, _MOST_BYTES), "the file"), file, skill)
    except DamagedError as error:
        raise UsageError(f"{file}: {error}") from None


def _layer(document: Json, file: str, skill: Skill) -> Measurement | Unmeasured:
    known = {question.dimension for question in rubrics().questions}
    for key in document:
        if key not in known and key not in _HEAD:
            raise DamagedError(f"{key[:40]!r} is no key of it")
    if as_number(document.get("schema_version"), "schema_version") != 1:
        raise DamagedError("schema_version must be 1")
    _same_skill(document, file, skill)
    who, version = as_text(document.get("judge"), "judge"), as_text(document.get("rubrics"), "rubrics")
    dimensions = tuple(_dimension(question.dimension, document, skill, who) for question in rubrics().questions)
    caveats = (_FROM_FILE, *_of_version(version), *caveats_of(dimensions, 1))
    return measurement_of(dimensions, Details(caveats, judge=JudgeDetails("file", version, 1, dimensions)))


def _dimension(name: str, document: Json, skill: Skill, who: str) -> JudgedDimension:
    if document.get(name) is None:
        return JudgedDimension(name, None, (), "the file does not say anything about it")
    sample = sample_of(name, as_object(document[name], name), visible_text(skill), name, who)
    return summarize_samples(name, [sample])


def _same_skill(document: Json, file: str, skill: Skill) -> None:
    if digest := as_text(document.get("sha256"), "sha256"):
        with open(skill.source.file, "rb") as stream:
            if hashlib.sha256(stream.read()).hexdigest() != digest.lower():
                raise DamagedError(f"{skill.source.path} has changed since it was judged (sha256 differs)")
        return
    named = as_text(document.get("skill"), "skill")
    places = [os.path.join(base, named) for base in (".", skill.root, os.path.dirname(os.path.abspath(file)))]
    mine = (os.path.realpath(skill.source.file), os.path.realpath(os.path.dirname(skill.source.file)))
    if not named or not any(os.path.realpath(place) in mine for place in places):
        raise DamagedError(f"it is about {named[:80]!r}, not about {skill.source.path}")


def _of_version(version: str) -> Iterator[str]:
    if version != rubrics().version:
        yield f"judged by the rubric of {version[:40] or 'an unknown day'}; the present one is of {rubrics().version}"


EXPERIMENTAL = "experimental: models are asked for the {layers}, whose numbers mean no more than their caveats say"
_IN_CACHE = "the cassette lacks answers that this machine's cache has: --record in place of --replay adds them and costs nothing"


class Outcome(NamedTuple):
    """``hindered``: no model could be asked at all, for want of a package or a key. ``interrupted``: by the user."""

    asked: ModelResults
    hindered: bool = False
    interrupted: bool = False


def asked_about(skill: Skill, depth: str, asking: ModelOptions, config: Config) -> Outcome:
    """Run what the depth runs beside the static layer. Raises ``MeasurementError`` when no call can succeed."""
    judged = read_judge_file(asking.judge_file, skill) if asking.judge_file else None
    layers = [layer for layer in depth_named(depth).layers if layer != "static" and not (layer == "judge" and judged)]
    if not layers:
        return Outcome(ModelResults(depth_named(depth), (judged,) if judged else ()))
    from plugin_eval_ci.evals.llm.anthropic import problem_of

    options = options_of(asking, config)
    if why := problem_of(options):
        missing = nothing_measured(depth, why)._replace(unrated=why if asking.rating else "")
        given = tuple(judged if layer.layer == "judge" and judged else layer for layer in missing.layers)
        return Outcome(missing._replace(layers=given), hindered=True)
    titles = " layer and the ".join(LAYERS[layer].title for layer in layers)
    say(EXPERIMENTAL.format(layers=f"{titles} layer"))
    field = _field(skill, asking)
    asked, lacking, interrupted = _run(skill, depth, asking, options, judged, field)
    if asking.replay and lacking.cells:
        estimate = _run(skill, depth, asking, options._replace(replay=False, estimate=True), judged, field)[1]
        lacks = f"{estimate.cells} answers are not recorded; to record them costs about {dollars(estimate.cost)}"
        say(f"stale: {lacks if estimate.cells else _IN_CACHE}")
    return Outcome(asked, interrupted=interrupted)


def estimate_of(skill: Skill, depth: str, asking: ModelOptions, config: Config) -> Estimate:
    """What would be asked that no record answers, and about what it would cost. Nothing is sent."""
    judged = read_judge_file(asking.judge_file, skill) if asking.judge_file else None
    return _run(skill, depth, asking, options_of(asking, config), judged, _field(skill, asking))[1]


def in_words(estimate: Estimate, what: str) -> str:
    """An estimate as a line, escaped."""
    what = for_terminal(what)
    if not estimate.cells:
        return f"{what}: nothing would be sent; every answer is recorded already, or there is nothing to ask about\n"
    return (
        f"{what}: {estimate.cells} calls to {for_terminal(', '.join(estimate.models))}, about {estimate.tokens:,} tokens to read; "
        f"about {dollars(estimate.cost)}, at most {dollars(estimate.at_most)}\n"
    )


def options_of(asking: ModelOptions, config: Config) -> Options:
    """What the client needs to know. Raises ``UsageError`` for options that cannot be used together."""
    from plugin_eval_ci.evals.llm.anthropic import Options

    refuse_wrong_calls(asking)
    options = Options.from_environ(os.environ).configured(config)
    if asking.keys is not None:
        options = options._replace(key=asking.keys.key.value, token=asking.keys.token.value)
    return options._replace(
        concurrency=asking.concurrency or options.concurrency,
        cassette=asking.cassette,
        record=asking.record,
        more=asking.more,
        batch=asking.batch,
        wait_until=None if asking.wait is None else time.monotonic() + asking.wait,
        shard=asking.shard,
        replay=asking.replay,
        estimate=asking.estimate,
        max_cost=asking.max_cost,
        seed=asking.seed,
        deadline=asking.deadline,
        progress=not (asking.replay or asking.estimate),
        signals=True,
    )


def notes_of(asked: ModelResults) -> tuple[str, ...]:
    """One sentence for each layer that did not do all that it should: what is missing, why, and what the result is."""
    label = f"the result is {asked.ran.label} (depth {asked.ran.name})"
    notes = []
    for layer in asked.unmeasured:
        dimensions = ", ".join(dimensions_of([layer.layer], asked.depth.name))
        notes.append(f"the {LAYERS[layer.layer].title} layer did not measure ({dimensions}): {layer.reason}; {label}")
    for measured in asked.measured:
        if measured.details is not None and not measured.details.complete:
            why = _missing(measured.details) or "calls were not made"
            notes.append(f"the {LAYERS[measured.layer].title} layer is not complete: {why}; {label}")
    if asked.unrated:
        notes.append(f"the skill was not rated: {asked.unrated}")
    return tuple(notes)


def _missing(details: Details) -> str:
    """Which part of trials is missing, and why; empty for other layers, and where both are there."""
    trials = details.trials
    if trials is None:
        return ""
    parts = (("triggering", trials.untriggered), ("help", trials.unhelped))
    return "; ".join(f"{part} was not measured ({why})" for part, why in parts if why)


def _run(
    skill: Skill, depth: str, asking: ModelOptions, options: Options, judged: Result | None, field: ReferenceSet | None
) -> tuple[ModelResults, Estimate, bool]:
    from plugin_eval_ci.evals.layers import model_layers
    from plugin_eval_ci.evals.llm.anthropic import open_ask

    async def main() -> tuple[ModelResults, Estimate, bool]:
        async with open_ask(options) as client:
            client.expect(calls_of(depth, asking.judges, judged is not None) + (field.calls if field else 0))
            asked = await model_layers(skill, depth, client.ask, asking.judges, asking.seed, judged)
            if field is not None:
                from plugin_eval_ci.commands.elo import with_rating

                asked = await with_rating(asked, field, client.ask)
            return asked._replace(usage=client.usage()), client.stale(), client.interrupted

    return run_asking(main)


def _field(skill: Skill, asking: ModelOptions) -> ReferenceSet | None:
    if asking.rating is None:
        return None
    from plugin_eval_ci.commands.elo import field_of

    return field_of(skill, asking.rating)


def calls_of(depth: str, judges: int, judged: bool = False) -> int:
    """How many calls a depth makes when each succeeds at once."""
    wanted = depth_named(depth)
    asked = 4 * judges if "judge" in wanted.layers and not judged else 0
    return asked + (1 + wanted.runs if wanted.runs else 0)
