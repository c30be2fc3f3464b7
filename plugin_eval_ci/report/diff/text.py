"""A change for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.host_needs import HostNeeds
from plugin_eval_ci.diff import Difference, PluginChange, Row, Side
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.lint.text import finding_lines
from plugin_eval_ci.report.needs import budget_change, needs_words
from plugin_eval_ci.report.score.text import points
from plugin_eval_ci.report.words import many


def render(difference: Difference, color: bool) -> str:
    """The whole text, with a final newline."""
    head = difference.head[:12] if difference.head else "the working tree"
    total = f"{difference.total:,} skills and agents"
    lines = [f"{len(difference.rows):,} of {total} changed, {(difference.base or 'no base')[:12]} to {head}"]
    for row in difference.rows:
        lines += ["", *_row(row, color)]
    for plugin in difference.plugins:
        lines += ["", *_plugin(plugin)]
    for title, findings in (
        ("New elsewhere, caused by this change", difference.elsewhere),
        ("Fixed elsewhere", difference.fixed_elsewhere),
    ):
        if findings:
            lines += ["", title, *(f"  {line}" for finding in findings for line in finding_lines(finding, color))]
    return "\n".join(lines) + "\n"


def _row(row: Row, color: bool) -> Iterator[str]:
    moved = f" (was {for_terminal(row.old_path)})" if row.old_path else ""
    yield f"{row.status} {row.kind} {for_terminal(row.name)}  {for_terminal(row.path)}{moved}"
    yield f"  lines    +{row.added:,} -{row.removed:,}"
    yield f"  score    {change(row)}"
    yield f"  context  {cost_change(row)}"
    yield from (f"  {line}" for line in _needs(row.needs, row.status == "added"))
    counts = [
        many(len(row.new), "new finding"),
        many(len(row.fixed), "fixed finding"),
        many(row.old, "unchanged finding"),
    ]
    yield f"  {', '.join(counts)}"
    for finding in row.new:
        yield from (f"    {line}" for line in finding_lines(finding, color))
    for finding in row.fixed:
        yield f"    fixed: {_place(finding)} {finding.rule} {for_terminal(finding.message)}"


def _plugin(plugin: PluginChange) -> Iterator[str]:
    yield f"plugin {for_terminal(plugin.name)}  {for_terminal(plugin.path)}"
    if plugin.before != plugin.after:
        yield from (f"  {line}" for line in budget_change(plugin.before, plugin.after))
    yield from (f"  {line}" for line in _needs(plugin.needs, False))


def _needs(needs: tuple[HostNeeds, HostNeeds], fresh: bool) -> Iterator[str]:
    for title, words in zip(titles(fresh), map(needs_words, needs), strict=True):
        if words:
            yield f"{title}: {for_terminal(', '.join(words))}"


def titles(fresh: bool) -> tuple[str, str]:
    """The words before new requirements, and before dropped ones."""
    return ("needs" if fresh else "now also needs"), "no longer needs"


def _place(finding: Finding) -> str:
    return f"{for_terminal(finding.path)}:{finding.line}"


def change(row: Row) -> str:
    """Score and grade before and after, and by how much they differ."""
    text = f"{side_text(row.before)} -> {side_text(row.after)}"
    if row.before and row.after and row.before.score is not None and row.after.score is not None:
        text += f"  ({row.after.score - row.before.score:+.2f})"
    return text


def side_text(value: Side | None) -> str:
    """One state: ``82.50 (B-)``, ``absent``, ``not measured``."""
    if value is None:
        return "absent"
    return "not measured" if value.score is None else f"{points(value.score)} ({value.grade})"


def cost_change(row: Row) -> str:
    """The estimated tokens now, and the difference to before."""
    before, after = (state.cost if state else None for state in (row.before, row.after))
    parts = []
    for what in ("installed", "activated", "bundle"):
        now, then = (int(getattr(cost, what)) if cost else 0 for cost in (after, before))
        parts.append(f"{what} {now:,} ({now - then:+,})")
    return ", ".join(parts)
