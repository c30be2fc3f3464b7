"""Intervals, as pure functions of plain sequences. scipy is loaded by those that need a distribution, and not before.

Runs of one prompt are not independent: fifty runs of fifteen prompts are fifteen facts and some repetition. The plain intervals are the
documented ones and too short where runs cluster; the clustered ones take the prompt as the unit.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib.util import find_spec
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")
LEVEL = 0.95
INSTALL = "pip install 'plugin-eval-ci[llm]'"


class Interval(NamedTuple):
    """``n`` observations, worth ``n_eff`` independent ones."""

    low: float
    high: float
    method: str
    n: int
    n_eff: float


def available() -> bool:
    """Whether the intervals can be computed at all: some need scipy, which the extra ``llm`` brings."""
    return find_spec("scipy") is not None


def wilson(hits: int, n: int) -> Interval | None:
    """A rate of independent observations; None without any."""
    if not n:
        return None
    return _score_interval(hits / n, n, NormalDist().inv_cdf(1 - (1 - LEVEL) / 2), "wilson", n)


def clopper_pearson(hits: int, n: int) -> Interval | None:
    """The exact interval of a rate of independent observations; None without any."""
    if not n:
        return None
    from scipy.stats import beta

    tail = (1 - LEVEL) / 2
    low = 0.0 if hits == 0 else float(beta.ppf(tail, hits, n - hits + 1))
    high = 1.0 if hits == n else float(beta.ppf(1 - tail, hits + 1, n - hits))
    return Interval(low, high, "clopper_pearson", n, float(n))


def clustered_wilson(clusters: Sequence[Sequence[bool]]) -> Interval | None:
    """A rate where observations of a cluster resemble each other (Korn and Graubard); None with fewer than two clusters.

    Where all observations agree there is no spread to learn from: each cluster then counts once.
    """
    groups = [group for group in clusters if group]
    m, n = len(groups), sum(len(group) for group in groups)
    if m < 2:
        return None
    from scipy.stats import t

    rate = sum(sum(group) for group in groups) / n
    deviations = [sum(group) - rate * len(group) for group in groups]
    variance = m / (m - 1) * fsum(one * one for one in deviations) / (n * n)
    n_eff = min(float(n), rate * (1 - rate) / variance) if 0 < rate < 1 and variance > 0 else float(m)
    quantile = float(t.ppf(1 - (1 - LEVEL) / 2, m - 1))
    return _score_interval(rate, n_eff, quantile, "clustered_wilson", n)


def bootstrap_mean(values: Sequence[float], seed: int, resamples: int = 1_000) -> Interval | None:
    """Percentiles of the means of resamples, for independent observations; None without any."""
    if not values:
        return None
    means = [fsum(_draw(values, seed, number)) / len(values) for number in range(resamples)]
    return Interval(*_percentiles(means), "bootstrap", len(values), float(len(values)))


def clustered_bootstrap(clusters: Sequence[Sequence[float]], seed: int, resamples: int = 1_000) -> Interval | None:
    """The same, drawing whole clusters; None with fewer than two."""
    groups = [(fsum(group), len(group)) for group in clusters if group]
    if len(groups) < 2:
        return None
    means = []
    for number in range(resamples):
        drawn = _draw(groups, seed, number)
        means.append(fsum(total for total, _ in drawn) / sum(size for _, size in drawn))
    return Interval(*_percentiles(means), "clustered_bootstrap", sum(size for _, size in groups), float(len(groups)))


def _draw(values: Sequence[_T], seed: int, number: int) -> list[_T]:
    return random.Random(f"{seed}:{number}").choices(values, k=len(values))


def _percentiles(values: list[float]) -> tuple[float, float]:
    """The 2.5th and the 97.5th, between neighbours in proportion."""
    ordered = sorted(values)

    def at(share: float) -> float:
        place = share * (len(ordered) - 1)
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

    tail = (1 - LEVEL) / 2
    return at(tail), at(1 - tail)


def _score_interval(rate: float, n_eff: float, quantile: float, method: str, n: int) -> Interval:
    square = quantile * quantile
    scale = 1 + square / n_eff
    middle = (rate + square / (2 * n_eff)) / scale
    half = quantile / scale * sqrt(rate * (1 - rate) / n_eff + square / (4 * n_eff * n_eff))
    # At a rate of 0 or 1 the formula gives that end itself, and rounding must not leave it a hair inside.
    low = 0.0 if rate == 0 else max(0.0, middle - half)
    high = 1.0 if rate == 1 else min(1.0, middle + half)
    return Interval(low, high, method, n, float(n_eff))
