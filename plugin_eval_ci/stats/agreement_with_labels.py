"""How far a score agrees with people's labels of the same things: order, distance, bias. Things of one cluster are drawn together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from plugin_eval_ci.stats.agreement import ordinal_alpha
from plugin_eval_ci.stats.intervals import Estimate
from plugin_eval_ci.stats.resampling import bca


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


LEAST = 3  # things: with fewer there is no order to speak of
_Pairs = Sequence[tuple[float, float]]


class LabelAgreement(NamedTuple):
    """``spearman`` and ``kendall``: whether it orders as people do, 1 to -1, None where one side gives every thing the same.
    ``alpha``: ordinal, the score taken to its nearest anchor. ``error``: mean distance. ``bias``: mean of score less label."""

    n: int
    clusters: int
    spearman: Estimate | None
    kendall: Estimate | None
    alpha: Estimate | None
    error: Estimate
    bias: Estimate


def label_agreement(
    clusters: Sequence[_Pairs], anchors: Sequence[float], seed: int = 0, resamples: int = 1_000
) -> LabelAgreement | None:
    """Of label and score of each thing, by cluster; None with fewer than three things."""
    groups = sorted(tuple(group) for group in clusters if group)
    n = sum(map(len, groups))
    if n < LEAST:
        return None

    def found(statistic: Callable[[_Pairs], float | None]) -> Estimate | None:
        value = statistic([pair for group in groups for pair in group])
        if value is None:
            return None
        drawn = bca(groups, lambda some: statistic([pair for group in some for pair in group]), seed, resamples)
        return Estimate(value, drawn)

    error = found(lambda pairs: fsum(abs(score - label) for label, score in pairs) / len(pairs))
    bias = found(lambda pairs: fsum(score - label for label, score in pairs) / len(pairs))
    assert error is not None and bias is not None
    return LabelAgreement(
        n,
        len(groups),
        found(lambda pairs: spearman([label for label, _ in pairs], [score for _, score in pairs])),
        found(lambda pairs: kendall([label for label, _ in pairs], [score for _, score in pairs])),
        found(
            lambda pairs: ordinal_alpha([(nearest(label, anchors), nearest(score, anchors)) for label, score in pairs])
        ),
        error,
        bias,
    )


def nearest(score: float, anchors: Sequence[float]) -> float:
    """The anchor that a score is closest to; the lower of two."""
    return min(anchors, key=lambda anchor: (abs(anchor - score), anchor))
