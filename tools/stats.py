"""How often nominal 95 % intervals hold the truth, and a gate is right, on data whose truth is known.

Usage: python tools/stats.py [--repetitions N] [--seed N] [--write]
Everything is drawn from the seed: the same command prints the same tables. ``--write`` puts them into docs/statistics.md.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from math import exp, fsum, log
from pathlib import Path
from typing import NamedTuple

import generated
import numpy as np
import stats_tables

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "statistics.md"
sys.path[:0] = [str(ROOT)]

from plugin_eval_ci.stats import Duel, clopper_pearson, clustered_wilson, fit, wilson  # noqa: E402
from plugin_eval_ci.stats.bradley_terry import MEAN, POINTS  # noqa: E402

Clusters = Mapping[str, Sequence[float]]
Method = Callable[[Clusters, int], tuple[float, float]]
PROMPTS, RESAMPLES = 15, 1_000


class Design(NamedTuple):
    """15 prompts share ``runs`` as evenly as they can; ``icc``: how much runs of one prompt resemble each other, 0 to 1."""

    what: str
    runs: int
    mean: float
    icc: float

    @property
    def sizes(self) -> list[int]:
        """Runs of each prompt: all prompts in turn until the runs are used up."""
        return [len(range(place, self.runs, PROMPTS)) for place in range(PROMPTS)]


# 15 prompts repeat to 50 runs at depth deep and to 100 at thorough: the designs of the documented Monte Carlo layer.
DESIGNS = [
    *(Design("rate", runs, mean, icc) for runs in (50, 100) for mean in (0.8, 0.9) for icc in (0.0, 0.2, 0.5)),
    *(Design("failures", runs, mean, icc) for runs in (50, 100) for mean in (0.02, 0.1) for icc in (0.0, 0.5)),
    *(Design("quality", runs, mean, icc) for runs in (50, 100) for mean in (0.6, 0.9) for icc in (0.0, 0.5)),
]


def pooled(clusters: Clusters) -> list[float]:
    """All runs as if they were independent."""
    return [value for values in clusters.values() for value in values]


def drawn_again(sums: Sequence[float], sizes: Sequence[int], seed: int) -> tuple[float, float]:
    """The percentile bootstrap of stats.resampling, drawn with numpy for speed; a test compares the two."""
    places = np.random.RandomState(seed).randint(0, len(sums), (RESAMPLES, len(sums)))
    means = np.asarray(sums)[places].sum(1) / np.asarray(sizes)[places].sum(1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def plain_bootstrap(clusters: Clusters, seed: int) -> tuple[float, float]:
    """Runs drawn one by one."""
    values = pooled(clusters)
    return drawn_again(values, [1] * len(values), seed)


def clustered_bootstrap(clusters: Clusters, seed: int) -> tuple[float, float]:
    """Prompts drawn with all their runs; equal values get the interval that the shipped one falls back on."""
    if len(set(pooled(clusters))) == 1:
        return clustered_wilson(clusters)[:2]
    return drawn_again([fsum(one) for one in clusters.values()], [len(one) for one in clusters.values()], seed)


def _wilson(clusters: Clusters, seed: int) -> tuple[float, float]:
    return wilson(round(fsum(pooled(clusters))), len(pooled(clusters)))[:2]


def _exact(clusters: Clusters, seed: int) -> tuple[float, float]:
    return clopper_pearson(round(fsum(pooled(clusters))), len(pooled(clusters)))[:2]


def _clustered_wilson(clusters: Clusters, seed: int) -> tuple[float, float]:
    return clustered_wilson(clusters)[:2]


METHODS: dict[str, dict[str, Method]] = {
    "rate": {
        "Wilson (documented)": _wilson,
        "clustered Wilson": _clustered_wilson,
        "clustered bootstrap": clustered_bootstrap,
    },
    "failures": {"Clopper-Pearson (documented)": _exact, "clustered Wilson": _clustered_wilson},
    "quality": {
        "bootstrap (documented)": plain_bootstrap,
        "clustered Wilson": _clustered_wilson,
        "clustered bootstrap": clustered_bootstrap,
    },
}


class Row(NamedTuple):
    """What came of one design: for each method, the share of intervals that held the truth, and their mean width."""

    design: Design
    coverage: tuple[float, ...]
    width: tuple[float, ...]


def draw_clusters(design: Design, draw: random.Random) -> dict[str, list[float]]:
    """Runs of prompts. A prompt has a level of its own from a beta distribution whose spread gives the ICC; a run is 0 or 1.

    Of quality, a run has a beta distribution around its prompt's level, with a third of the variance that 0 or 1 would have.
    """
    clusters = {}
    for number, size in enumerate(design.sizes):
        level = _beta(draw, design.mean, design.icc)
        if design.what == "quality":
            clusters[str(number)] = [_beta(draw, level, 1 / 3) for _ in range(size)]
        else:
            clusters[str(number)] = [float(draw.random() < level) for _ in range(size)]
    return clusters


def _beta(draw: random.Random, mean: float, icc: float) -> float:
    """A beta value with that mean and the variance icc·mean·(1-mean)."""
    if icc <= 0 or mean <= 0 or mean >= 1:
        return mean
    weight = 1 / icc - 1
    return draw.betavariate(max(mean * weight, 1e-6), max((1 - mean) * weight, 1e-6))


def simulate(design: Design, repetitions: int, seed: int) -> Row:
    """Draw, compute every interval, see whether it holds the mean of the design."""
    draw = random.Random(f"{seed} {design}")
    methods = list(METHODS[design.what].values())
    held, widths = [0] * len(methods), [0.0] * len(methods)
    for _ in range(repetitions):
        data = draw_clusters(design, draw)
        resampling = draw.randrange(1 << 30)
        for place, method in enumerate(methods):
            low, high = method(data, resampling)
            held[place] += low - 1e-12 <= design.mean <= high + 1e-12
            widths[place] += high - low
    return Row(design, tuple(one / repetitions for one in held), tuple(one / repetitions for one in widths))


class Field(NamedTuple):
    """A rating: one skill against five references on ``tasks`` tasks of each, both ways round.

    ``strength`` of the skill in log odds; ``suits``: spread of how much a task suits it; ``repeat``: how often the second verdict on a
    pair is the first one again.
    """

    tasks: int
    strength: float
    suits: float
    repeat: float


FIELDS = [
    Field(tasks, strength, suits, repeat)
    for tasks in (2, 6)
    for strength in (0.0, 1.0)
    for suits, repeat in ((0.0, 0.0), (1.0, 0.5))
]
REFERENCES = tuple(f"reference {place}" for place in range(5))
LEVELS = (-0.5, -0.25, 0.0, 0.25, 0.5)  # of the references, in log odds


def draw_duels(field: Field, draw: random.Random) -> list[Duel]:
    """The comparisons of one rating."""
    suits: dict[str, float] = {}
    duels = []
    for other, level in zip(REFERENCES, LEVELS, strict=True):
        for home in ("subject", other):
            for number in range(field.tasks):
                task = f"{home} {number}"
                if task not in suits:
                    suits[task] = field.suits * draw.gauss(0, 1)
                chance = 1 / (1 + exp(level - field.strength - suits[task]))
                won = float(draw.random() < chance)
                again = won if draw.random() < field.repeat else float(draw.random() < chance)
                duels += [Duel("subject", other, won, task), Duel(other, "subject", 1 - again, task)]
    return duels


def true_rating(field: Field) -> float:
    """The rating that endless tasks would give: of the mean chance over tasks, by quadrature, not of the mean log odds."""
    points, weights = np.polynomial.hermite_e.hermegauss(61)
    odds = []
    for level in LEVELS:
        chance = float(weights @ (1 / (1 + np.exp(level - field.strength - field.suits * points))) / weights.sum())
        odds.append(log(chance / (1 - chance)))
    return MEAN + POINTS * fsum(odds) / len(odds)


class RatingRow(NamedTuple):
    """Coverage when every comparison counts by itself and when tasks do; mean error and width of the latter, in points."""

    field: Field
    plain: float
    clustered: float
    error: float
    width: float


def simulate_rating(field: Field, repetitions: int, seed: int) -> RatingRow:
    """Draw, rate, see whether the interval holds the true rating."""
    truth, anchors = true_rating(field), frozenset(REFERENCES)
    draw = random.Random(f"{seed} {field}")
    plain = clustered = 0
    errors, widths = [], []
    for _ in range(repetitions):
        duels = draw_duels(field, draw)
        apart = fit([duel._replace(task=str(number)) for number, duel in enumerate(duels)], anchors).of("subject")
        own = fit(duels, anchors).of("subject")
        plain += apart.low <= truth <= apart.high
        clustered += own.low <= truth <= own.high
        errors.append(own.rating - truth)
        widths.append(own.high - own.low)
    return RatingRow(
        field, plain / repetitions, clustered / repetitions, fsum(errors) / repetitions, fsum(widths) / repetitions
    )


HEADS = {
    "rate": "A rate of runs, such as activation",
    "failures": "A rate of failed runs",
    "quality": "A mean of values in [0, 1], such as output quality",
}


def table_of(what: str, rows: Sequence[Row]) -> list[str]:
    """One table in Markdown."""
    names = list(METHODS[what])
    lines = [
        f"### {HEADS[what]}\n",
        "| runs of 15 prompts | true mean | ICC | " + " | ".join(names) + " |",
        "| --- | --- | --- | " + " | ".join("---" for _ in names) + " |",
    ]
    for design, coverage, width in rows:
        cells = " | ".join(f"{one:.3f} ({wide:.2f})" for one, wide in zip(coverage, width, strict=True))
        lines.append(f"| {design.runs} | {design.mean:.2f} | {design.icc:g} | {cells} |")
    return [*lines, ""]


def rating_table(rows: Sequence[RatingRow]) -> list[str]:
    """The table of ratings in Markdown."""
    lines = [
        "### A rating among five references\n",
        "| tasks of each | true rating | tasks differ | each comparison by itself | by task (shipped) | mean error | width |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for field, plain, clustered, error, width in rows:
        differ = "yes" if field.suits else "no"
        lines.append(
            f"| {field.tasks} | {true_rating(field):.0f} | {differ} | {plain:.3f} | {clustered:.3f} | {error:+.0f} | {width:.0f} |"
        )
    return [*lines, ""]


def tables(repetitions: int, seed: int, pool: Executor) -> str:
    """The documented layers and the ratings."""
    rows = list(pool.map(partial(simulate, repetitions=repetitions, seed=seed), DESIGNS))
    ratings = list(pool.map(partial(simulate_rating, repetitions=repetitions, seed=seed), FIELDS))
    lines = [f"{repetitions:,} repetitions of each row, seed {seed}, by `make stats`.", ""]
    for what in HEADS:
        lines += table_of(what, [row for row in rows if row.design.what == what])
    return "\n".join([*lines, *rating_table(ratings)])


def main() -> int:
    """Print the tables, or put them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=20_261_130)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    begun = time.monotonic()
    with ProcessPoolExecutor() as pool:  # on all processors; the numbers do not depend on how many there are
        trials = stats_tables.tables(options.repetitions, options.seed, pool)
        documented = tables(options.repetitions, options.seed, pool)
    print(f"{documented}\n\n{trials}")
    print(
        f"{time.monotonic() - begun:.0f} seconds on {os.cpu_count()} processors, {_processor_seconds():.0f} of a processor."
    )
    if options.write:
        return generated.main({PAGE: {"coverage": documented.rstrip, "trials": trials.rstrip}})
    return 0


def _processor_seconds() -> float:
    """What the processes of the pool took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
