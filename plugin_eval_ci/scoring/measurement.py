"""What a layer says: sub-scores, each the sum of named parts, so that a report can tell which part is missing."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.scoring.dimensions import clamp

if TYPE_CHECKING:
    from plugin_eval_ci.scoring.layer_details import Details


class Rank(IntEnum):
    """How far up an advice may stand, whatever it gains: nobody shall add what a skill does not need."""

    FIRST = 0  # without it the others cannot be judged
    PLAIN = 1
    IF_MEANT = 2  # right for some skills only; the advice says for which
    LAST = 3  # a size: nothing to work on


class Part(NamedTuple):
    """One summand of a sub-score: what it gives here, what it can give at best, and how to get there.

    ``clears`` are the anti-patterns that the same change removes; parts with the same ``edit`` are one change, advised
    by the first that has words. A part without words and without such a partner is nothing to act on.
    """

    points: float
    best: float
    advice: str = ""
    clears: tuple[str, ...] = ()
    rank: Rank = Rank.PLAIN
    edit: str = ""
    line: int | None = None  # where the change would be made, if it has one place


class SubScore(NamedTuple):
    """A sub-score in [0, 1] and its parts."""

    name: str
    score: float
    parts: tuple[Part, ...] = ()


class DimensionValue(NamedTuple):
    """What a layer says about one dimension, in [0, 1]."""

    name: str
    score: float


class Measurement(NamedTuple):
    """The result of one layer; ``flags`` are the anti-patterns that lowered its score.

    ``silent``: dimensions that it should have measured and did not, with the reason. ``details``: of a layer that asks a model.
    """

    layer: str
    score: float
    sub_scores: tuple[SubScore, ...]
    dimensions: tuple[DimensionValue, ...]
    flags: tuple[str, ...] = ()
    silent: tuple[tuple[str, str], ...] = ()
    details: Details | None = None

    def dimension(self, name: str) -> float | None:
        """The score of a dimension, or None when this layer gives none."""
        return next((value.score for value in self.dimensions if value.name == name), None)


class Unmeasured(NamedTuple):
    """Why a layer has no result."""

    layer: str
    reason: str
    details: Details | None = None


def sub_score(name: str, parts: Iterable[Part]) -> SubScore:
    """The sub-score that parts add up to."""
    listed = tuple(parts)
    return SubScore(name, clamp(fsum(part.points for part in listed)), listed)


def step(value: float, steps: tuple[tuple[float, float], ...]) -> float:
    """The points of the first step that ``value`` reaches; steps are listed from the highest down."""
    return next((points for least, points in steps if value >= least), 0.0)


def part_if(
    holds: bool,
    points: float,
    advice: str,
    clears: tuple[str, ...] = (),
    rank: Rank = Rank.PLAIN,
    edit: str = "",
    line: int | None = None,
) -> Part:
    """A part that is there or not."""
    return Part(points if holds else 0.0, points, advice, clears, rank, edit, line)
