"""An interval of what is made of many numbers that partly rest on the same data, such as a composite score.

The things that numbers rest on (prompts, tasks, judges and their samples) are drawn again together, so the draws show how the numbers err
together. How far each errs by itself is known better than draws can show it: where all of twenty prompts went well, no draw differs. So
each number takes the rank of its draw on the scale of its own interval; one without an interval keeps its draws, widened for how few
things there were. Each end of the result rests on that side of the intervals.
"""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import sqrt
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

    ``values`` of drawn items, by name; a name that is missing says that nothing can be said of this draw. ``nested``: the numbers of an
    item are drawn again too. ``intervals``: of those values that have one.
    """

    strata: Sequence[Items]
    values: Callable[[Items], Mapping[_Name, float]]
    intervals: Mapping[_Name, Interval] = {}
    nested: bool = False

    @property
    def items(self) -> list[Sequence[float]]:
        """All of them."""
        return [item for stratum in self.strata for item in stratum]


def joint(
    sources: Sequence[Source[_Name]],
    statistic: Callable[[Mapping[_Name, float]], float],
    seed: int,
    resamples: int = 2_000,
) -> Interval | None:
    """The interval of a statistic that no value lets fall when it rises. Names of values are unique over all sources.

    None where no value can vary: then there is nothing to learn from.
    """
    draw = random.Random(seed)
    seen: dict[_Name, float] = {}
    low: dict[_Name, list[float]] = {}
    high: dict[_Name, list[float]] = {}
    for source in sources:
        at_hand = source.values(source.items)
        seen.update(at_hand)
        drawn = _drawn(source, list(at_hand), draw, resamples)
        for name, value in at_hand.items():
            low[name], high[name] = _placed(source, name, value, drawn[name], draw)
    if all(len({*low[name], *high[name]}) == 1 for name in seen):
        return None
    ends = []
    for side, share in ((low, TAIL), (high, 1 - TAIL)):
        replicates = sorted(statistic({name: side[name][place] for name in seen}) for place in range(resamples))
        ends.append(at(replicates, share))
    middle = statistic(seen)
    n = sum(len(source.items) for source in sources)
    return Interval(min(ends[0], middle), max(ends[1], middle), "joint_bootstrap", n, float(n))


def _drawn(
    source: Source[_Name], names: Sequence[_Name], draw: random.Random, resamples: int
) -> dict[_Name, list[float | None]]:
    """The values of each draw."""
    rows: dict[_Name, list[float | None]] = {name: [] for name in names}
    for _ in range(resamples):
        items: list[Sequence[float]] = []
        for stratum in source.strata:
            items += draw.choices(stratum, k=len(stratum))
        if source.nested:
            items = [draw.choices(item, k=len(item)) for item in items]
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
        wide = sqrt(m / (m - 1)) * student(m - 1) / _EDGE if m > 1 else 1.0
        spread = [value + (one - value) * wide for one in known]
        return spread, spread
    ranks = _normal(known, draw)
    below, above = (value - interval.low) / _EDGE, (interval.high - value) / _EDGE
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
