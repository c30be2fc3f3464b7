"""Two revisions on the same prompts: what changed is the mean of the differences, cluster by cluster, never two overlapping intervals."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum, sqrt
from typing import NamedTuple

from plugin_eval_ci.stats.interval import Interval
from plugin_eval_ci.stats.rates import student


class Paired(NamedTuple):
    """Head less base. ``interval`` and ``p_lower`` (one-sided: is it a drop) are Student's, None with fewer than two clusters or where
    every cluster changed alike: a spread of zero is no evidence."""

    differences: tuple[float, ...]  # of each cluster that both have, by its name
    difference: float
    sd: float
    interval: Interval | None
    p_lower: float | None

    @property
    def clusters(self) -> int:
        """That both revisions have."""
        return len(self.differences)


def difference(base: Mapping[str, float], head: Mapping[str, float]) -> Paired | None:
    """What changed from base to head, over the clusters that both have; None without any."""
    both = sorted(base.keys() & head.keys())
    values = tuple(head[name] - base[name] for name in both)
    if not values:
        return None
    m = len(values)
    mean = fsum(values) / m
    sd = sqrt(fsum((one - mean) ** 2 for one in values) / (m - 1)) if m > 1 else 0.0
    if sd <= 1e-12:
        return Paired(values, mean, 0.0, None, None)
    from scipy.special import stdtr

    error = sd / sqrt(m)
    half = student(m - 1) * error
    return Paired(
        values, mean, sd, Interval(mean - half, mean + half, "paired_t", m, float(m)), float(stdtr(m - 1, mean / error))
    )
