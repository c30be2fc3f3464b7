"""Is a mean above or below a threshold, looked at after every observation: two fortunes made by betting against the threshold.

Each bet is fair if the mean is the threshold, so a fortune reaches 1/alpha with a chance of at most alpha, however often one looks
(Ville). Observations lie in [0, 1] and come in an order that has nothing to do with their values: means of clusters, shuffled.
The stakes grow with what the spread of the past leaves to be won (after Waudby-Smith and Ramdas).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt
from typing import Literal, NamedTuple

Side = Literal["above", "below"]


class Betting(NamedTuple):
    """The state after some observations; a new one bets on nothing yet."""

    threshold: float
    alpha: float = 0.05
    seen: int = 0
    total: float = 0.0
    squares: float = 0.25  # of what observations differ from the mean before them, and a quarter to begin with
    above: float = 1.0  # the fortune of betting that the mean is above
    below: float = 1.0
    said: Side | None = None  # which fortune first reached 1/alpha

    def after(self, value: float) -> Betting:
        """One observation later; what was said stays said. Raises ``ValueError`` for a value or threshold outside [0, 1]."""
        if not (0 <= value <= 1 and 0 < self.threshold < 1):
            raise ValueError("observations lie in [0, 1] and the threshold between")
        time = self.seen + 1
        stake = sqrt(2 * log(2 / self.alpha) / (self.squares * log(time + 1)))
        gain = value - self.threshold
        above = self.above * (1 + min(stake, 0.5 / self.threshold) * gain)
        below = self.below * (1 - min(stake, 0.5 / (1 - self.threshold)) * gain)
        mean = (0.5 + self.total + value) / (time + 1)
        said = self.said or ("above" if above >= 1 / self.alpha else "below" if below >= 1 / self.alpha else None)
        return self._replace(
            seen=time,
            total=self.total + value,
            squares=self.squares + (value - mean) ** 2,
            above=above,
            below=below,
            said=said,
        )


def decided(values: Iterable[float], threshold: float, alpha: float = 0.05) -> Betting:
    """The state where a fortune first reaches 1/alpha, or after all values."""
    state = Betting(threshold, alpha)
    for value in values:
        state = state.after(value)
        if state.said:
            break
    return state
