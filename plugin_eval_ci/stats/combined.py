"""Intervals of what is made of several rates, from the intervals of these ("recovered variances": Zou and Donner).

Each end is as far out as the ends that matter for it are, taken together as independent errors are. Where a rate is 0 or 1 its own
interval still has a width, so what is made of it has one: drawing again from what was seen would say that nothing can vary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from plugin_eval_ci.stats.interval import Interval


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
