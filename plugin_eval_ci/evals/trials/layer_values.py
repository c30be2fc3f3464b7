"""From trials, help and judges to the layers of one skill: scores, what reports show, and what the interval of the composite draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import fsum
from statistics import median
from typing import NamedTuple, TypeVar

from plugin_eval_ci import stats
from plugin_eval_ci.evals.trials.catalogue import Catalogue
from plugin_eval_ci.evals.trials.controls import Control as Known
from plugin_eval_ci.evals.trials.controls import Mutation
from plugin_eval_ci.evals.trials.lift.numbers import VOTES, LiftResult
from plugin_eval_ci.evals.trials.method import method_of
from plugin_eval_ci.evals.trials.report_values import label_source, lift_details, shown_list, trigger_result
from plugin_eval_ci.evals.trials.triggering.numbers import NOT_MADE, Row, Triggering, trials_about, triggering_numbers
from plugin_eval_ci.evals.trials.triggering.run import Control
from plugin_eval_ci.evals.trials.values import Labels, Settings, Trial, Unmeasurable
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.dimensions import DIMENSIONS, clamp, depth_named
from plugin_eval_ci.scoring.layer_details import Details, SkillTrials
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement, SubScore, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults
from plugin_eval_ci.stats import Draws, Estimate, Interval, Source, clustered_wilson, median_of

_Name = TypeVar("_Name", bound=Hashable)


def of_prompts(measured: Triggering, f1: _Name, agreement: _Name) -> Source[_Name]:
    """Families of prompts, which F1 and the agreement of runs rest on; positive ones, negative ones and mixed ones apart."""
    clusters: dict[str, list[Row]] = {}
    for row in measured.rows:
        clusters.setdefault(row.prompt.cluster, []).append(row)
    strata: dict[tuple[bool, ...], list[tuple[float, ...]]] = {}
    for _, rows in sorted(clusters.items()):
        item = _sums(rows, measured.skill)
        strata.setdefault((item[1] > 0, item[3] > 0), []).append(item)

    def values(items: Sequence[Sequence[float]]) -> Mapping[_Name, float]:
        hits, positives, false, _, alike, pairs = (fsum(one) for one in zip(*items, strict=True))
        found = {}
        if measured.f1 is not None and positives:
            found[f1] = 2 * hits / (hits + false + positives)
        if measured.agreement is not None and pairs:
            found[agreement] = max(0.0, 2 * alike / pairs - 1)
        return found

    return Source(
        [strata[sides] for sides in sorted(strata)],
        values,
        _known_intervals({f1: measured.f1, agreement: measured.agreement}),
    )


def of_tasks(
    tasks: Sequence[tuple[float, float]], share: _Name, tokens: _Name, score: Callable[[float], float], votes: int = 0
) -> Source[_Name]:
    """Tasks, each with its share of wins and what the skill costs more in tokens; ``score`` of the median cost, monotone. ``votes``: how
    many comparisons the shares come from."""

    def values(items: Sequence[Sequence[float]]) -> Mapping[_Name, float]:
        return {share: fsum(one[0] for one in items) / len(items), tokens: score(median(one[1] for one in items))}

    cost = median_of([one for _, one in tasks])
    intervals = _known_intervals({tokens: None if cost is None else cost.through(score)})
    wins = clustered_wilson({str(place): [one] for place, (one, _) in enumerate(sorted(tasks))}, votes)
    return Source([sorted(tasks)], values, intervals if wins is None else {**intervals, share: wins})


def of_judges(scores: Sequence[Sequence[float]], name: _Name) -> Source[_Name]:
    """Judges, each with the scores of its samples, at least one. The value is the mean of the judges' means.

    Judges are drawn whole: what differs from sample to sample makes their means differ too, and drawing samples as well would count it
    twice. Of a single judge the samples are drawn, and how far another judge would differ is not seen.
    """
    judges = [tuple(sorted(one)) for one in sorted(sorted(one) for one in scores)]
    items = [(one,) for one in judges[0]] if len(judges) == 1 else judges

    def values(items: Sequence[Sequence[float]]) -> Mapping[_Name, float]:
        return {name: fsum(fsum(one) / len(one) for one in items) / len(items)}

    return Source([items], values)


def _sums(rows: Sequence[Row], skill: str) -> tuple[float, ...]:
    """Of a cluster: rates and number of the positive prompts and of the negative ones; agreement and number of those that show it."""
    positive, negative = [row for row in rows if row.positive], [row for row in rows if not row.positive]
    alike = [row.alike for row in rows if row.alike is not None and (row.positive or row.prompt.home == skill)]
    return (
        fsum(row.rate for row in positive), len(positive),
        fsum(row.rate for row in negative), len(negative),
        fsum(alike), len(alike),
    )  # fmt: skip


def _known_intervals(estimates: Mapping[_Name, Estimate | None]) -> dict[_Name, Interval]:
    """The intervals that there are."""
    return {name: one.interval for name, one in estimates.items() if one is not None and one.interval is not None}


LAYER = "trials"
NORM = 8_000  # tokens that a task takes more with a skill, at which its efficiency is 0
_Key = tuple[str, str]


def efficiency(extra: float) -> float:
    """Of the tokens that a task takes more."""
    return min(1.0, max(0.0, 1 - extra / NORM))


def draws_of(
    seed: int,
    measured: Triggering | Unmeasurable,
    helped: LiftResult | Unmeasurable,
    judged: Measurement | Unmeasured,
    resamples: int = 2_000,
) -> Draws[_Key] | None:
    """By layer and dimension; None where nothing can vary, and without scipy."""
    if not stats.available():
        return None
    sources: list[Source[_Key]] = []
    if isinstance(measured, Triggering):
        sources.append(of_prompts(measured, (LAYER, "triggering_accuracy"), (LAYER, "robustness")))
    if isinstance(helped, LiftResult):
        votes = VOTES * sum(one.pairs for one in helped.by_task)
        tasks = [(one.share, one.extra_tokens) for one in helped.by_task]
        sources.append(of_tasks(tasks, (LAYER, "output_quality"), (LAYER, "token_efficiency"), efficiency, votes))
    if isinstance(judged, Measurement) and judged.details is not None and judged.details.judge is not None:
        for one in judged.details.judge.dimensions:
            scores = [model.scores for model in one.models if model.scores]
            if one.score is not None and scores:
                sources.append(of_judges(scores, ("judge", one.name)))
    return stats.draws(sources, seed, resamples) if sources else None


NOT_WANTED = "not requested (--no-help)"
_STUBS = (
    "not a coding agent: another system prompt, no history, no CLAUDE.md, no hooks, no servers; its tools are stubs"
)
_HELP = ("output_quality", "token_efficiency")


class SkillInputs(NamedTuple):
    """Everything about one skill. ``own``: the name it is listed by; ``missing``: why it has no labels."""

    skill: Skill
    own: str
    catalogue: Catalogue
    labels: Labels | None
    missing: str
    trials: tuple[Trial, ...]
    helped: LiftResult | Unmeasurable | None
    judged: Measurement | Unmeasured | None
    named: Control | None
    mutated: Mutation | None


def layers_of(found: SkillInputs, settings: Settings, controls: Sequence[Known]) -> ModelResults:
    """The layers of one skill at depth measured."""
    failed = {one.test: one.said for one in controls if not one.passed}
    measured = _triggering(found, failed)
    helped = _lift_result(found, failed)
    trials = _layer(found, settings, measured, helped, controls)
    judged = found.judged or Unmeasured("judge", _unlisted_reason(found))
    if isinstance(judged, Measurement) and "judge" in failed:
        judged = Unmeasured("judge", f"the test could not tell the controls apart: {failed['judge']}", judged.details)
    return ModelResults(
        depth_named("measured"), (judged, trials), draws=draws_of(settings.seed, measured, helped, judged)
    )


def _unlisted_reason(found: SkillInputs) -> str:
    problem = found.skill.source.problem
    return f"it could not be read: {problem.message}" if problem else "the model cannot choose it by its description"


def _triggering(found: SkillInputs, failed: Mapping[str, str]) -> Triggering | Unmeasurable:
    if found.own not in found.catalogue.skills:
        return Unmeasurable(_unlisted_reason(found))
    if found.missing:
        return Unmeasurable(found.missing)
    if "triggering" in failed:
        return Unmeasurable(f"the test could not tell the controls apart: {failed['triggering']}")
    if found.named is not None and found.named.passed is False:
        return Unmeasurable("it was not started even when the prompt named it, so its trials measure something else")
    return triggering_numbers(found.trials, found.own)


def _lift_result(found: SkillInputs, failed: Mapping[str, str]) -> LiftResult | Unmeasurable:
    if found.helped is None:
        return Unmeasurable(_unlisted_reason(found))
    if isinstance(found.helped, LiftResult) and "help" in failed:
        return Unmeasurable(f"the test could not tell the controls apart: {failed['help']}", found.helped.outcomes)
    return found.helped


def _layer(
    found: SkillInputs,
    settings: Settings,
    measured: Triggering | Unmeasurable,
    helped: LiftResult | Unmeasurable,
    controls: Sequence[Known],
) -> Measurement | Unmeasured:
    details = Details(
        (_STUBS, *_caveats(found, settings, helped), *_about_controls(found, controls)),
        _outcomes(found, helped),
        _complete(found, measured, helped),
        trials=_skill_trials(found, settings, measured, helped)._replace(controls=tuple(one.shown for one in controls)),
    )
    values = {name: value for name, value in _values(measured, helped).items() if value is not None}
    if not values:
        reasons = [one.reason for one in (measured, helped) if isinstance(one, Unmeasurable)]
        return Unmeasured(LAYER, "; ".join(dict.fromkeys(reasons)), details)
    weights = {row.name: row.weight for row in DIMENSIONS}
    score = fsum(weights[name] * value for name, value in values.items()) / fsum(weights[name] for name in values)
    return Measurement(
        LAYER,
        clamp(score),
        tuple(SubScore(name, value) for name, value in values.items()),
        tuple(DimensionValue(name, value) for name, value in values.items()),
        silent=tuple(
            (name, _silent(name, measured, helped)) for name in _values(measured, helped) if name not in values
        ),
        details=details,
    )


def _values(measured: Triggering | Unmeasurable, helped: LiftResult | Unmeasurable) -> dict[str, float | None]:
    """The dimensions in their order; None where nothing was measured."""
    known = None if isinstance(measured, Unmeasurable) else measured
    helps = None if isinstance(helped, Unmeasurable) else helped
    return {
        "triggering_accuracy": None if known is None or known.f1 is None else clamp(known.f1.value),
        "output_quality": None if helps is None else clamp(helps.share),
        "token_efficiency": None if helps is None else clamp(efficiency(helps.tokens.extra)),
        "robustness": None if known is None or known.agreement is None else clamp(known.agreement.value),
    }


def _silent(name: str, measured: Triggering | Unmeasurable, helped: LiftResult | Unmeasurable) -> str:
    part = helped if name in _HELP else measured
    if isinstance(part, Unmeasurable):
        return part.reason
    return "it needs prompts that the skill is right for and prompts that it is wrong for, each run more than once"


def _skill_trials(
    found: SkillInputs, settings: Settings, measured: Triggering | Unmeasurable, helped: LiftResult | Unmeasurable
) -> SkillTrials:
    labels = found.labels
    models = {"subject": settings.subject} | ({"grader": helped.grader} if isinstance(helped, LiftResult) else {})
    method = method_of(settings, {} if labels is None else {labels.skill: labels.digest}, models)
    return SkillTrials(
        found.own,
        method.digest,
        settings.mode,
        tuple(sorted({one.model for one in found.trials if one.model})),
        settings.runs,
        settings.turns,
        settings.seed,
        None if labels is None else label_source(labels),
        shown_list(found.catalogue),
        trigger_result(measured) if isinstance(measured, Triggering) else None,
        lift_details(helped) if isinstance(helped, LiftResult) else None,
        measured.reason if isinstance(measured, Unmeasurable) else "",
        helped.reason if isinstance(helped, Unmeasurable) else "",
    )


def _caveats(found: SkillInputs, settings: Settings, helped: LiftResult | Unmeasurable) -> tuple[str, ...]:
    mode = {
        "router": ("mode router asks for a choice: an upper bound of how often a skill is chosen",),
        "lean": ("mode lean has no other tools and one turn: skills are chosen more often than by a coding agent",),
    }.get(settings.mode, ())
    return (*mode, *(helped.caveats if isinstance(helped, LiftResult) else ()))


def _about_controls(found: SkillInputs, controls: Sequence[Known]) -> tuple[str, ...]:
    mutated = (found.mutated.said,) if found.mutated is not None and found.mutated.said else ()
    return (*(f"control: {one.said}" for one in controls if not one.passed), *mutated)


def _outcomes(found: SkillInputs, helped: LiftResult | Unmeasurable) -> tuple[tuple[str, int], ...]:
    counts = Counter(dict(helped.outcomes))
    counts.update("reply" if one.usable else one.result for one in trials_about(found.trials, found.own))
    return tuple(sorted(counts.items()))


def _complete(found: SkillInputs, measured: Triggering | Unmeasurable, helped: LiftResult | Unmeasurable) -> bool:
    """Whether both parts measured, as far as they were asked for, and every call was made."""
    made = not any(one.result in NOT_MADE for one in trials_about(found.trials, found.own))
    helps = helped.complete if isinstance(helped, LiftResult) else helped.reason == NOT_WANTED
    return made and helps and isinstance(measured, Triggering)
