"""A change in Markdown: what a comment on a pull request shows."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.difference import Difference, Row, Side
from plugin_eval_ci.host import HostNeeds
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.diff_text import cost_change, titles
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.needs_lines import budget_change, needs_words
from plugin_eval_ci.report.score_text import points


def render(difference: Difference) -> str:
    """The whole text, with a final newline."""
    head = f"`{difference.head[:12]}`" if difference.head else "the working tree"
    total = many(difference.total, "skill and agent", "skills and agents")
    lines = [f"**{len(difference.rows):,} of {total} changed**, base `{difference.base[:12]}`, head {head}", ""]
    if difference.rows:
        lines += ["| Skill | Change | Score | New | Fixed | Context tokens |", "| --- | --- | --- | --- | --- | --- |"]
        lines += [_row(row) for row in difference.rows]
        lines.append("")
    lines += _context(difference)
    new = [finding for row in difference.rows for finding in row.new] + list(difference.elsewhere)
    fixed = [finding for row in difference.rows for finding in row.fixed] + list(difference.fixed_elsewhere)
    lines += _findings("New", new) if new else ["Nothing new was found.", ""]
    if fixed:
        lines += _findings("Fixed", fixed)
    return "\n".join(lines).rstrip("\n") + "\n"


def _context(difference: Difference) -> Iterator[str]:
    """What skills and plugins ask of the host now, and the lists of skills that changed."""
    lines = [line for row in difference.rows for line in _needs(row.name, row.needs, row.status == "added")]
    for plugin in difference.plugins:
        lines += _needs(plugin.name, plugin.needs, False)
        if plugin.before != plugin.after:
            lines.append(f"- {for_markdown(plugin.name)}: {'; '.join(budget_change(plugin.before, plugin.after))}")
    if lines:
        yield from ("### Host and listing", "", *lines, "")


def _needs(name: str, needs: tuple[HostNeeds, HostNeeds], fresh: bool) -> Iterator[str]:
    for title, words in zip(titles(fresh), map(needs_words, needs), strict=True):
        if words:
            yield f"- {for_markdown(name)} {title}: {', '.join(map(markdown_code, words))}"


def _row(row: Row) -> str:
    name = for_markdown(row.name)
    change = f"{row.status}, +{row.added:,} −{row.removed:,} lines"
    score = f"{_side(row.before)} → {_side(row.after)}{_difference(row)}"
    return f"| {name} | {change} | {score} | {len(row.new)} | {len(row.fixed)} | {cost_change(row)} |"


def _side(value: Side | None) -> str:
    return "—" if value is None or value.score is None else f"{points(value.score)} ({value.grade})"


def _difference(row: Row) -> str:
    if not (row.before and row.after) or row.before.score is None or row.after.score is None:
        return ""
    return f" ({row.after.score - row.before.score:+.2f})"


def _findings(title: str, findings: list[Finding]) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    for finding in findings:
        fix = f" *Fix:* {for_markdown(finding.fix)}" if finding.fix and title == "New" else ""
        place = f"{for_markdown(finding.path)}:{finding.line}"
        yield f"- **{finding.severity.word}** {place} {for_markdown(finding.rule)}: {for_markdown(finding.message)}{fix}"
    yield ""
