"""Intervals by drawing again from what was seen, with replacement. A seed gives the same interval on every machine and Python."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from math import fsum
from statistics import NormalDist
from typing import TypeVar

from plugin_eval_ci.stats.interval import TAIL, Interval

_T = TypeVar("_T")
_NORMAL = NormalDist()


def bootstrap_mean(values: Sequence[float], seed: int, resamples: int = 1_000) -> Interval | None:
    """Percentiles of the means of resamples, for independent observations; None without any.

    Of equal values, and of a single one, it is that value and no wider: nothing was seen to vary, which proves little.
    """
    if not values:
        return None
    means = sorted(_replicates(values, lambda drawn: fsum(drawn) / len(drawn), seed, resamples))
    return Interval(at(means, TAIL), at(means, 1 - TAIL), "bootstrap", len(values), float(len(values)))


def bca(
    items: Sequence[_T], statistic: Callable[[Sequence[_T]], float | None], seed: int, resamples: int = 2_000
) -> Interval | None:
    """Bias-corrected and accelerated percentiles of any statistic of independent items, which may be clusters.

    ``statistic`` gives None for a draw it cannot say anything of; such draws are left out. None with fewer than two items, and where
    no draw differs from what was seen: then there is nothing to learn from.
    """
    seen = statistic(items) if len(items) > 1 else None
    if seen is None:
        return None
    drawn = sorted(_replicates(items, statistic, seed, resamples))
    left_out = [statistic([*items[:place], *items[place + 1 :]]) for place in range(len(items))]
    if not drawn or drawn[0] == drawn[-1]:
        return None
    # The share below what was seen, ties by half; never 0 or 1, whose quantile would be infinite.
    below = (bisect_left(drawn, seen) + bisect_right(drawn, seen)) / (2 * len(drawn))
    bias = _NORMAL.inv_cdf(min(1 - 0.5 / len(drawn), max(0.5 / len(drawn), below)))
    speed = _acceleration([value for value in left_out if value is not None])

    def share(quantile: float) -> float:
        shifted = bias + quantile
        return _NORMAL.cdf(bias + shifted / (1 - speed * shifted))

    edge = _NORMAL.inv_cdf(1 - TAIL)
    low, high = at(drawn, share(-edge)), at(drawn, share(edge))
    return Interval(low, high, "bca", len(items), float(len(items)))


def _acceleration(left_out: Sequence[float]) -> float:
    """How much the spread of a statistic changes with its value, from leaving out one item at a time."""
    if not left_out:
        return 0.0
    middle = fsum(left_out) / len(left_out)
    squares = fsum((middle - value) ** 2 for value in left_out)
    return fsum((middle - value) ** 3 for value in left_out) / (6 * squares**1.5) if squares > 0 else 0.0


def _replicates(
    items: Sequence[_T], statistic: Callable[[Sequence[_T]], float | None], seed: int, resamples: int
) -> list[float]:
    draw = random.Random(seed)
    drawn = (statistic(draw.choices(items, k=len(items))) for _ in range(resamples))
    return [value for value in drawn if value is not None]


def at(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of them lies, between neighbours in proportion."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
