"""How much observations of one cluster resemble each other, and what that costs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import fsum
from typing import TypeVar

_Stratum = TypeVar("_Stratum", bound=Hashable)


def likeness(groups: Mapping[tuple[_Stratum, str], Sequence[float]]) -> tuple[float | None, float | None]:
    """The intraclass correlation (by analysis of variance, not below 0) and the design effect: observations worth an independent one.

    ``groups`` by stratum and cluster: that strata differ is no likeness. None for both where no cluster has two observations, no stratum
    two clusters, or nothing varies.
    """
    strata: dict[_Stratum, list[Sequence[float]]] = {}
    for (stratum, _), values in groups.items():
        if values:
            strata.setdefault(stratum, []).append(values)
    clusters = [values for parts in strata.values() for values in parts]
    n = sum(len(values) for values in clusters)
    between_df, within_df = len(clusters) - len(strata), n - len(clusters)
    if between_df < 1 or within_df < 1:
        return None, None
    between = fsum(_between(parts) for parts in strata.values()) / between_df
    within = fsum((one - _mean(values)) ** 2 for values in clusters for one in values) / within_df
    size = (n - fsum(_squares(parts) for parts in strata.values())) / between_df
    if between + (size - 1) * within <= 0:
        return None, None
    icc = max(0.0, (between - within) / (between + (size - 1) * within))
    return icc, 1 + (size - 1) * icc


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _between(parts: Sequence[Sequence[float]]) -> float:
    """Squares of what the clusters of a stratum differ from its mean, each as often as it was observed."""
    middle = fsum(one for values in parts for one in values) / sum(len(values) for values in parts)
    return fsum(len(values) * (_mean(values) - middle) ** 2 for values in parts)


def _squares(parts: Sequence[Sequence[float]]) -> float:
    """The mean size of the cluster of an observation of a stratum."""
    return sum(len(values) ** 2 for values in parts) / sum(len(values) for values in parts)
