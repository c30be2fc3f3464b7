"""What to change first according to the trials, and the gain: theft, misses, false triggers, and missing lift."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci.report.trials.layout import points, trials_of
from plugin_eval_ci.scoring.composite import composite_of
from plugin_eval_ci.scoring.dimensions import clamp, round_score
from plugin_eval_ci.scoring.layer_details import NONE, LiftDetails, PromptResult, SkillTrials, TriggerResult
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement
from plugin_eval_ci.scoring.report import ScoreReport

_LEAST = 0.05  # share of prompts that is worth an advice
_SHORT = 70  # characters of a prompt
_NO_HELP = 0.1  # a lift that could be this high may still be worth having


class TrialAdvice(NamedTuple):
    """An advice and the points that the composite gains when all of it succeeds."""

    gain: float
    advice: str


def findings(report: ScoreReport) -> Iterator[TrialAdvice]:
    """Of one skill; nothing without trials."""
    trials = trials_of(report)
    layer = next((one for one in report.layers if one.layer == "trials"), None)
    if trials is None or layer is None or report.composite.score is None:
        return
    if trials.triggered is not None:
        for f1, advice in _of_triggering(trials, trials.triggered):
            yield TrialAdvice(_gain(report, layer, "triggering_accuracy", f1), advice)
    if trials.helped is not None and (advice := _of_help(trials.helped)):
        helped = trials.helped
        best = (helped.wins + helped.ties / 2 + helped.losses / 2) / max(1, helped.wins + helped.ties + helped.losses)
        yield TrialAdvice(_gain(report, layer, "output_quality", best), advice)


def _of_triggering(trials: SkillTrials, found: TriggerResult) -> Iterator[tuple[float, str]]:
    """F1 without each of the faults, and what to do about it."""
    recall, false = found.rate("selection_recall"), found.rate("false_trigger_rate")
    if recall is None or false is None or not found.positives:
        return
    mix = found.negatives / found.positives
    for name, share in found.lost:
        if share < _LEAST:
            continue
        example = _example(found.prompts, True, name)
        better = f1_of(min(1.0, recall.value + share), false.value, mix)
        if name == NONE:
            yield (
                better,
                (
                    f"No skill is chosen for {share * 100:.0f} % of its prompts{example}: name such requests in the description. "
                    "If the model does well without the skill, these misses do no harm."
                ),
            )
        else:
            yield (
                better,
                (
                    f"{name} takes {share * 100:.0f} % of its prompts{example}: say in both descriptions where one ends and the other "
                    "begins."
                ),
            )
    if false.value >= _LEAST:
        example = _example(found.prompts, False, trials.skill)
        yield (
            f1_of(recall.value, 0.0, mix),
            (
                f"It triggers on {false.value * 100:.0f} % of the prompts that it is not for{example}: say in the description what it is "
                "not for."
            ),
        )


def f1_of(recall: float, false: float, mix: float) -> float:
    """F1 on expected counts; ``mix``: negative prompts for each positive one."""
    return clamp(2 * recall / (recall + 1 + mix * false)) if recall else 0.0


def _of_help(found: LiftDetails) -> str:
    """Empty if the skill helps, or may well help."""
    lift = found.lift
    if lift.high is None or lift.high > _NO_HELP:
        return ""
    cost = (
        ""
        if not found.extra_tokens or found.extra_tokens < 0
        else f", at {found.extra_tokens:,.0f} more tokens per task"
    )
    worst = next((task for task in found.tasks if task.share < 0.5), None)
    example = f'; worse on "{_cut(worst.text)}"' if worst else ""
    return (
        f"Results do not improve with it: lift {points(lift)}{cost}{example}. Keep what the model does not already know, and "
        "remove the rest."
    )


def _gain(report: ScoreReport, layer: Measurement, dimension: str, value: float) -> float:
    """What the composite gains when a dimension of the trials has another value."""
    values = tuple(DimensionValue(one.name, value if one.name == dimension else one.score) for one in layer.dimensions)
    layers = {one.layer: one for one in report.layers} | {layer.layer: layer._replace(dimensions=values)}
    after = composite_of(report.depth, layers, len(report.anti_patterns), report.elo).score or 0.0
    return max(0.0, round_score(after - (report.composite.score or 0.0)))


def _example(prompts: tuple[PromptResult, ...], positive: bool, chosen: str) -> str:
    """The prompt where it happens most, as an example; empty without one."""

    def times(one: PromptResult) -> int:
        return dict(one.others).get(chosen, 0) if positive else one.hits

    found = [one for one in prompts if one.positive is positive and times(one)]
    if not found:
        return ""
    most = max(found, key=lambda one: (times(one) / one.runs, one.id))
    return f' ("{_cut(most.text)}")'


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHORT else flat[: _SHORT - 1] + "…"
