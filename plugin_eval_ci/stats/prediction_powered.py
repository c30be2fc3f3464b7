"""A judge's scores, corrected by a few human labels: PPI++ for a mean, Rogan and Gladen for a share that passes, a line for one thing.

The labelled things must be drawn at random from those that the mean or the share is about; for the line it is enough that they were
not chosen by what people say of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

from plugin_eval_ci.stats.intervals import Estimate, Interval, student_quantile


def corrected_mean(pairs: Sequence[tuple[float, float]], others: Sequence[float]) -> Estimate | None:
    """The mean that people would give: ``pairs`` of label and judge's score, ``others``: scores of what has no label (PPI++).

    The weight of the judge is fitted and kept in [0, 1]: a judge that knows nothing is left out, and the labels remain. None with fewer
    than two labels. Without others it is the mean of the labels.
    """
    n, more = len(pairs), len(others)
    if n < 2:
        return None
    labels, judged = [label for label, _ in pairs], [score for _, score in pairs]
    spread = _variance(judged)
    weight = 0.0
    if more and spread > 0:
        weight = min(1.0, max(0.0, _covariance(labels, judged) / ((1 + n / more) * spread)))
    rest = [label - weight * score for label, score in pairs]
    value = fsum(rest) / n + (weight * fsum(others) / more if more else 0.0)
    square = _variance(rest) / n + (weight * weight * _variance(others) / more if more > 1 else 0.0)
    return _estimate(value, student_quantile(n - 1) * sqrt(square), "ppi++", n)


def corrected_share(
    hits: int, n: int, right_hits: int, positives: int, right_misses: int, negatives: int
) -> Estimate | None:
    """The share that people would pass, of ``n`` things of which the judge passes ``hits`` (Rogan and Gladen).

    Of ``positives``, which people pass, the judge passes ``right_hits``; of ``negatives``, which they fail, it fails ``right_misses``.
    The interval is the delta method's, with one success and one failure added to each rate, so that a rate of 0 or 1 has a spread too.
    None when the judge does not beat chance, and without both kinds.
    """
    if not n or not positives or not negatives:
        return None
    sensitivity, specificity, passed = right_hits / positives, right_misses / negatives, hits / n
    gain = sensitivity + specificity - 1
    if gain <= 0:
        return None
    value = (passed + specificity - 1) / gain
    inside = min(1.0, max(0.0, value))
    square = (
        _spread(hits, n)
        + inside**2 * _spread(right_hits, positives)
        + (1 - inside) ** 2 * _spread(right_misses, negatives)
    ) / gain**2
    return _estimate(
        value, student_quantile(positives + negatives - 1) * sqrt(square), "rogan_gladen", positives + negatives
    )


def corrected_score(pairs: Sequence[tuple[float, float]], score: float) -> Estimate | None:
    """What people would give one thing that the judge gives ``score``: a line through the labels, its slope kept in [0, 1].

    The interval is for the label of one thing, so it does not shrink to nothing with more labels. None with fewer than three labels.
    """
    n = len(pairs)
    if n < 3:
        return None
    labels, judged = [label for label, _ in pairs], [one for _, one in pairs]
    spread = _variance(judged)
    slope = min(1.0, max(0.0, _covariance(labels, judged) / spread)) if spread > 0 else 0.0
    middle, centre = fsum(labels) / n, fsum(judged) / n
    left = fsum((label - middle - slope * (one - centre)) ** 2 for label, one in pairs) / (n - 2)
    off = (score - centre) ** 2 / (spread * (n - 1)) if spread > 0 else 0.0
    half = student_quantile(n - 2) * sqrt(left * (1 + 1 / n + off))
    return _estimate(middle + slope * (score - centre), half, "line", n)


def _estimate(value: float, half: float, method: str, n: int) -> Estimate:
    low, inside, high = (min(1.0, max(0.0, one)) for one in (value - half, value, value + half))
    return Estimate(inside, Interval(low, high, method, n, float(n)))


def _spread(hits: int, n: int) -> float:
    """The variance of a rate, one success and one failure added."""
    rate = (hits + 1) / (n + 2)
    return rate * (1 - rate) / n


def _variance(values: Sequence[float]) -> float:
    return _covariance(values, values)


def _covariance(ones: Sequence[float], others: Sequence[float]) -> float:
    n = len(ones)
    if n < 2:
        return 0.0
    middle, centre = fsum(ones) / n, fsum(others) / n
    return fsum((one - middle) * (other - centre) for one, other in zip(ones, others, strict=True)) / (n - 1)
