"""Ratings from comparisons of two (Bradley and Terry), on the scale of Elo: 400 points are odds of ten to one.

log odds that the first shown wins = strength of the first - strength of the second + what being first is worth. A tie is half a win.
All comparisons are fitted together, so their order means nothing, unlike in a running Elo.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.stats.intervals import student_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MEAN = 1500.0
POINTS = 400 / log(10)  # Elo points a unit of log odds
RIDGE = 0.01  # keeps the strength of somebody who never lost finite; it costs others less than a point in a hundred
# Anchors are drawn to their middle as if it were known that two in three lie within 174 points of it. Each has few duels of its own,
# and one that lost them all would otherwise pull the middle, and with it everybody's rating, by hundreds of points (`make stats`).
ANCHOR_RIDGE = 1.0
_STEPS = 100
_CLOSE = 1e-10


class Duel(NamedTuple):
    """Two compared. ``outcome`` of the one shown first: 1, 0, or ½ for a tie. Duels of a ``task`` are not independent."""

    first: str
    second: str
    outcome: float
    task: str


class Standing(NamedTuple):
    """A rating with its 95 % interval, None with fewer than two tasks; ``wins``, ``ties``, ``losses`` of all its duels."""

    name: str
    rating: float
    low: float | None
    high: float | None
    wins: int
    ties: int
    losses: int


class Fit(NamedTuple):
    """``position``: what being shown first is worth, in Elo points. ``groups``: those connected by duels; ratings of two groups
    cannot be compared, for each has its own middle."""

    standings: tuple[Standing, ...]  # by name
    position: float
    groups: tuple[tuple[str, ...], ...]
    tasks: int

    def of(self, name: str) -> Standing:
        """The standing of that name; ``KeyError`` when it had no duel."""
        return {standing.name: standing for standing in self.standings}[name]


def fit(duels: Sequence[Duel], anchors: frozenset[str] = frozenset()) -> Fit:
    """Rate everybody who had a duel. 1500 is the mean of the ``anchors`` of a group, or of the whole group without one.

    Raises ``ValueError`` without a duel, and for one with itself.
    """
    import numpy as np

    ordered = sorted(
        duels
    )  # sums of floats in one order, so that the order of the duels changes not even the last digit
    if not ordered or any(duel.first == duel.second for duel in ordered):
        raise ValueError("a rating needs duels, and nobody is compared with itself")
    names = sorted({name for duel in ordered for name in (duel.first, duel.second)})
    groups = _groups(names, ordered)
    design = _design(names, ordered)
    outcomes = np.array([duel.outcome for duel in ordered])
    ridge = np.array([ANCHOR_RIDGE if name in anchors else RIDGE for name in names] + [RIDGE])
    strengths, bread = _solve(design, outcomes, ridge)
    tasks = sorted({duel.task for duel in ordered})
    covariance = _sandwich(design, outcomes, strengths, bread, [tasks.index(duel.task) for duel in ordered])
    quantile = student_quantile(len(tasks) - 1) if len(tasks) > 1 else None
    standings = []
    for name in names:
        group = next(group for group in groups if name in group)
        contrast = _contrast(names, name, [one for one in group if one in anchors] or list(group))
        rating = MEAN + POINTS * float(contrast @ strengths)
        half = None if quantile is None else POINTS * quantile * sqrt(max(0.0, float(contrast @ covariance @ contrast)))
        low, high = (None, None) if half is None else (rating - half, rating + half)
        standings.append(Standing(name, rating, low, high, *_record(name, ordered)))
    return Fit(tuple(standings), POINTS * float(strengths[-1]), groups, len(tasks))


def _design(names: Sequence[str], duels: Sequence[Duel]) -> Floats:
    """One row a duel: +1 for the first, -1 for the second, and 1 for the position."""
    import numpy as np

    place = {name: number for number, name in enumerate(names)}
    design = np.zeros((len(duels), len(names) + 1))
    for row, duel in enumerate(duels):
        design[row, place[duel.first]] = 1
        design[row, place[duel.second]] = -1
        design[row, -1] = 1
    return design


def _solve(design: Floats, outcomes: Floats, ridge: Floats) -> tuple[Floats, Floats]:
    """Newton's method on the penalised likelihood, which has one maximum; and the inverse of its curvature there."""
    import numpy as np

    strengths: Floats = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = _chance(design @ strengths)
        slope = design.T @ (outcomes - chance) - ridge * strengths
        curve = design.T @ (design * (chance * (1 - chance))[:, None]) + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        largest = float(np.max(np.abs(step)))
        strengths = strengths + step * min(1.0, 1 / max(largest, _CLOSE))  # a longer step could leap over the maximum
        if largest < _CLOSE:
            break
    chance = _chance(design @ strengths)
    curve = design.T @ (design * (chance * (1 - chance))[:, None]) + np.diag(ridge)
    return strengths, np.asarray(np.linalg.inv(curve), dtype=np.float64)


def _sandwich(design: Floats, outcomes: Floats, strengths: Floats, bread: Floats, tasks: Sequence[int]) -> Floats:
    """The covariance when duels of one task resemble each other: their scores are summed before they are squared."""
    import numpy as np

    m = max(tasks) + 1
    meat = np.zeros((m, design.shape[1]))
    np.add.at(meat, list(tasks), design * (outcomes - _chance(design @ strengths))[:, None])
    covariance: Floats = bread @ (meat.T @ meat) @ bread * (m / (m - 1) if m > 1 else 1.0)
    return covariance


def _chance(odds: Floats) -> Floats:
    import numpy as np

    chance: Floats = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
    return chance


def _contrast(names: Sequence[str], name: str, middle: Sequence[str]) -> Floats:
    """Of the strengths: the one of ``name`` less the mean of ``middle``."""
    import numpy as np

    return np.array([(one == name) - (one in middle) / len(middle) for one in names] + [0.0])


def _record(name: str, duels: Sequence[Duel]) -> tuple[int, int, int]:
    own = [
        duel.outcome if duel.first == name else 1 - duel.outcome for duel in duels if name in (duel.first, duel.second)
    ]
    return sum(one > 0.5 for one in own), sum(one == 0.5 for one in own), sum(one < 0.5 for one in own)


def _groups(names: Sequence[str], duels: Sequence[Duel]) -> tuple[tuple[str, ...], ...]:
    group_of = {name: {name} for name in names}
    for duel in duels:
        if group_of[duel.first] is not group_of[duel.second]:
            both = group_of[duel.first] | group_of[duel.second]
            group_of.update((name, both) for name in both)
    return tuple(sorted({tuple(sorted(group)) for group in group_of.values()}))
