"""The judge layer at depth ``measured``: every question to several models, several times each, with their evidence checked.

A dimension is the mean of the models' means, so that no model counts more because more of its answers were usable. An answer none of
whose quotes stands in what the judge saw counts as no answer. Judges of one family share their blind spots: a panel makes the noise of
sampling smaller, not what they all believe.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from statistics import stdev

from plugin_eval_ci.evals.layers.judge import (
    CODE,
    TRIGGERING,
    answer_of,
    caveats_of,
    code_text,
    measurement_of,
    request_of,
    seen_text,
    summarize_samples,
)
from plugin_eval_ci.evals.llm.prompt_templates import rubrics
from plugin_eval_ci.evals.llm.request import Ask, Outcome, Request, Tier, ask_all, count_outcomes, was_skipped
from plugin_eval_ci.evals.trials.human_labels import HumanLabel, correct_dimensions, judge_settings, labels_near
from plugin_eval_ci.evals.trials.values import LEAST_USABLE
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.dimensions import clamp
from plugin_eval_ci.scoring.layer_details import Details, JudgedDimension, JudgeDetails, JudgeScores, Sample
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured

PANEL: tuple[Tier, ...] = ("haiku", "sonnet", "opus")
SAMPLES = 2  # of each question from each model: one says nothing about a model's own noise
UNSUPPORTED = "unsupported: none of its quotes occurs in the text"
NO_CODE = "the skill has no code to judge"
_LIKELY = {TRIGGERING: 450, "output_quality": 400}  # tokens of an answer, a guess, for estimates
_LIKELY_ANSWER = 220
_ALWAYS = (
    "all models of the panel are of one family: a panel reduces sampling noise, but not shared bias",
    "nothing was run, and the results that output_quality rates are imagined",
    "triggering_accuracy: one model wrote the messages, said what they are for, and predicted the choice",
)


async def panel_layer(
    skill: Skill,
    ask: Ask,
    models: Sequence[str] = PANEL,
    samples: int = SAMPLES,
    labels: Sequence[HumanLabel] | None = None,
) -> Measurement | Unmeasured:
    """Ask every model every question, ``samples`` times. A dimension of which less than three quarters of the answers are usable is
    unmeasured; so is the layer without any. ``labels`` of people, of any skills, correct a dimension where there are enough; without
    that argument those of the skill's repository do. Raises ``UsageError`` for a damaged file of them, before anything is asked."""
    known = labels_near(skill.root) if labels is None else labels
    requests = requests_of(skill, models)
    cells = [(name, model, request, n) for n in range(samples) for name, model, request in requests]
    outcomes = await ask_all(ask, ((request, sample) for _, _, request, sample in cells))
    answered: dict[str, list[Sample]] = {name: [] for name, _, _ in requests}
    for (name, model, _, _), outcome in zip(cells, outcomes, strict=True):
        answered[name].append(verify_quotes(_answer(skill, name, outcome))._replace(asked=model))
    dimensions = [panel_scores(name, found, models) for name, found in answered.items()]
    if CODE not in answered:
        dimensions.append(JudgedDimension(CODE, None, (), NO_CODE))
    if known:
        how = judge_settings(rubrics().version, models, samples)
        dimensions = [*correct_dimensions(dimensions, known, sha256_of(skill), how)]
    details = Details(
        (*_ALWAYS, *_caveats(skill, dimensions, samples * len(models))),
        count_outcomes(outcomes),
        not any(was_skipped(one) for one in outcomes),
        judge=JudgeDetails("model", rubrics().version, samples, tuple(dimensions), tuple(models)),
    )
    return measurement_of(dimensions, details)


def requests_of(skill: Skill, models: Sequence[str]) -> list[tuple[str, str, Request]]:
    """Dimension, model and request; about code only where there is some."""
    rubric = rubrics()
    questions = (*rubric.questions, *(one for one in rubric.at_measured if one.dimension != CODE or code_text(skill)))
    return [
        (
            one.dimension,
            model,
            request_of(skill, one)._replace(model=model, likely=_LIKELY.get(one.dimension, _LIKELY_ANSWER)),
        )
        for one in questions
        for model in models
    ]


def sha256_of(skill: Skill) -> str:
    """Of the bytes of a SKILL.md as they are on disk; empty when it cannot be read."""
    try:
        with open(skill.source.file, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""


def calls_of(skill: Skill, models: Sequence[str] = PANEL, samples: int = SAMPLES) -> int:
    """How many calls a panel makes when each succeeds at once."""
    return len(requests_of(skill, models)) * samples


def verify_quotes(sample: Sample) -> Sample:
    """The sample; without its score when it quotes and nothing of it is there."""
    if sample.score is not None and sample.quotes and len(sample.not_found) == len(sample.quotes):
        return sample._replace(score=None, why=UNSUPPORTED)
    return sample


def panel_scores(name: str, samples: Sequence[Sample], models: Sequence[str]) -> JudgedDimension:
    """What a panel says about a dimension."""
    plain = summarize_samples(name, samples)
    by_model = tuple(_of_model(model, [one for one in samples if one.asked == model]) for model in models)
    there = [one.mean for one in by_model if one.mean is not None]
    usable = sum(len(one.scores) for one in by_model)
    if usable < LEAST_USABLE * len(samples) or not there:
        why = (
            f"{len(samples) - usable} of {len(samples)} answers are unusable; mostly {plain.why or _commonest(samples)}"
        )
        return plain._replace(score=None, why=why, low=None, high=None, deviation=None, models=by_model)
    return plain._replace(
        score=clamp(fsum(there) / len(there)),
        deviation=stdev(there) if len(there) > 1 else None,
        models=by_model,
        majority=majority([one.score for one in samples]),
    )


def majority(scores: Sequence[float | None]) -> float | None:
    """The anchor that more than half of all gave who were asked: who gave none votes for no other."""
    given = Counter(score for score in scores if score is not None).most_common(1)
    return given[0][0] if given and 2 * given[0][1] > len(scores) else None


def _of_model(model: str, samples: Sequence[Sample]) -> JudgeScores:
    return JudgeScores(model, tuple(one.score for one in samples if one.score is not None), len(samples))


def _answer(skill: Skill, name: str, outcome: Outcome) -> Sample:
    return answer_of(name, outcome, seen_text(skill, name))


def _commonest(samples: Sequence[Sample]) -> str:
    reasons = Counter(one.why for one in samples if one.score is None and one.why)
    return reasons.most_common(1)[0][0] if reasons else "no answer"


def _caveats(skill: Skill, dimensions: Sequence[JudgedDimension], asked: int) -> Iterable[str]:
    size, seen = len(skill.source.text), rubrics().visible_characters
    if size > seen:
        yield f"the judges saw the first {seen:,} of {size:,} characters of SKILL.md"
    yield from caveats_of(dimensions, asked)
    for one in dimensions:
        void = sum(sample.why == UNSUPPORTED for sample in one.samples)
        if void:
            yield f"{one.name}: {void} of {len(one.samples)} answers quoted only text that is not there, and count as no answer"
        means = [model.mean for model in one.models if model.mean is not None]
        if len(means) > 1 and max(means) - min(means) >= 0.5:
            yield f"{one.name}: the models differ by {max(means) - min(means):.2f}"
