"""Does the interval of a composite hold it: prompts, tasks and judges whose truth is known, by the functions that are shipped."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import fsum
from typing import NamedTuple

from simulated_plugin import Nature, Skills, beta, plugin, trials_of, truth_of
from stats_trials import ONE, TURNS, Held, Tally

from plugin_eval_ci.dimensions import DEPTHS
from plugin_eval_ci.measure.measurement import DimensionValue, Measurement
from plugin_eval_ci.score import composite_of
from plugin_eval_ci.stats import Source, joint
from plugin_eval_ci.trials.numbers import Triggering, triggering
from plugin_eval_ci.trials.sources import of_judges, of_prompts, of_tasks

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
NORM = 8_000  # extra tokens that are worth no point any more
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
        sources = draw_sources(design, f"{seed} {repetition}")
        if sources is None:
            continue
        span = joint(sources, straight, repetition, RESAMPLES)
        seen = {name: value for source in sources for name, value in source.values(source.items).items()}
        assert span is not None
        assert abs(straight(seen) - composite(seen)) < 0.02
        tally.span(span.low, span.high, truth)
    return WholeRow(design, truth, tally.result)


def composite(values: Mapping[Key, float]) -> float:
    """On 0-100, by the methodology."""
    static = Measurement("static", 0.0, (), tuple(DimensionValue(*one) for one in STATIC.items()))
    layers = {"static": static}
    for layer in ("judge", "trials"):
        said = tuple(DimensionValue(name, value) for (of, name), value in values.items() if of == layer)
        layers[layer] = Measurement(layer, 0.0, (), said)
    score = composite_of(MEASURED, layers, 0).score
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
    found["trials", "token_efficiency"] = 1 - design.tokens / NORM
    return found


def draw_sources(design: Whole, seed: str) -> list[Source[Key]] | None:
    """One run of everything."""
    prompts, habits = plugin(design.skills, seed)
    measured = triggering(trials_of(prompts, habits, Nature(), 3, TURNS, seed), ONE[0])
    if not isinstance(measured, Triggering):
        return None
    draw = random.Random(f"{seed} {design}")
    tasks = []
    for _ in range(design.tasks):
        chance = beta(draw, design.wins, 0.4)
        share = sum(draw.random() < chance for _ in range(2)) / 2
        tasks.append((share, design.tokens * draw.lognormvariate(0, 0.6)))
    return [
        of_prompts(measured, ("trials", "triggering_accuracy"), ("trials", "robustness")),
        of_tasks(tasks, ("trials", "output_quality"), ("trials", "token_efficiency"), lambda cost: 1 - cost / NORM),
        *(of_judges(draw_judges(design, draw), ("judge", name)) for name in JUDGED),
    ]


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
