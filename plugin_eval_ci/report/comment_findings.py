"""The lists of a comment: what is new and how to mend it, what is fixed, what is asked of the host now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from plugin_eval_ci.difference import Difference, PluginChange
from plugin_eval_ci.host import HostNeeds
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report import rule_pages
from plugin_eval_ci.report.comment_table import MOST_NAME, code, short
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.diff_text import titles
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.links import Links, linked
from plugin_eval_ci.report.needs_lines import budget_change, needs_rows
from plugin_eval_ci.report.rows import Block, written

MARKS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.NOTICE: "💡"}
_MOST_TEXT = 500  # characters of a message, or of a fix
_MOST_WORDS, _MOST_WORD = 20, 140  # needs of one kind of one target, and characters of each
_FIRST = ("hooks", "servers", "run on loading", "tools")  # what runs or may run unasked comes first

_Line = Callable[[], str]  # written when there is room for it


def new_findings(difference: Difference) -> list[Finding]:
    """What the change brought, worst first; without a base all that there is."""
    found = [finding for row in difference.rows for finding in row.new] + list(difference.elsewhere)
    return sorted(found, key=lambda finding: (-finding.severity, finding.path, finding.line, finding.rule))


def fixed_findings(difference: Difference) -> list[Finding]:
    """What is gone with the change."""
    return [finding for row in difference.rows for finding in row.fixed] + list(difference.fixed_elsewhere)


def new_block(difference: Difference, links: Links | None, limit: int) -> list[Block]:
    """Each new finding with its rule's page, its place and how to mend it."""
    found, elsewhere = new_findings(difference), set(map(id, difference.elsewhere))
    if not found:
        return []
    title = "New findings" if difference.base else "Findings"
    compared = difference.base is not None
    rows, hidden = written(found, limit, lambda one: _new(one, id(one) in elsewhere and compared, links))
    more = lambda count: f"\n… and {many(count, 'finding')} more."  # noqa: E731
    return [Block(f"#### {title}\n", rows, more=more, share=4, hidden=hidden)]


def _new(finding: Finding, elsewhere: bool, links: Links | None) -> str:
    place = f"{short(finding.path, 300)}:{finding.line}"
    where = linked(markdown_code(place), links.to(finding.path, finding.line) if links else None)
    aside = " (in a file that this change does not touch)" if elsewhere else ""
    lines = [
        f"- {MARKS[finding.severity]} {finding.severity.word} {_rule(finding)} in {where}{aside}",
        f"  {_sentence(finding.message)}",
    ]
    if finding.fix:
        lines.append(f"  **Fix:** {_text(finding.fix)}")
    return "<br>\n".join(lines)


def _rule(finding: Finding) -> str:
    return linked(f"**{markdown_code(finding.rule)}**", rule_pages.url(finding.rule))


def _text(text: str) -> str:
    return for_markdown(short(text, _MOST_TEXT))


def _sentence(text: str) -> str:
    said = short(text, _MOST_TEXT)
    return for_markdown(said[:1].upper() + said[1:])


def fixed_block(difference: Difference, limit: int) -> list[Block]:
    """Folded: what is gone."""
    found = fixed_findings(difference)
    rows = written(found, limit, lambda one: f"- {_rule(one)} in {code(one.path)}: {_text(one.message)}")
    return _folded(f"{many(len(found), 'finding')} fixed", rows, "finding")


def host_blocks(difference: Difference, limit: int) -> list[Block]:
    """Open: what is asked of the host now, and descriptions that get lost. Folded: what is not asked any more, and other listings."""
    loud: list[_Line] = []
    quiet: list[_Line] = []
    for row in difference.rows:
        _add_needs(row.name, row.needs, row.status == "added", (loud, quiet))
    for plugin in difference.plugins:
        _add_needs(plugin.name, plugin.needs, False, (loud, quiet))
        if plugin.before != plugin.after:
            lost = [
                len(one.budgets[0][1].dropped) if one and one.budgets else 0 for one in (plugin.before, plugin.after)
            ]
            (loud if lost[1] > lost[0] else quiet).append(partial(_listed, plugin))
    rows, hidden = written(loud, limit, lambda line: line())
    head, more = "#### What the change asks of its host\n", lambda count: f"\n… and {count:,} more."
    blocks = [Block(head, rows, more=more, hidden=hidden)] if rows else []
    less = written(quiet, limit, lambda line: line())
    return blocks + _folded("Less asked of the host, and other changes of the list of skills", less, "line")


def _listed(plugin: PluginChange) -> str:
    said = for_markdown("; ".join(budget_change(plugin.before, plugin.after)).replace("->", "→"))
    return f"- **{_named(plugin.name)}**: {said}"


def _named(name: str) -> str:
    return for_markdown(short(name, MOST_NAME))


def _add_needs(
    name: str, needs: tuple[HostNeeds, HostNeeds], fresh: bool, lists: tuple[list[_Line], list[_Line]]
) -> None:
    for title, side, lines in zip(titles(fresh), needs, lists, strict=True):
        if any(side):
            lines.append(partial(_needed, name, title, side))


def _needed(name: str, title: str, side: HostNeeds) -> str:
    kinds = sorted(needs_rows(side), key=lambda kind: _FIRST.index(kind[0]) if kind[0] in _FIRST else len(_FIRST))
    shown = "; ".join(f"{label} {', '.join(_words(words))}" for label, words in kinds)
    return f"- **{_named(name)}** {title}: {shown}"


def _words(words: Sequence[str]) -> Iterator[str]:
    yield from (markdown_code(short(word, _MOST_WORD)) for word in words[:_MOST_WORDS])
    if len(words) > _MOST_WORDS:
        yield f"and {len(words) - _MOST_WORDS:,} more"


def _folded(title: str, written_rows: tuple[tuple[str, ...], int], what: str) -> list[Block]:
    rows, hidden = written_rows
    if not rows:
        return []
    head = f"<details><summary>{title}</summary>\n"
    return [Block(head, rows, "\n</details>", lambda count: f"\n… and {many(count, what)} more.", hidden=hidden)]
