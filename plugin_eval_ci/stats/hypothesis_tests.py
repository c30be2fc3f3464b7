"""A sign-flip test of paired differences, told as the means of random parts of them.

When nothing sets the two sides apart, each difference could as well have come out with the other sign. The share of all ways to flip
signs that give a sum as low as the one seen is the share of all subsets whose own sum is not negative (here: is positive, and half of
those that sum to nothing); and the quantiles of the means of those subsets are the bounds that belong to the same test. Nothing is
assumed of the shape of the differences but that symmetry, no variance is estimated, and raising any one difference never lowers a
number that comes out: a better record cannot become a worse verdict.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb, fsum, inf, log, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


def benjamini_hochberg(ps: Sequence[float], weights: Sequence[float] | None = None) -> tuple[float, ...]:
    """Each p as the smallest share of false discoveries at which it would be one, in the order given.

    ``weights``, positive and set before anything is seen, say where a change is looked for rather than elsewhere; only their ratios count.
    """
    given = [1.0] * len(ps) if weights is None else list(weights)
    mean = sum(given) / len(given) if given else 1.0
    shared = [min(1.0, p * mean / weight) for p, weight in zip(ps, given, strict=True)]
    order = sorted(range(len(ps)), key=lambda place: shared[place], reverse=True)
    found = [1.0] * len(ps)
    least = 1.0
    for rank, place in enumerate(order):
        least = min(least, shared[place] * len(ps) / (len(ps) - rank))
        found[place] = least
    return tuple(found)


ALPHA = 0.05  # one-sided
_EXACT = 13  # differences of which every subset is looked at
_DRAWN = 9_999  # subsets of more than that
_SEED = 20_261
_DIGITS = 9  # of sums: a third thrice is one


class Flips(NamedTuple):
    """``p_fell``: of no change, against a fall; ``p_rose``: against a rise; a subset that sums to nothing counts by half (the mid-p), for
    outcomes that are often equal would make the test too shy. ``low`` and ``high`` are one-sided bounds of the mean, each at ``ALPHA``
    and on the same side of nothing as the test; infinite where there are too few differences for one."""

    mean: float
    p_fell: float
    p_rose: float
    low: float
    high: float


def flips(differences: Sequence[float], alpha: float = ALPHA) -> Flips:
    """Test the mean of independent differences. Their order decides which subsets are drawn, where there are too many to look at all.

    Raises ``ValueError`` without any.
    """
    import numpy

    if not differences:
        raise ValueError("no differences")
    members, sizes = _subsets(len(differences))
    sums = numpy.round(members @ numpy.asarray(differences, dtype=float), _DIGITS)
    total = len(sums) + 1  # with the empty subset, which stands for what was seen
    allowed = int(alpha * total + 1e-9)
    means = numpy.sort(sums / sizes)
    ties = 0.5 * float((sums == 0).sum()) + 0.5
    p_fell, p_rose = (ties + float((sums > 0).sum())) / total, (ties + float((sums < 0).sum())) / total
    low = float(means[allowed - 1]) if allowed else -inf
    high = float(means[-allowed]) if allowed else inf
    return Flips(
        fsum(differences) / len(differences),
        p_fell,
        p_rose,
        max(low, 0.0) if p_rose <= alpha else low,
        min(high, 0.0) if p_fell <= alpha else high,
    )


@lru_cache(maxsize=8)
def _subsets(size: int) -> tuple[NDArray[float64], NDArray[float64]]:
    """Which of ``size`` differences are in each subset, one a row, and how many. None of them is empty. The same on every machine."""
    import numpy

    if size <= _EXACT:
        numbers: Iterable[int] = range(1, 1 << size)
    else:
        draw = random.Random(_SEED)
        numbers = (draw.randrange(1, 1 << size) for _ in range(_DRAWN))
    length = -(-size // 8)
    octets = numpy.frombuffer(b"".join(number.to_bytes(length, "little") for number in numbers), dtype=numpy.uint8)
    bits = numpy.unpackbits(octets.reshape(-1, length), axis=1, bitorder="little")[:, :size]
    members = bits.astype(float)
    return members, members.sum(axis=1)


def sign_test(wins: int, losses: int) -> float | None:
    """How often a fair coin would favour one side at least as much, two-sided and exact. Ties stay out; None without a comparison."""
    n = wins + losses
    if not n:
        return None
    tail = sum(comb(n, k) for k in range(max(wins, losses), n + 1))
    return float(min(1.0, 2 * tail / 2**n))


Side = Literal["above", "below"]


class BettingState(NamedTuple):
    """The state after some observations; a new one bets on nothing yet."""

    threshold: float
    alpha: float = 0.05
    seen: int = 0
    total: float = 0.0
    squares: float = 0.25  # of what observations differ from the mean before them, and a quarter to begin with
    above: float = 1.0  # the fortune of betting that the mean is above
    below: float = 1.0
    said: Side | None = None  # which fortune first reached 1/alpha

    def after(self, value: float) -> BettingState:
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


def sequential_test(values: Iterable[float], threshold: float, alpha: float = 0.05) -> BettingState:
    """The state where a fortune first reaches 1/alpha, or after all values."""
    state = BettingState(threshold, alpha)
    for value in values:
        state = state.after(value)
        if state.said:
            break
    return state


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
