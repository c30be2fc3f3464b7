"""What the composite of a skill rests on, drawn again: prompts, tasks, and judges with their samples."""

from __future__ import annotations

from plugin_eval_ci import stats
from plugin_eval_ci.measure.measurement import Measurement, Unmeasured
from plugin_eval_ci.stats import Draws, Source
from plugin_eval_ci.trials.help_numbers import VOTES
from plugin_eval_ci.trials.help_values import Helped
from plugin_eval_ci.trials.numbers import Triggering
from plugin_eval_ci.trials.sources import of_judges, of_prompts, of_tasks
from plugin_eval_ci.trials.values import Unmeasurable

LAYER = "trials"
NORM = 8_000  # tokens that a task takes more with a skill, at which its efficiency is 0
_Key = tuple[str, str]


def efficiency(extra: float) -> float:
    """Of the tokens that a task takes more."""
    return min(1.0, max(0.0, 1 - extra / NORM))


def draws_of(
    seed: int,
    measured: Triggering | Unmeasurable,
    helped: Helped | Unmeasurable,
    judged: Measurement | Unmeasured,
    resamples: int = 2_000,
) -> Draws[_Key] | None:
    """By layer and dimension; None where nothing can vary, and without scipy."""
    if not stats.available():
        return None
    sources: list[Source[_Key]] = []
    if isinstance(measured, Triggering):
        sources.append(of_prompts(measured, (LAYER, "triggering_accuracy"), (LAYER, "robustness")))
    if isinstance(helped, Helped):
        votes = VOTES * sum(one.pairs for one in helped.by_task)
        tasks = [(one.share, one.extra_tokens) for one in helped.by_task]
        sources.append(of_tasks(tasks, (LAYER, "output_quality"), (LAYER, "token_efficiency"), efficiency, votes))
    if isinstance(judged, Measurement) and judged.details is not None and judged.details.judge is not None:
        for one in judged.details.judge.dimensions:
            scores = [model.scores for model in one.models if model.scores]
            if one.score is not None and scores:
                sources.append(of_judges(scores, ("judge", one.name)))
    return stats.draws(sources, seed, resamples) if sources else None
