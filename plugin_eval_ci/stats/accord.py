"""How far a score agrees with people's labels of the same things: order, distance, bias. Things of one cluster are drawn together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.stats.agreement import ordinal_alpha
from plugin_eval_ci.stats.combined import Estimate
from plugin_eval_ci.stats.ranks import kendall, spearman
from plugin_eval_ci.stats.resampling import bca

LEAST = 3  # things: with fewer there is no order to speak of
_Pairs = Sequence[tuple[float, float]]


class Accord(NamedTuple):
    """``spearman`` and ``kendall``: whether it orders as people do, 1 to -1, None where one side gives every thing the same.
    ``alpha``: ordinal, the score taken to its nearest anchor. ``error``: mean distance. ``bias``: mean of score less label."""

    n: int
    clusters: int
    spearman: Estimate | None
    kendall: Estimate | None
    alpha: Estimate | None
    error: Estimate
    bias: Estimate


def accord(
    clusters: Sequence[_Pairs], anchors: Sequence[float], seed: int = 0, resamples: int = 1_000
) -> Accord | None:
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

    error, bias = found(_error), found(_bias)
    assert error is not None and bias is not None
    return Accord(
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


def _error(pairs: _Pairs) -> float:
    return fsum(abs(score - label) for label, score in pairs) / len(pairs)


def _bias(pairs: _Pairs) -> float:
    return fsum(score - label for label, score in pairs) / len(pairs)
