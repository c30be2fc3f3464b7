"""Intervals of a rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from statistics import NormalDist

from plugin_eval_ci.stats.interval import TAIL, Interval, score_interval


def wilson(hits: int, n: int) -> Interval | None:
    """A rate of independent observations; None without any."""
    if not n:
        return None
    return score_interval(hits / n, n, NormalDist().inv_cdf(1 - TAIL), "wilson", n)


def clopper_pearson(hits: int, n: int) -> Interval | None:
    """The exact interval of a rate of independent observations; None without any."""
    if not n:
        return None
    from scipy.special import betaincinv

    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, TAIL))
    high = 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - TAIL))
    return Interval(low, high, "clopper_pearson", n, float(n))


def clustered_wilson(clusters: Mapping[str, Sequence[float]], runs: float | None = None) -> Interval | None:
    """A rate where observations of a cluster resemble each other (Korn and Graubard); None with fewer than two clusters.

    Observations are 0 or 1, or between (a tie is half a win), which leaves the interval rather too wide than too short.
    Where each is itself the mean of several, ``runs`` is how many there were: the most that they can be worth.
    Where all observations agree there is no spread to learn from: each cluster then counts once.
    """
    groups = [(fsum(group), len(group)) for group in clusters.values() if group]
    m, n = len(groups), sum(size for _, size in groups)
    if m < 2:
        return None
    rate = min(1.0, max(0.0, fsum(hits for hits, _ in groups) / n))
    variance = m / (m - 1) * fsum((hits - rate * size) ** 2 for hits, size in groups) / (n * n)
    most = max(float(n), runs or 0.0)
    n_eff = min(most, rate * (1 - rate) / variance) if 0 < rate < 1 and variance > 0 else float(m)
    return score_interval(rate, n_eff, student(m - 1), "clustered_wilson", n)


def student(df: float) -> float:
    """The upper quantile of Student's t for an interval of our level."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 1 - TAIL))
