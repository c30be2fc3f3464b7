"""What to change first: every missing part and every flag, and by how much the composite would rise without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.dimensions import STATIC_SUB_SCORES, clamped, penalty_of, rounded
from plugin_eval_ci.measure.measurement import DimensionValue, Measurement, SubScore, sub_score
from plugin_eval_ci.measure.static import LAYER, layer_score
from plugin_eval_ci.score_report import ScoreReport
from plugin_eval_ci.score import composite_of

_LEAST = 0.05  # points; less is not worth a line


class Change(NamedTuple):
    """One thing to do, and what the composite gains by it alone."""

    points: float
    advice: str
    path: str
    line: int | None = None


class _Edit(NamedTuple):
    """A change as the measurement would see it."""

    advice: str
    scores: tuple[SubScore, ...]
    flags: int
    line: int | None


def first_changes(report: ScoreReport, count: int = 3) -> tuple[Change, ...]:
    """The changes that raise the composite most, the best first."""
    changes = _plugin(report) if report.kind == "plugin" else _document(report)
    ranked = sorted(changes, key=lambda change: (-change.points, change.path, change.advice))
    return tuple(change for change in ranked if change.points >= _LEAST)[:count]


def _static(report: ScoreReport) -> Measurement | None:
    return next((layer for layer in report.layers if layer.layer == LAYER), None)


def _document(report: ScoreReport) -> Iterator[Change]:
    static = _static(report)
    if static is None or report.composite.score is None:
        return
    for edit in _edits(report, static):
        value = _composite_after(report, static, edit)
        yield Change(rounded(value - report.composite.score), edit.advice, report.path, edit.line)


def _composite_after(report: ScoreReport, static: Measurement, edit: _Edit) -> float:
    if report.kind == "agent":
        return edit.scores[0].score * 100 * penalty_of(edit.flags)
    by_name = {score.name: score.score for score in edit.scores}
    values = tuple(DimensionValue(row.dimension, by_name[row.name]) for row in STATIC_SUB_SCORES if row.dimension)
    layers = {layer.layer: layer for layer in report.layers} | {LAYER: static._replace(dimensions=values)}
    return composite_of(report.depth, layers, edit.flags, report.elo).score or 0.0


def _edits(report: ScoreReport, static: Measurement) -> Iterator[_Edit]:
    """The parts that give less than they could, then the flags that no part clears."""
    cleared: set[str] = set()
    for index, score in enumerate(static.sub_scores):
        for position, part in enumerate(score.parts):
            if part.points >= part.best:
                continue
            parts = (*score.parts[:position], part._replace(points=part.best), *score.parts[position + 1 :])
            after = (*static.sub_scores[:index], sub_score(score.name, parts), *static.sub_scores[index + 1 :])
            gone = [flag for flag in static.flags if flag in part.clears]
            cleared.update(gone)
            yield _Edit(part.advice, after, len(static.flags) - len(gone), _line_of(report, gone))
    for rule in dict.fromkeys(static.flags):
        if rule not in cleared:
            yield _Edit(
                _mend(report, rule),
                static.sub_scores,
                len(static.flags) - static.flags.count(rule),
                _line_of(report, [rule]),
            )


def _line_of(report: ScoreReport, rules: Sequence[str]) -> int | None:
    return next((finding.line for finding in report.anti_patterns if finding.rule in rules), None)


def _mend(report: ScoreReport, rule: str) -> str:
    found = [finding for finding in report.anti_patterns if finding.rule == rule]
    if len(found) == 1:
        return f"{rule}: {found[0].fix or found[0].message}"
    return f"Mend the {len(found)} findings of {rule}."


def _plugin(report: ScoreReport) -> Iterator[Change]:
    """For a plugin: what its members lack, the same advice to several of them taken together."""
    statics = [(member, static) for member in report.members if (static := _static(member)) is not None]
    if not statics or report.composite.score is None:
        return
    now = fsum(static.score for _, static in statics)
    wanted: dict[str, list[tuple[ScoreReport, float, int, int | None]]] = {}
    for member, static in statics:
        for edit in _edits(member, static):
            gain = _layer_after(member, edit) - static.score
            wanted.setdefault(edit.advice, []).append((member, gain, edit.flags - len(static.flags), edit.line))
    for advice, rows in wanted.items():
        scores = now + fsum(gain for _, gain, _, _ in rows)
        flags = len(report.anti_patterns) + sum(change for _, _, change, _ in rows)
        value = clamped(scores / len(statics)) * 100 * penalty_of(flags)
        member, _, _, line = rows[0]
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        yield Change(rounded(value - report.composite.score), advice, member.path + more, line)


def _layer_after(member: ScoreReport, edit: _Edit) -> float:
    if member.kind == "agent":
        return clamped(edit.scores[0].score * penalty_of(edit.flags))
    return layer_score(edit.scores, edit.flags)
