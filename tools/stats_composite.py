"""Does the interval of a composite hold it: prompts, tasks and judges whose truth is known, by the functions that are shipped."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import fsum
from typing import NamedTuple

from simulated_plugin import Nature, Skills, beta, plugin, trials_of, truth_of
from stats_trials import NO_TASKS, ONE, TURNS, Held, Tally, any_skill

from plugin_eval_ci.evals.trials.layer_values import draws_of, efficiency
from plugin_eval_ci.evals.trials.lift.numbers import LiftResult, Pair, lift_of
from plugin_eval_ci.evals.trials.triggering.numbers import Triggering, triggering_numbers
from plugin_eval_ci.evals.trials.values import Settings
from plugin_eval_ci.scoring.composite import composite_of
from plugin_eval_ci.scoring.dimensions import DEPTHS
from plugin_eval_ci.scoring.layer_details import Details, JudgedDimension, JudgeDetails, JudgeScores
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement
from plugin_eval_ci.stats import ends

Key = tuple[str, str]  # layer and dimension
MEASURED = next(depth for depth in DEPTHS if depth.name == "measured")
STATIC = {
    "triggering_accuracy": 0.9, "orchestration_fitness": 0.8, "progressive_disclosure": 0.85, "token_efficiency": 0.9,
    "structural_completeness": 0.95, "ecosystem_coherence": 0.8, "code_template_quality": 1.0,
}  # fmt: skip
JUDGED = (
    "triggering_accuracy",
    "orchestration_fitness",
    "output_quality",
    "scope_calibration",
    "code_template_quality",
)
RESAMPLES = 300


class Whole(NamedTuple):
    """A design: prompts, tasks with their mean chance of a win, and judges: ``models`` that differ by ``apart`` and give ``samples`` that
    differ by ``within`` (standard deviations) around ``level``."""

    what: str
    skills: Skills = Skills(ONE)
    tasks: int = 10
    wins: float = 0.7
    models: int = 3
    samples: int = 3
    level: float = 0.75
    apart: float = 0.06
    within: float = 0.1
    tokens: float = 600.0


WHOLES = [
    Whole("good skill"),
    Whole("few prompts, few tasks", Skills(ONE, positives=8, negatives=8), tasks=6),
    Whole("near perfect", Skills(ONE, recall=0.97, false=0.02), wins=0.93, level=0.9, within=0.05),
    Whole("judges differ", apart=0.15),
]


class WholeRow(NamedTuple):
    """Coverage and width, in points of a hundred, of the interval of the composite."""

    design: Whole
    truth: float
    shipped: Held


def simulate_whole(design: Whole, repetitions: int, seed: int) -> WholeRow:
    """Draw everything, compute the composite and its interval."""
    middle = true_values(design)
    truth, slopes = composite(middle), slopes_at(middle)

    def straight(values: Mapping[Key, float]) -> float:
        return truth + fsum(slopes[name] * (value - middle[name]) for name, value in values.items())

    tally = Tally()
    for repetition in range(repetitions):
        drawn = draws_of(repetition, *draw_parts(design, f"{seed} {repetition}"), RESAMPLES)
        assert drawn is not None
        assert abs(straight(drawn.seen) - composite(drawn.seen)) < 0.02
        span = ends(drawn, straight)
        tally.span(span.low, span.high, truth)
    return WholeRow(design, truth, tally.result)


def layers_of(values: Mapping[Key, float]) -> dict[str, Measurement]:
    """The layers of a skill with these values."""
    layers = {"static": Measurement("static", 0.0, (), tuple(DimensionValue(*one) for one in STATIC.items()))}
    for layer in ("judge", "trials"):
        said = tuple(DimensionValue(name, value) for (of, name), value in values.items() if of == layer)
        layers[layer] = Measurement(layer, 0.0, (), said)
    return layers


def composite(values: Mapping[Key, float]) -> float:
    """On 0-100, by the methodology."""
    score = composite_of(MEASURED, layers_of(values), 0).score
    assert score is not None
    return score


def slopes_at(values: Mapping[Key, float]) -> dict[Key, float]:
    """What a value adds to the composite. It is a weighted mean, so this holds everywhere (every repetition compares), and sparing the
    two decimals of a score and its grades makes the simulation three times as fast."""
    return {name: (composite({**values, name: 1.0}) - composite({**values, name: 0.0})) for name in values}


def true_values(design: Whole) -> dict[Key, float]:
    """What endless prompts, tasks and judges would give."""
    skills = design.skills
    truth = truth_of(skills, Nature(), TURNS)
    found: dict[Key, float] = {("judge", name): design.level for name in JUDGED}
    found["trials", "triggering_accuracy"] = truth.f1(skills.negatives / skills.positives)
    found["trials", "robustness"] = truth.agreement
    found["trials", "output_quality"] = design.wins
    found["trials", "token_efficiency"] = efficiency(design.tokens)
    return found


def draw_parts(design: Whole, seed: str) -> tuple[Triggering, LiftResult, Measurement]:
    """One run of everything: the numbers of triggering, those of help, and the panel."""
    prompts, habits = plugin(design.skills, seed)
    measured = triggering_numbers(trials_of(prompts, habits, Nature(), 3, TURNS, seed), ONE[0])
    assert isinstance(measured, Triggering)
    draw = random.Random(f"{seed} {design}")
    pairs = []
    for task in range(design.tasks):
        chance = beta(draw, design.wins, 0.4)
        scores = [float(draw.random() < chance) for _ in range(2)]
        more = design.tokens * draw.lognormvariate(0, 0.6)
        for run, score in enumerate(scores):
            pairs.append(Pair(f"task {task:02}", run, score, "grader", tokens_with=1_000 + more, tokens_without=1_000))
    helped = lift_of(any_skill(), NO_TASKS, Settings(), "opus", pairs, (), ())
    assert isinstance(helped, LiftResult)
    judged = tuple(_judged(name, draw_judges(design, draw)) for name in JUDGED)
    values = tuple(DimensionValue(one.name, one.score) for one in judged)
    return (
        measured,
        helped,
        Measurement("judge", 0.0, (), values, details=Details(judge=JudgeDetails("model", "", 3, judged))),
    )


def _judged(name: str, scores: list[list[float]]) -> JudgedDimension:
    models = tuple(JudgeScores(str(place), tuple(one), len(one)) for place, one in enumerate(scores))
    return JudgedDimension(name, fsum(fsum(one) / len(one) for one in scores) / len(scores), (), models=models)


def draw_judges(design: Whole, draw: random.Random) -> list[list[float]]:
    """The samples of each model on the five anchors; between two of them by chance, so that the mean stays."""
    found = []
    for _ in range(design.models):
        own = _level(draw, design.level, design.apart)
        found.append([_anchor(draw, _level(draw, own, design.within)) for _ in range(design.samples)])
    return found


def _level(draw: random.Random, mean: float, sd: float) -> float:
    """A beta value with that mean and spread, as far as there is room for it."""
    return beta(draw, mean, min(0.9, sd * sd / max(mean * (1 - mean), 1e-9)))


def _anchor(draw: random.Random, level: float) -> float:
    below = int(level * 4)
    return (below + (draw.random() < level * 4 - below)) / 4
