"""One report to the changes that would raise its numbers, each as the measurement would see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plugin_eval_ci.dimensions import STATIC_SUB_SCORES, clamped, penalty_of
from plugin_eval_ci.measure.measurement import DimensionValue, Measurement, Part, Rank, SubScore, sub_score
from plugin_eval_ci.measure.static import LAYER, layer_score
from plugin_eval_ci.score import composite_of
from plugin_eval_ci.score_report import ScoreReport


class Edit(NamedTuple):
    """One change: ``key`` is equal for the same change to several members."""

    key: str
    advice: str
    rank: Rank
    scores: tuple[SubScore, ...]
    flags: int
    line: int | None


def static_of(report: ScoreReport) -> Measurement | None:
    """The static layer, if it measured."""
    return next((layer for layer in report.layers if layer.layer == LAYER), None)


def is_measured_plugin(report: ScoreReport) -> bool:
    """Whether the composite is the mean of the skills' composites, rather than of the static layers of all members."""
    return report.kind == "plugin" and report.depth.name == "measured"


def edits(report: ScoreReport, static: Measurement) -> Iterator[Edit]:
    """The parts that give less than they could, then the flags that no part clears."""
    cleared: set[str] = set()
    for key, parts in _grouped(static).items():
        spoken = next((part for part in parts if part.advice), None)
        if spoken is None:
            continue
        gone = [flag for flag in static.flags if any(flag in part.clears for part in parts)]
        cleared.update(gone)
        lines = (part.line for part in parts if part.line)
        line = _line_of(report, gone) or next(lines, None)
        yield Edit(key, spoken.advice, spoken.rank, _mended(static, parts), len(static.flags) - len(gone), line)
    for rule in dict.fromkeys(static.flags):
        if rule not in cleared:
            advice = _mend(report, rule)
            left = len(static.flags) - static.flags.count(rule)
            yield Edit(advice, advice, Rank.PLAIN, static.sub_scores, left, _line_of(report, [rule]))


def _grouped(static: Measurement) -> dict[str, list[Part]]:
    """The parts to mend by the change that mends them, in their order."""
    groups: dict[str, list[Part]] = {}
    for score in static.sub_scores:
        for part in score.parts:
            if part.points < part.best or part.rank is Rank.FIRST:
                groups.setdefault(part.edit or part.advice, []).append(part)
    return groups


def _mended(static: Measurement, parts: Sequence[Part]) -> tuple[SubScore, ...]:
    """The sub-scores with these parts at their best."""
    chosen = {id(part) for part in parts}
    return tuple(
        sub_score(score.name, (part._replace(points=part.best) if id(part) in chosen else part for part in score.parts))
        if any(id(part) in chosen for part in score.parts)
        else score
        for score in static.sub_scores
    )


def composite_after(report: ScoreReport, static: Measurement, edit: Edit) -> float:
    """The composite of a skill or agent with one change made."""
    if report.kind == "agent":
        return edit.scores[0].score * 100 * penalty_of(edit.flags)
    by_name = {score.name: score.score for score in edit.scores}
    values = tuple(DimensionValue(row.dimension, by_name[row.name]) for row in STATIC_SUB_SCORES if row.dimension)
    values += tuple(value for value in static.dimensions if value.name not in {one.name for one in values})
    layers = {layer.layer: layer for layer in report.layers} | {LAYER: static._replace(dimensions=values)}
    return composite_of(report.depth, layers, edit.flags, report.elo).score or 0.0


def layer_after(report: ScoreReport, edit: Edit) -> float:
    """The static layer's score with one change made."""
    if report.kind == "agent":
        return clamped(edit.scores[0].score * penalty_of(edit.flags))
    return layer_score(edit.scores, edit.flags)


def _line_of(report: ScoreReport, rules: Sequence[str]) -> int | None:
    return next((finding.line for finding in report.anti_patterns if finding.rule in rules), None)


def _mend(report: ScoreReport, rule: str) -> str:
    found = [finding for finding in report.anti_patterns if finding.rule == rule]
    if len(found) == 1:
        return f"{rule}: {found[0].message}. {found[0].fix}".rstrip()
    return f"Mend the {len(found)} findings of {rule}, of which this is the first."
