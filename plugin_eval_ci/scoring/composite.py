"""Measurements to a composite: blended, weighted, penalised. What was not measured takes no part (section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.scoring.dimensions import (
    DIMENSIONS,
    Depth,
    Dimension,
    badge_of,
    clamp,
    grade_of,
    penalty_of,
    round_score,
    why_unmeasured,
)
from plugin_eval_ci.scoring.measurement import Measurement


class DimensionScore(NamedTuple):
    """A dimension in the result: in [0, 1], or None with the reason."""

    name: str
    weight: float
    score: float | None
    grade: str | None
    weighted_score: float | None  # weight times score, not renormalised
    reason: str | None = None


class Composite(NamedTuple):
    """The number on 0-100, None when nothing was measured, and what it is made of."""

    score: float | None
    badge: str
    confidence_label: str
    anti_pattern_penalty: float
    dimensions: tuple[DimensionScore, ...]
    ci_lower: float | None = None
    ci_upper: float | None = None
    badge_lower: str | None = None  # the badge that the lower end earns; None without one


def composite_of(
    depth: Depth,
    layers: Mapping[str, Measurement],
    flags: int,
    elo: float | None = None,
    reasons: Mapping[str, str] | None = None,
) -> Composite:
    """The composite of a skill. ``layers`` may be any set; ``reasons`` say why a layer is silent about a dimension."""
    scores = tuple(_dimension(row, depth, layers, reasons or {}) for row in DIMENSIONS)
    return _composite(depth, mean_of(scores), flags, scores, elo)


def with_interval(composite: Composite, ends: tuple[float, float] | None, elo: float | None = None) -> Composite:
    """The composite with the ends of its interval, on 0-100, and the badge that the lower one earns."""
    if ends is None or composite.score is None:
        return composite
    low, high = (round_score(min(100.0, max(0.0, end))) for end in ends)
    return composite._replace(ci_lower=low, ci_upper=high, badge_lower=badge_of(low, elo).name)


def composite_without_dimensions(depth: Depth, score: float | None, flags: int) -> Composite:
    """The composite of what has no dimensions: a plugin's mean, or an agent's score."""
    return _composite(depth, score, flags, (), None)


def _composite(
    depth: Depth, score: float | None, flags: int, scores: tuple[DimensionScore, ...], elo: float | None
) -> Composite:
    penalty = penalty_of(flags)
    value = None if score is None else round_score(min(100.0, max(0.0, score * 100 * penalty)))
    return Composite(value, badge_of(value, elo).name, depth.label, penalty, scores)


def mean_of(scores: tuple[DimensionScore, ...]) -> float | None:
    """The mean weighted by dimension, over those that were measured."""
    measured = [(row.weight, row.score) for row in scores if row.score is not None]
    if not measured:
        return None
    return fsum(weight * score for weight, score in measured) / fsum(weight for weight, _ in measured)


def _dimension(
    row: Dimension, depth: Depth, layers: Mapping[str, Measurement], reasons: Mapping[str, str]
) -> DimensionScore:
    score = blended_score(row, depth, layers)
    if score is None:
        return DimensionScore(
            row.name, row.weight, None, None, None, reasons.get(row.name) or why_unmeasured(row, depth)
        )
    return DimensionScore(row.name, row.weight, score, grade_of(score * 100), round_score(row.weight * score))


def blended_score(row: Dimension, depth: Depth, layers: Mapping[str, Measurement]) -> float | None:
    """What the layers that measured a dimension say together; None when none did."""
    blend = row.blend_at(depth.name)
    said = [
        (blend.of(name), score)
        for name, layer in sorted(layers.items())
        if blend.of(name) and (score := layer.dimension(row.name)) is not None
    ]
    if not said:
        return None
    return clamp(fsum(weight * score for weight, score in said) / fsum(weight for weight, _ in said))
