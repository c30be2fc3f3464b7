"""What to change first: every missing part and every flag, and by how much the composite would rise without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.scoring.composite import composite_of
from plugin_eval_ci.scoring.dimensions import STATIC_SUB_SCORES, clamp, penalty_of, round_score
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement, Part, Rank, SubScore, sub_score
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.scoring.static.layer import LAYER, layer_score


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
    for key, parts in _parts_by_edit(static).items():
        spoken = next((part for part in parts if part.advice), None)
        if spoken is None:
            continue
        gone = [flag for flag in static.flags if any(flag in part.clears for part in parts)]
        cleared.update(gone)
        lines = (part.line for part in parts if part.line)
        line = _line_of(report, gone) or next(lines, None)
        yield Edit(
            key, spoken.advice, spoken.rank, _sub_scores_after(static, parts), len(static.flags) - len(gone), line
        )
    for rule in dict.fromkeys(static.flags):
        if rule not in cleared:
            advice = _flag_advice(report, rule)
            left = len(static.flags) - static.flags.count(rule)
            yield Edit(advice, advice, Rank.PLAIN, static.sub_scores, left, _line_of(report, [rule]))


def _parts_by_edit(static: Measurement) -> dict[str, list[Part]]:
    """The parts to improve, by the change that improves them, in their order."""
    groups: dict[str, list[Part]] = {}
    for score in static.sub_scores:
        for part in score.parts:
            if part.points < part.best or part.rank is Rank.FIRST:
                groups.setdefault(part.edit or part.advice, []).append(part)
    return groups


def _sub_scores_after(static: Measurement, parts: Sequence[Part]) -> tuple[SubScore, ...]:
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
        return clamp(edit.scores[0].score * penalty_of(edit.flags))
    return layer_score(edit.scores, edit.flags)


def _line_of(report: ScoreReport, rules: Sequence[str]) -> int | None:
    return next((finding.line for finding in report.anti_patterns if finding.rule in rules), None)


def _flag_advice(report: ScoreReport, rule: str) -> str:
    found = [finding for finding in report.anti_patterns if finding.rule == rule]
    if len(found) == 1:
        return f"{rule}: {found[0].message}. {found[0].fix}".rstrip()
    return f"Fix all {len(found)} {rule} findings; this is the first."


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
        """The points as printed; an unknown gain is a question mark."""
        return f"+{self.points:.1f}" if self.points >= _LEAST else "?"


class _MemberEdit(NamedTuple):
    """A change to one member of a plugin."""

    member: ScoreReport
    edit: Edit
    layer: float  # by how much its layer score rises
    flags: int  # how many flags more (mostly fewer)


def first_changes(report: ScoreReport, count: int = 3) -> tuple[Change, ...]:
    """The changes that raise the composite most, the best first; what is right only for some skills comes last."""
    changes_of = _measured if is_measured_plugin(report) else _plugin if report.kind == "plugin" else _document
    ranked = sorted(changes_of(report), key=lambda change: (change.rank, -change.points, change.path, change.advice))
    return tuple(change for change in ranked if change.points >= _LEAST or change.rank is Rank.FIRST)[:count]


def _document(report: ScoreReport) -> Iterator[Change]:
    static = static_of(report)
    if static is None or report.composite.score is None:
        return
    for edit in edits(report, static):
        gain = round_score(composite_after(report, static, edit) - report.composite.score)
        yield Change(gain, edit.advice, report.path, edit.line, edit.rank, most=gain)
    if any(layer.layer == "trials" for layer in report.layers):
        from plugin_eval_ci.report.trials.advice import findings

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
        points = round_score(fsum(change.points for change, _ in rows) / len(skills))
        yield first._replace(points=points, others=tuple(name for _, name in others), most=first.points / len(skills))


def _plugin(report: ScoreReport) -> Iterator[Change]:
    """For a plugin: what its members lack, the same change to several of them taken together."""
    statics = [(member, static) for member in report.members if (static := static_of(member)) is not None]
    if not statics or report.composite.score is None:
        return
    wanted: dict[str, list[_MemberEdit]] = {}
    for member, static in statics:
        for edit in edits(member, static):
            gain = layer_after(member, edit) - static.score
            wanted.setdefault(edit.key, []).append(_MemberEdit(member, edit, gain, edit.flags - len(static.flags)))
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


def _gain(
    report: ScoreReport, statics: Sequence[tuple[ScoreReport, Measurement]], rows: Sequence[_MemberEdit]
) -> float:
    """What the plugin's composite gains by these changes together."""
    scores = fsum(static.score for _, static in statics) + fsum(row.layer for row in rows)
    flags = len(report.anti_patterns) + sum(row.flags for row in rows)
    return round_score(clamp(scores / len(statics)) * 100 * penalty_of(flags) - (report.composite.score or 0.0))
