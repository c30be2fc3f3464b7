"""Whether two scores put the same things in the same order. None where one of them puts nothing in order: all its values are equal."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt


def spearman(ones: Sequence[float], others: Sequence[float]) -> float | None:
    """The correlation of the ranks, ties at their mean rank."""
    return _correlation(_ranks(ones), _ranks(others))


def kendall(ones: Sequence[float], others: Sequence[float]) -> float | None:
    """Tau-b: pairs in the same order less pairs in the opposite order, among pairs that are not tied."""
    import numpy as np

    one, other = (np.sign(np.subtract.outer(values, values)) for values in (np.array(ones), np.array(others)))
    both = float(np.sum(one * one)) * float(np.sum(other * other))
    return float(np.sum(one * other)) / sqrt(both) if both > 0 else None


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    first: dict[float, int] = {}
    count: dict[float, int] = {}
    for place, value in enumerate(order):
        first.setdefault(value, place)
        count[value] = count.get(value, 0) + 1
    return [first[value] + (count[value] - 1) / 2 for value in values]


def _correlation(ones: Sequence[float], others: Sequence[float]) -> float | None:
    n = len(ones)
    if n < 2:
        return None
    middle, centre = sum(ones) / n, sum(others) / n
    both = sum((one - middle) * (other - centre) for one, other in zip(ones, others, strict=True))
    spread = sum((one - middle) ** 2 for one in ones) * sum((other - centre) ** 2 for other in others)
    return both / sqrt(spread) if spread > 0 else None
