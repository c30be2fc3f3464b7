"""Model calls of a command: options, the judge file, the layers, notes about missing answers, estimates."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from plugin_eval_ci.commands.files import refuse_unwritable_folder
from plugin_eval_ci.commands.json_input import json_of
from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.commands.model_options import ModelOptions, refuse_wrong_calls
from plugin_eval_ci.config import Config
from plugin_eval_ci.errors import DoneError, MeasurementError, UsageError
from plugin_eval_ci.evals.layers.judge import caveats_of, measurement_of, sample_of, summarize_samples, visible_text
from plugin_eval_ci.evals.layers.rating import PAIR_TASKS, pair
from plugin_eval_ci.evals.llm.anthropic import CollectedError, ShardedError, open_ask, problem_of
from plugin_eval_ci.evals.llm.prompt_templates import rubrics
from plugin_eval_ci.evals.llm.request import StopError
from plugin_eval_ci.model import Skill
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.scoring.dimensions import LAYERS, depth_named
from plugin_eval_ci.scoring.layer_details import Details, JudgedDimension, JudgeDetails
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults, PairResult, dimensions_of, nothing_measured
from plugin_eval_ci.scoring.spending import Estimate, dollars
from plugin_eval_ci.util.json_values import DamagedError, Json, as_number, as_object, as_text

if TYPE_CHECKING:
    from plugin_eval_ci.commands.elo import ReferenceSet
    from plugin_eval_ci.evals.layers import Result
    from plugin_eval_ci.evals.llm.anthropic import Options

_T = TypeVar("_T")


def run_asking(main: Callable[[], Coroutine[object, object, _T]]) -> _T:
    """The result of ``main``. Raises ``MeasurementError`` if no call can succeed or a batch is unfinished, ``DoneError`` after a shard."""
    while True:
        try:
            return asyncio.run(main())
        except CollectedError:
            say("the answers of the batch have arrived; continuing")
        except ShardedError as done:
            raise DoneError(str(done)) from None
        except StopError as error:
            raise MeasurementError(str(error)) from None


_MOST_BYTES = 1_000_000
_HEAD = ("schema_version", "rubrics", "judge", "skill", "sha256")
_FROM_FILE = "the judge layer was read from a file, which alone says who judged and how"


def read_judge_file(file: str, skill: Skill) -> Measurement | Unmeasured:
    """The judge layer in a file. Raises ``UsageError`` for a file that cannot be read, is damaged, or is about another skill."""
    try:
        return _layer(as_object(json_of(file, _MOST_BYTES), "the file"), file, skill)
    except DamagedError as error:
        raise UsageError(f"--judge-file {file}: {error}") from None


def _layer(document: Json, file: str, skill: Skill) -> Measurement | Unmeasured:
    known = {question.dimension for question in rubrics().questions}
    for key in document:
        if key not in known and key not in _HEAD:
            raise DamagedError(f"unknown key {key[:40]!r}")
    if as_number(document.get("schema_version"), "schema_version") != 1:
        raise DamagedError("schema_version must be 1")
    _check_skill(document, file, skill)
    who, version = as_text(document.get("judge"), "judge"), as_text(document.get("rubrics"), "rubrics")
    dimensions = tuple(_dimension(question.dimension, document, skill, who) for question in rubrics().questions)
    caveats = (_FROM_FILE, *_version_caveats(version), *caveats_of(dimensions, 1))
    return measurement_of(dimensions, Details(caveats, judge=JudgeDetails("file", version, 1, dimensions)))


def _dimension(name: str, document: Json, skill: Skill, who: str) -> JudgedDimension:
    if document.get(name) is None:
        return JudgedDimension(name, None, (), "not in the file")
    sample = sample_of(name, as_object(document[name], name), visible_text(skill), name, who)
    return summarize_samples(name, [sample])


def _check_skill(document: Json, file: str, skill: Skill) -> None:
    if digest := as_text(document.get("sha256"), "sha256"):
        with open(skill.source.file, "rb") as stream:
            if hashlib.sha256(stream.read()).hexdigest() != digest.lower():
                raise DamagedError(f"{skill.source.path} has changed since it was judged (sha256 differs)")
        return
    named = as_text(document.get("skill"), "skill")
    places = [os.path.join(base, named) for base in (".", skill.root, os.path.dirname(os.path.abspath(file)))]
    mine = (os.path.realpath(skill.source.file), os.path.realpath(os.path.dirname(skill.source.file)))
    if not named or not any(os.path.realpath(place) in mine for place in places):
        raise DamagedError(f"is about {named[:80]!r}, not about {skill.source.path}")


def _version_caveats(version: str) -> Iterator[str]:
    if version != rubrics().version:
        yield f"judged with the rubric of {version[:40] or 'an unknown date'}; the current one is of {rubrics().version}"


EXPERIMENTAL = "experimental: models measure the {layers}; read the caveats before you rely on the numbers"
_IN_CACHE = (
    "the cassette lacks answers that are in this machine's cache; use --record instead of --replay to add them for free"
)


class Outcome(NamedTuple):
    """The results of the layers. ``hindered``: no model could be called, because a package or a key is missing."""

    asked: ModelResults
    hindered: bool = False
    interrupted: bool = False


def run_layers(skill: Skill, depth: str, asking: ModelOptions, config: Config) -> Outcome:
    """Run the layers of a depth other than the static one. Raises ``MeasurementError`` if no call can succeed."""
    judged = read_judge_file(asking.judge_file, skill) if asking.judge_file else None
    layers = [layer for layer in depth_named(depth).layers if layer != "static" and not (layer == "judge" and judged)]
    if not layers:
        return Outcome(ModelResults(depth_named(depth), (judged,) if judged else ()))
    options = options_of(asking, config)
    if why := problem_of(options):
        missing = nothing_measured(depth, why)._replace(unrated=why if asking.rating else "")
        given = tuple(judged if layer.layer == "judge" and judged else layer for layer in missing.layers)
        return Outcome(missing._replace(layers=given), hindered=True)
    titles = " layer and the ".join(LAYERS[layer].title for layer in layers)
    say(EXPERIMENTAL.format(layers=f"{titles} layer"))
    field = _reference_set(skill, asking)
    asked, lacking, interrupted = _run(skill, depth, asking, options, judged, field)
    if asking.replay and lacking.cells:
        estimate = _run(skill, depth, asking, options._replace(replay=False, estimate=True), judged, field)[1]
        lacks = f"{estimate.cells} answers are not recorded; recording them costs about {dollars(estimate.cost)}"
        say(f"stale: {lacks if estimate.cells else _IN_CACHE}")
    return Outcome(asked, interrupted=interrupted)


def estimate_of(skill: Skill, depth: str, asking: ModelOptions, config: Config) -> Estimate:
    """The calls without a recorded answer, and their likely cost. Nothing is sent."""
    judged = read_judge_file(asking.judge_file, skill) if asking.judge_file else None
    return _run(skill, depth, asking, options_of(asking, config), judged, _reference_set(skill, asking))[1]


def estimate_text(estimate: Estimate, what: str) -> str:
    """An estimate as a line, escaped."""
    what = for_terminal(what)
    if not estimate.cells:
        return f"{what}: nothing would be sent: all answers are recorded, or there is nothing to ask\n"
    return (
        f"{what}: {estimate.cells} calls to {for_terminal(', '.join(estimate.models))}, about {estimate.tokens:,} input tokens; "
        f"about {dollars(estimate.cost)}, at most {dollars(estimate.at_most)}\n"
    )


def options_of(asking: ModelOptions, config: Config) -> Options:
    """The options of the client. Raises ``UsageError`` for options that cannot be used, before anything is sent."""
    from plugin_eval_ci.evals.llm.anthropic import Options

    refuse_wrong_calls(asking)
    options = Options.from_environ(os.environ).configured(config)
    if asking.keys is not None:
        options = options._replace(key=asking.keys.key.value, token=asking.keys.token.value)
    options = options._replace(
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
    if options.sends and options.cache and problem_of(options) is None:
        refuse_unwritable_folder(options.cache, "PLUGIN_EVAL_CACHE")
    return options


def notes_of(asked: ModelResults) -> tuple[str, ...]:
    """One sentence for each incomplete layer: what is missing, why, and what the result is."""
    label = f"the result is {asked.ran.label} (depth {asked.ran.name})"
    notes = []
    for layer in asked.unmeasured:
        dimensions = ", ".join(dimensions_of([layer.layer], asked.depth.name))
        notes.append(f"the {LAYERS[layer.layer].title} layer did not measure ({dimensions}): {layer.reason}; {label}")
    for measured in asked.measured:
        if measured.details is not None and not measured.details.complete:
            why = _missing_parts(measured.details) or "calls were not made"
            notes.append(f"the {LAYERS[measured.layer].title} layer is incomplete: {why}; {label}")
    if asked.unrated:
        notes.append(f"the skill was not rated: {asked.unrated}")
    return tuple(notes)


def _missing_parts(details: Details) -> str:
    """Which part of the trials is missing, and why; empty for other layers and for complete trials."""
    trials = details.trials
    if trials is None:
        return ""
    parts = (("triggering", trials.untriggered), ("help", trials.unhelped))
    return "; ".join(f"{part} was not measured ({why})" for part, why in parts if why)


def _run(
    skill: Skill, depth: str, asking: ModelOptions, options: Options, judged: Result | None, field: ReferenceSet | None
) -> tuple[ModelResults, Estimate, bool]:
    from plugin_eval_ci.evals.layers import model_layers

    async def main() -> tuple[ModelResults, Estimate, bool]:
        async with open_ask(options) as client:
            client.expect(calls_of(depth, asking.judges, judged is not None) + (field.calls if field else 0))
            asked = await model_layers(skill, depth, client.ask, asking.judges, asking.seed, judged)
            if field is not None:
                from plugin_eval_ci.commands.elo import with_rating

                asked = await with_rating(asked, field, client.ask)
            return asked._replace(usage=client.usage()), client.stale(), client.interrupted

    return run_asking(main)


def _reference_set(skill: Skill, asking: ModelOptions) -> ReferenceSet | None:
    if asking.rating is None:
        return None
    from plugin_eval_ci.commands.elo import field_of

    return field_of(skill, asking.rating)


def calls_of(depth: str, judges: int, judged: bool = False) -> int:
    """Number of calls of a depth if each succeeds at once."""
    wanted = depth_named(depth)
    asked = 4 * judges if "judge" in wanted.layers and not judged else 0
    return asked + (1 + wanted.runs if wanted.runs else 0)


class PairOutcome(NamedTuple):
    """The comparison, or None and a ``reason``. ``code``: 3 if not compared, 130 if interrupted, else 0."""

    paired: PairResult | None
    reason: str = ""
    code: int = 0


def pairwise_outcome(first: Skill, second: Skill, asking: ModelOptions, config: Config) -> PairOutcome:
    """Compare both on the same tasks. Raises ``MeasurementError`` if no call can succeed."""
    options = options_of(asking, config)
    if why := problem_of(options):
        return PairOutcome(None, why, 3)
    found, _, interrupted = _run_pair(first, second, options)
    if isinstance(found, Unmeasured):
        return PairOutcome(None, found.reason, 130 if interrupted else 3)
    return PairOutcome(found, "", 130 if interrupted else 0)


def pairing_estimate(first: Skill, second: Skill, asking: ModelOptions, config: Config) -> str:
    """The estimate of the calls, in words. Nothing is sent."""
    return estimate_text(_run_pair(first, second, options_of(asking, config))[1], "both on the same tasks")


def _run_pair(first: Skill, second: Skill, options: Options) -> tuple[PairResult | Unmeasured, Estimate, bool]:
    from plugin_eval_ci.commands.elo import contender_of

    a, b = contender_of(first), contender_of(second)
    if a.key == b.key:  # from two repositories
        a, b = a._replace(key=f"A {a.key}"), b._replace(key=f"B {b.key}")

    async def main() -> tuple[PairResult | Unmeasured, Estimate, bool]:
        async with open_ask(options) as client:
            client.expect(2 + 8 * PAIR_TASKS)
            return await pair(a, b, client.ask), client.stale(), client.interrupted

    return run_asking(main)
