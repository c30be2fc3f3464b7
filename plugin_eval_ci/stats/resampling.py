"""An interval of what is made of many numbers that partly rest on the same data, such as a composite score.

The things that numbers rest on (prompts, tasks, judges) are drawn again together, so the draws show how the numbers err together. How
far each errs by itself is known better than draws can show it: where all of twenty prompts went well, no draw differs. So each number
takes the rank of its draw on the scale of its own interval; one without an interval keeps its draws, widened for how few things there
were. Each end of the result rests on that side of the intervals.

Three judges tell little of how far judges differ, and Student's t allows for that. What is made of many numbers errs by all of them, so
it is allowed for once, for the whole (Welch and Satterthwaite), and not for each.
"""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import comb, fsum, sqrt
from statistics import NormalDist, median
from typing import Generic, NamedTuple, TypeVar

from plugin_eval_ci.stats.intervals import LEVEL, TAIL, Estimate, Interval, student_quantile


def median_of(values: Sequence[float]) -> Estimate | None:
    """The median of independent values, between two of them: that hold it whatever they are drawn from; None without any.

    No interval with fewer than six, for even the smallest and the largest do not hold it in 95 of 100 cases.
    """
    if not values:
        return None
    ordered, n = sorted(values), len(values)
    outside, cut = 0.0, 0  # the chance that the median lies beyond the value at this place, at both ends
    while cut < n // 2 and outside + 2 * comb(n, cut) / 2**n <= 1 - LEVEL:
        outside += 2 * comb(n, cut) / 2**n
        cut += 1
    middle = float(median(ordered))
    if not cut:
        return Estimate(middle, None)
    return Estimate(middle, Interval(ordered[cut - 1], ordered[n - cut], "order", n, float(n)))


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


_Name = TypeVar("_Name", bound=Hashable)
Items = Sequence[Sequence[float]]  # what each thing has: its numbers, such as the scores of a judge's samples
_STANDARD_NORMAL = NormalDist()
_EDGE = _STANDARD_NORMAL.inv_cdf(1 - TAIL)


class Source(NamedTuple, Generic[_Name]):
    """Things that several numbers rest on. ``strata``: the items of each are drawn among themselves, as many as there are.

    ``values`` of drawn items, by name; a name that is missing says that nothing can be said of this draw. ``intervals``: of those values
    that have one, by Student's t over the items.
    """

    strata: Sequence[Items]
    values: Callable[[Items], Mapping[_Name, float]]
    intervals: Mapping[_Name, Interval] = {}

    @property
    def items(self) -> list[Sequence[float]]:
        """All of them."""
        return [item for stratum in self.strata for item in stratum]

    @property
    def df(self) -> int:
        """Degrees of freedom of what is learned about their spread."""
        return max(1, sum(len(stratum) - 1 for stratum in self.strata))


class Draws(NamedTuple, Generic[_Name]):
    """``seen``: the values of the data themselves. Draws of all values together: ``low`` for the lower end of what is made of them,
    ``high`` for the upper one, both on the scale of standard errors. ``df`` of each value; ``n`` things."""

    seen: Mapping[_Name, float]
    low: tuple[Mapping[_Name, float], ...]
    high: tuple[Mapping[_Name, float], ...]
    df: Mapping[_Name, int]
    n: int


def draws(sources: Sequence[Source[_Name]], seed: int, resamples: int = 2_000) -> Draws[_Name] | None:
    """The values of drawn things, all sources at once. Names of values are unique over all sources.

    None where no value can vary: then there is nothing to learn from.
    """
    draw = random.Random(seed)
    seen: dict[_Name, float] = {}
    df: dict[_Name, int] = {}
    low: dict[_Name, list[float]] = {}
    high: dict[_Name, list[float]] = {}
    for source in sources:
        own = source.values(source.items)
        drawn = _replicate_values(source, list(own), draw, resamples)
        for name, value in own.items():
            seen[name], df[name] = value, source.df
            low[name], high[name] = _scaled_draws(source, name, value, drawn[name], draw)
    if all(len({*low[name], *high[name]}) == 1 for name in seen):
        return None
    rows = [tuple({name: side[name][place] for name in seen} for place in range(resamples)) for side in (low, high)]
    return Draws(seen, rows[0], rows[1], df, sum(len(source.items) for source in sources))


def ends(drawn: Draws[_Name], statistic: Callable[[Mapping[_Name, float]], float]) -> Interval:
    """The interval of a statistic that no value lets fall when it rises."""
    middle = statistic(drawn.seen)
    low = at(sorted(statistic(values) for values in drawn.low), TAIL)
    high = at(sorted(statistic(values) for values in drawn.high), 1 - TAIL)
    wide = student_quantile(_df(drawn, statistic, middle)) / _EDGE
    low, high = middle - wide * max(0.0, middle - low), middle + wide * max(0.0, high - middle)
    return Interval(low, high, "joint_bootstrap", drawn.n, float(drawn.n))


def _df(drawn: Draws[_Name], statistic: Callable[[Mapping[_Name, float]], float], middle: float) -> float:
    """Degrees of freedom of the whole: each value counts by what the statistic errs through it."""
    variances = {}
    for name, value in drawn.seen.items():
        spread = sqrt(fsum((values[name] - value) ** 2 for values in drawn.low) / len(drawn.low))
        variances[name] = (middle - statistic({**drawn.seen, name: value - spread})) ** 2
    weight = fsum(one * one / drawn.df[name] for name, one in variances.items())
    return max(1.0, fsum(variances.values()) ** 2 / weight) if weight > 0 else float(max(drawn.df.values()))


def _replicate_values(
    source: Source[_Name], names: Sequence[_Name], draw: random.Random, resamples: int
) -> dict[_Name, list[float | None]]:
    """The values of each draw."""
    rows: dict[_Name, list[float | None]] = {name: [] for name in names}
    for _ in range(resamples):
        items: list[Sequence[float]] = []
        for stratum in source.strata:
            items += draw.choices(stratum, k=len(stratum))
        values = source.values(items)
        for name in names:
            rows[name].append(values.get(name))
    return rows


def _scaled_draws(
    source: Source[_Name], name: _Name, value: float, drawn: Sequence[float | None], draw: random.Random
) -> tuple[list[float], list[float]]:
    """The draws on the scale of the interval, once for each of its sides; or widened, if none exists."""
    known = [value if one is None else one for one in drawn]
    interval = source.intervals.get(name)
    if interval is None:
        m = len(source.items)
        wide = sqrt(m / (m - 1)) if m > 1 else 1.0
        spread = [value + (one - value) * wide for one in known]
        return spread, spread
    ranks, edge = _normal(known, draw), student_quantile(source.df)
    below, above = (value - interval.low) / edge, (interval.high - value) / edge
    return [value + rank * below for rank in ranks], [value + rank * above for rank in ranks]


def _normal(values: Sequence[float], draw: random.Random) -> list[float]:
    """Each value's rank as a normal deviate; where all are equal, deviates that go with nothing."""
    ordered = sorted(values)
    if ordered[0] == ordered[-1]:
        return [draw.gauss(0, 1) for _ in values]
    n = len(ordered)
    places = {one: (bisect_left(ordered, one) + bisect_right(ordered, one)) / (2 * n) for one in set(values)}
    deviates = {one: _STANDARD_NORMAL.inv_cdf(place) for one, place in places.items()}
    return [deviates[one] for one in values]
