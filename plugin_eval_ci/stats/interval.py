"""What an interval is."""

from __future__ import annotations

from importlib.util import find_spec
from math import sqrt
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
