"""Intervals of what is made of several rates, from the intervals of these ("recovered variances": Zou and Donner).

Each end is as far out as the ends that matter for it are, taken together as independent errors are. Where a rate is 0 or 1 its own
interval still has a width, so what is made of it has one: drawing again from what was seen would say that nothing can vary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95
TAIL = (1 - LEVEL) / 2  # left out at each end
INSTALL = "pip install 'plugin-eval-ci[llm]'"


class Interval(NamedTuple):
    """``n`` observations, worth ``n_eff`` independent ones."""

    low: float
    high: float
    method: str
    n: int
    n_eff: float


def available() -> bool:
    """Whether the intervals can be computed at all: some need scipy, which the extra ``llm`` brings."""
    return find_spec("scipy") is not None


def score_interval(rate: float, n_eff: float, quantile: float, method: str, n: int) -> Interval:
    """Wilson's formula for a rate in [0, 1] of ``n_eff`` independent observations; ``quantile`` of the normal or of Student's t."""
    square = quantile * quantile
    scale = 1 + square / n_eff
    middle = (rate + square / (2 * n_eff)) / scale
    half = quantile / scale * sqrt(rate * (1 - rate) / n_eff + square / (4 * n_eff * n_eff))
    # At a rate of 0 or 1 the formula gives that end itself, and rounding must not leave it a hair inside.
    low = 0.0 if rate == 0 else max(0.0, middle - half)
    high = 1.0 if rate == 1 else min(1.0, middle + half)
    return Interval(low, high, method, n, float(n_eff))


class Estimate(NamedTuple):
    """A value with its interval, None where too little was seen for one."""

    value: float
    interval: Interval | None

    def through(self, curve: Callable[[float], float]) -> Estimate:
        """The same seen through a monotone curve."""
        value = curve(self.value)
        if self.interval is None:
            return Estimate(value, None)
        low, high = sorted((curve(self.interval.low), curve(self.interval.high)))
        return Estimate(value, self.interval._replace(low=low, high=high))

    def scaled(self, by: float, plus: float = 0.0) -> Estimate:
        """``by`` times this and ``plus``; ``by`` may be negative."""
        return self.through(lambda value: value * by + plus)


def total(parts: Sequence[Estimate]) -> Estimate:
    """The sum of independent estimates."""
    value = fsum(part.value for part in parts)
    spans = [part.interval for part in parts if part.interval is not None]
    if len(spans) < len(parts) or not spans:
        return Estimate(value, None)
    low = value - sqrt(fsum((part.value - span.low) ** 2 for part, span in zip(parts, spans, strict=True)))
    high = value + sqrt(fsum((span.high - part.value) ** 2 for part, span in zip(parts, spans, strict=True)))
    return Estimate(
        value, Interval(low, high, "recovered", sum(one.n for one in spans), fsum(one.n_eff for one in spans))
    )


def ratio(above: Estimate, below: Estimate) -> Estimate:
    """``above / below`` of independent estimates, neither negative; ``below`` and its lower end are above 0.

    Raises ``ZeroDivisionError`` where ``below`` is 0.
    """
    value = above.value / below.value
    a, b = above.interval, below.interval
    if a is None or b is None:
        return Estimate(value, None)
    square = (above.value * below.value) ** 2
    low_part, low_scale = a.low * (2 * above.value - a.low), b.high * (2 * below.value - b.high)
    high_part, high_scale = a.high * (2 * above.value - a.high), b.low * (2 * below.value - b.low)
    reach = above.value * below.value + sqrt(max(0.0, square - low_part * low_scale))
    low = low_part / reach if reach > 0 else 0.0
    high = (above.value * below.value + sqrt(max(0.0, square - high_part * high_scale))) / high_scale
    return Estimate(value, Interval(max(0.0, low), high, "recovered", a.n + b.n, a.n_eff + b.n_eff))


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
    Where all observations agree they have no spread to learn from: each cluster then counts once.
    """
    groups = [(fsum(group), len(group)) for group in clusters.values() if group]
    m, n = len(groups), sum(size for _, size in groups)
    if m < 2:
        return None
    rate = min(1.0, max(0.0, fsum(hits for hits, _ in groups) / n))
    variance = m / (m - 1) * fsum((hits - rate * size) ** 2 for hits, size in groups) / (n * n)
    most = max(float(n), runs or 0.0)
    n_eff = min(most, rate * (1 - rate) / variance) if 0 < rate < 1 and variance > 0 else float(m)
    return score_interval(rate, n_eff, student_quantile(m - 1), "clustered_wilson", n)


def student_quantile(df: float) -> float:
    """The upper quantile of Student's t for an interval of our level."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 1 - TAIL))
