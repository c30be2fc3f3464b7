"""What a run of some size can see: the drop that a one-sided paired test at 5 % finds in four of five cases."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf, sqrt

ALPHA, POWER = 0.05, 0.80
CHANGE = (
    0.1  # of the true rate of a prompt when a skill changes, as a standard deviation: prompts do not all change alike
)
_MOST = 100_000  # clusters


def difference_sd(rates: Sequence[tuple[float, int]], change: float = CHANGE) -> float | None:
    """The standard deviation that the difference of a prompt between two revisions will have, from one revision's rates and runs.

    Chance of both revisions' runs, and ``change``. None where no prompt was run twice: then what chance does was not seen.
    """
    within = [rate * (1 - rate) * runs / (runs - 1) for rate, runs in rates if runs > 1]
    if not within:
        return None
    runs = fsum(1 / n for _, n in rates) / len(rates)
    return sqrt(2 * fsum(within) / len(within) * runs + change * change)


def detectable(sd: float, clusters: int, alpha: float = ALPHA, power: float = POWER) -> float:
    """The smallest drop that is found with that power; ``sd`` of the differences of clusters. Infinite with fewer than two."""
    if clusters < 2:
        return inf
    from scipy.special import stdtrit

    df = clusters - 1
    return float(stdtrit(df, 1 - alpha) + stdtrit(df, power)) * sd / sqrt(clusters)


def clusters_needed(sd: float, drop: float, alpha: float = ALPHA, power: float = POWER) -> int:
    """Clusters that are needed to find a drop, at most 100,000. Raises ``ValueError`` for a drop that is not above 0."""
    if drop <= 0:
        raise ValueError("a drop is above 0")
    low, high = 2, _MOST
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if detectable(sd, middle, alpha, power) <= drop else (middle + 1, high)
    return low
