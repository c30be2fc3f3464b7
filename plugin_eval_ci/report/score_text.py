"""A score for a terminal: what a maintainer reads."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.dimensions import badge_named
from plugin_eval_ci.measure.static import portability
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.score_advice import first_changes
from plugin_eval_ci.score_report import ScoreReport
from plugin_eval_ci.score import DimensionScore

_BAR = 20
_MOST = 10  # findings that are neither anti-patterns nor about portability
_BADGE_COLORS = {"platinum": "36", "gold": "33", "silver": "37", "bronze": "33", "no_badge": "31"}


def render(report: ScoreReport, color: bool) -> str:
    """The whole text, with a final newline."""
    blocks = [_head(report, color)]
    for title, rows in (
        ("Dimensions", _dimensions(report, color)),
        ("Members", _members(report)),
        ("Static layer", _sub_scores(report)),
        ("Anti-patterns", _findings(report.anti_patterns, color)),
        ("Portability", _findings(tuple(portability(report.findings)), color)),
        ("Other findings", _others(report, color)),
        ("Context cost, in estimated tokens", _cost(report)),
        ("What to change first", _changes(report)),
        ("Notes", (f"  {for_terminal(note)}" for note in report.notes)),
    ):
        lines = list(rows)
        if lines:
            blocks.append("\n".join([paint(title, "1", color), *lines]))
    return "\n\n".join(blocks) + "\n"


def paint(text: str, code: str, color: bool) -> str:
    """``text`` in an ANSI style, if there are to be any."""
    return f"\x1b[{code}m{text}\x1b[0m" if color else text


def _head(report: ScoreReport, color: bool) -> str:
    composite = report.composite
    badge = badge_named(composite.badge)
    score = "—" if composite.score is None else points(composite.score)
    said = "no badge" if composite.badge == "no_badge" else f"{badge.stars} {badge.name.capitalize()}"
    lines = [
        f"{paint(for_terminal(report.name), '1', color)}  {report.kind} {for_terminal(report.path)}",
        f"Composite  {paint(score, '1', color)}  {paint(said, _BADGE_COLORS[composite.badge], color)}"
        f"  {composite.confidence_label} (depth {report.depth.name})",
    ]
    count = len(report.anti_patterns)
    if count:
        many = "1 anti-pattern" if count == 1 else f"{count} anti-patterns"
        lines.append(f"Penalty    x {composite.anti_pattern_penalty:.2f} for {many}")
    return "\n".join(lines)


def points(value: float) -> str:
    """A composite with two decimals; cut, not rounded up, so that 89.999 does not read as the 90 it is not."""
    return f"{int(round(value * 100, 6)) / 100:.2f}"


def bar(score: float) -> str:
    """A score in [0, 1] as a bar."""
    full = int(round(score * _BAR, 6))
    return "█" * full + "░" * (_BAR - full)


def _dimensions(report: ScoreReport, color: bool) -> Iterator[str]:
    for row in report.composite.dimensions:
        yield _dimension(row, color)


def _dimension(row: DimensionScore, color: bool) -> str:
    start = f"  {row.name:<24}{row.weight * 100:3.0f} %  "
    if row.score is None:
        return start + paint(f"—  not measured: {row.reason}", "2", color)
    return f"{start}{bar(row.score)}  {points(row.score * 100):>6}  {row.grade}"


def _members(report: ScoreReport) -> Iterator[str]:
    for member in report.members:
        score = "—" if member.composite.score is None else points(member.composite.score)
        flags = ", ".join(finding.rule for finding in member.anti_patterns)
        yield f"  {score:>6}  {member.kind:<5}  {for_terminal(member.name)}" + (f"  ({flags})" if flags else "")


def _sub_scores(report: ScoreReport) -> Iterator[str]:
    for layer in report.layers:
        yield f"  {layer.layer + ' layer score':<26}{layer.score:.4f}"
        for score in layer.sub_scores:
            yield f"  {score.name:<26}{score.score:.4f}"


def _findings(findings: tuple[Finding, ...], color: bool) -> Iterator[str]:
    for finding in findings:
        place = f"{for_terminal(finding.path)}:{finding.line}"
        weight = f"{(finding.weight or 0) * 100:.0f} %"
        yield f"  {paint(place, '1', color)}  {finding.rule} ({weight})"
        yield f"      {for_terminal(finding.message)}"
        if finding.fix:
            yield f"      {paint('fix:', '2', color)} {for_terminal(finding.fix)}"


def _others(report: ScoreReport, color: bool) -> Iterator[str]:
    others = [finding for finding in report.findings if not finding.anti_pattern and finding.weight is None]
    others.sort(key=lambda finding: -finding.severity)
    for finding in others[:_MOST]:
        place = paint(f"{for_terminal(finding.path)}:{finding.line}", "1", color)
        yield f"  {place}  {finding.severity.word} {finding.rule}: {for_terminal(finding.message)}"
    if len(others) > _MOST:
        yield f"  and {len(others) - _MOST} more: plugin-eval lint shows them"


def _cost(report: ScoreReport) -> Iterator[str]:
    cost = report.context_cost
    if cost is not None:
        files = "1 text file" if cost.files == 1 else f"{cost.files:,} text files"
        yield f"  installed {cost.installed:,}  activated {cost.activated:,}  bundle {cost.bundle:,} ({files})"
        if not cost.complete:
            yield "  the bundle is larger than what was read of it"


def _changes(report: ScoreReport) -> Iterator[str]:
    for change in first_changes(report):
        place = (
            f"  ({for_terminal(change.path)})"
            if report.kind == "plugin"
            else f"  (line {change.line})"
            if change.line
            else ""
        )
        yield f"  {f'+{change.points:.1f}':>6}  {for_terminal(change.advice)}{place}"
