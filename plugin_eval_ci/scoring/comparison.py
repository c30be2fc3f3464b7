"""Two reports side by side: who wins which dimension, by how much, and which findings make the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import Finding
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.util.multiset import multiset_difference

if TYPE_CHECKING:  # it brings the statistics, which a static comparison does not load
    from plugin_eval_ci.scoring.model_results import PairResult

Winner = Literal["a", "b", "tie"]


class Row(NamedTuple):
    """One dimension on both sides, in [0, 1]; a side that was not measured is None and nobody wins."""

    name: str
    weight: float
    a: float | None
    b: float | None
    difference: float | None  # b less a
    winner: Winner | None


class Comparison(NamedTuple):
    """Two reports and what sets them apart: ``only_a`` and ``only_b`` weigh in the score, ``other_a`` and ``other_b`` do not."""

    a: ScoreReport
    b: ScoreReport
    difference: float | None
    winner: Winner | None
    rows: tuple[Row, ...]
    only_a: tuple[Finding, ...]
    only_b: tuple[Finding, ...]
    other_a: tuple[Finding, ...] = ()
    other_b: tuple[Finding, ...] = ()
    paired: PairResult | None = None  # both on the same tasks, as a model judges their work
    unpaired: str = ""  # why they were to be and are not


def compare(a: ScoreReport, b: ScoreReport) -> Comparison:
    """Compare two reports. Raises ``UsageError`` for reports whose numbers do not mean the same."""
    for what, one, other in (
        ("methodologies", a.methodology, b.methodology),
        ("depths", a.depth.name, b.depth.name),
        ("kinds", a.kind, b.kind),
    ):
        if one != other:
            raise UsageError(f"{a.path} and {b.path} cannot be compared: their {what} differ ({one} and {other})")
    difference, winner = _judge(a.composite.score, b.composite.score)
    return Comparison(
        a,
        b,
        difference,
        winner,
        _rows(a, b),
        _without(_weighing(a), _weighing(b)),
        _without(_weighing(b), _weighing(a)),
        _without(_weightless(a), _weightless(b)),
        _without(_weightless(b), _weightless(a)),
    )


def _rows(a: ScoreReport, b: ScoreReport) -> tuple[Row, ...]:
    pairs = zip(a.composite.dimensions, b.composite.dimensions, strict=True)
    return tuple(
        Row(one.name, one.weight, one.score, other.score, *_judge(one.score, other.score)) for one, other in pairs
    )


def _judge(a: float | None, b: float | None) -> tuple[float | None, Winner | None]:
    if a is None or b is None:
        return None, None
    difference = round_score(b - a)
    return difference, "tie" if difference == 0 else "b" if difference > 0 else "a"


def _weighing(report: ScoreReport) -> list[Finding]:
    others = [finding for finding in report.findings if finding.weight is not None and not finding.anti_pattern]
    return [*report.anti_patterns, *others]


def _weightless(report: ScoreReport) -> list[Finding]:
    """What costs no points, the worst first."""
    others = [finding for finding in report.findings if finding.weight is None and not finding.anti_pattern]
    return sorted(others, key=lambda finding: -finding.severity)


def _without(findings: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that have no counterpart on the other side: the same rule about the same target, line or not."""
    return multiset_difference(findings, map(_mark, others), _mark)


def _mark(finding: Finding) -> tuple[str, str]:
    return (finding.rule, finding.target)
