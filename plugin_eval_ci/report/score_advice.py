"""What to change first: every missing part and every flag, and by how much the composite would rise without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.dimensions import clamped, penalty_of, rounded
from plugin_eval_ci.measure.measurement import Measurement, Rank
from plugin_eval_ci.report.score_edits import Edit, composite_after, edits, is_measured_plugin, layer_after, static_of
from plugin_eval_ci.score_report import ScoreReport

_LEAST = 0.05  # points; less is not worth a line


class Change(NamedTuple):
    """One thing to do, where, and what the composite gains by it alone.

    In a plugin several members may need the same: ``path`` is the one that gains most (``most`` points), ``others`` are
    the names of the rest.
    """

    points: float
    advice: str
    path: str
    line: int | None = None
    rank: Rank = Rank.PLAIN
    others: tuple[str, ...] = ()
    most: float = 0.0

    @property
    def gain(self) -> str:
        """The points as printed; a gain that nobody can know yet is a question mark."""
        return f"+{self.points:.1f}" if self.points >= _LEAST else "?"


class _Wanted(NamedTuple):
    """A change to one member of a plugin."""

    member: ScoreReport
    edit: Edit
    layer: float  # by how much its layer score rises
    flags: int  # how many flags more (mostly fewer)


def first_changes(report: ScoreReport, count: int = 3) -> tuple[Change, ...]:
    """The changes that raise the composite most, the best first; what is right only for some skills comes last."""
    of_kind = _measured if is_measured_plugin(report) else _plugin if report.kind == "plugin" else _document
    ranked = sorted(of_kind(report), key=lambda change: (change.rank, -change.points, change.path, change.advice))
    return tuple(change for change in ranked if change.points >= _LEAST or change.rank is Rank.FIRST)[:count]


def _document(report: ScoreReport) -> Iterator[Change]:
    static = static_of(report)
    if static is None or report.composite.score is None:
        return
    for edit in edits(report, static):
        gain = rounded(composite_after(report, static, edit) - report.composite.score)
        yield Change(gain, edit.advice, report.path, edit.line, edit.rank, most=gain)
    if any(layer.layer == "trials" for layer in report.layers):
        from plugin_eval_ci.report.trial_advice import findings

        # The parts of the frontmatter stand in the order name, description.
        line = next((part.line for part in reversed(static.sub_scores[0].parts) if part.line), None)
        for found in findings(report):
            yield Change(found.gain, found.advice, report.path, line, most=found.gain)


def _measured(report: ScoreReport) -> Iterator[Change]:
    """For a plugin at depth measured, whose composite is the mean of its skills': the same change to several of them taken together."""
    skills = [member for member in report.members if member.composite.score is not None and member.kind == "skill"]
    same: dict[str, list[tuple[Change, str]]] = {}
    for member in skills:
        for change in _document(member):
            same.setdefault(change.advice, []).append((change, member.name))
    for rows in same.values():
        (first, _), *others = sorted(rows, key=lambda row: (-row[0].points, row[0].path))
        points = rounded(fsum(change.points for change, _ in rows) / len(skills))
        yield first._replace(points=points, others=tuple(name for _, name in others), most=first.points / len(skills))


def _plugin(report: ScoreReport) -> Iterator[Change]:
    """For a plugin: what its members lack, the same change to several of them taken together."""
    statics = [(member, static) for member in report.members if (static := static_of(member)) is not None]
    if not statics or report.composite.score is None:
        return
    wanted: dict[str, list[_Wanted]] = {}
    for member, static in statics:
        for edit in edits(member, static):
            gain = layer_after(member, edit) - static.score
            wanted.setdefault(edit.key, []).append(_Wanted(member, edit, gain, edit.flags - len(static.flags)))
    for rows in wanted.values():
        gains = [_gain(report, statics, [row]) for row in rows]
        order = sorted(range(len(rows)), key=lambda place: (-gains[place], rows[place].member.path))
        first, *others = [
            rows[place] for place in order if gains[place] > 0 or rows[place].edit.rank is Rank.FIRST
        ] or rows[:1]
        yield Change(
            _gain(report, statics, [first, *others]),
            first.edit.advice,
            first.member.path,
            first.edit.line,
            first.edit.rank,
            tuple(row.member.name for row in others),
            max(gains),
        )


def _gain(report: ScoreReport, statics: Sequence[tuple[ScoreReport, Measurement]], rows: Sequence[_Wanted]) -> float:
    """What the plugin's composite gains by these changes together."""
    scores = fsum(static.score for _, static in statics) + fsum(row.layer for row in rows)
    flags = len(report.anti_patterns) + sum(row.flags for row in rows)
    return rounded(clamped(scores / len(statics)) * 100 * penalty_of(flags) - (report.composite.score or 0.0))
