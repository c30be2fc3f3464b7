"""A median."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from statistics import median

from plugin_eval_ci.stats.combined import Estimate
from plugin_eval_ci.stats.interval import LEVEL, Interval


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
