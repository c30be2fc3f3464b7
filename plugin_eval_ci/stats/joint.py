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
from math import fsum, sqrt
from statistics import NormalDist
from typing import Generic, NamedTuple, TypeVar

from plugin_eval_ci.stats.interval import TAIL, Interval
from plugin_eval_ci.stats.rates import student
from plugin_eval_ci.stats.resampling import at

_Name = TypeVar("_Name", bound=Hashable)
Items = Sequence[Sequence[float]]  # what each thing has: its numbers, such as the scores of a judge's samples
_NORMAL = NormalDist()
_EDGE = _NORMAL.inv_cdf(1 - TAIL)


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
        drawn = _drawn(source, list(own), draw, resamples)
        for name, value in own.items():
            seen[name], df[name] = value, source.df
            low[name], high[name] = _placed(source, name, value, drawn[name], draw)
    if all(len({*low[name], *high[name]}) == 1 for name in seen):
        return None
    rows = [tuple({name: side[name][place] for name in seen} for place in range(resamples)) for side in (low, high)]
    return Draws(seen, rows[0], rows[1], df, sum(len(source.items) for source in sources))


def ends(drawn: Draws[_Name], statistic: Callable[[Mapping[_Name, float]], float]) -> Interval:
    """The interval of a statistic that no value lets fall when it rises."""
    middle = statistic(drawn.seen)
    low = at(sorted(statistic(values) for values in drawn.low), TAIL)
    high = at(sorted(statistic(values) for values in drawn.high), 1 - TAIL)
    wide = student(_df(drawn, statistic, middle)) / _EDGE
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


def _drawn(
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


def _placed(
    source: Source[_Name], name: _Name, value: float, drawn: Sequence[float | None], draw: random.Random
) -> tuple[list[float], list[float]]:
    """The draws on the scale of the interval, once for each of its sides; or widened, where there is none."""
    known = [value if one is None else one for one in drawn]
    interval = source.intervals.get(name)
    if interval is None:
        m = len(source.items)
        wide = sqrt(m / (m - 1)) if m > 1 else 1.0
        spread = [value + (one - value) * wide for one in known]
        return spread, spread
    ranks, edge = _normal(known, draw), student(source.df)
    below, above = (value - interval.low) / edge, (interval.high - value) / edge
    return [value + rank * below for rank in ranks], [value + rank * above for rank in ranks]


def _normal(values: Sequence[float], draw: random.Random) -> list[float]:
    """Each value's rank as a normal deviate; where all are equal, deviates that go with nothing."""
    ordered = sorted(values)
    if ordered[0] == ordered[-1]:
        return [draw.gauss(0, 1) for _ in values]
    n = len(ordered)
    places = {one: (bisect_left(ordered, one) + bisect_right(ordered, one)) / (2 * n) for one in set(values)}
    deviates = {one: _NORMAL.inv_cdf(place) for one, place in places.items()}
    return [deviates[one] for one in values]
