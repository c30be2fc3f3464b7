"""The lists of a comment: what is new and how to mend it, what is fixed, what is asked of the host now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugin_eval_ci.difference import Difference
from plugin_eval_ci.host import HostNeeds
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report import rule_pages
from plugin_eval_ci.report.comment_table import MOST_NAME, code, short
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.diff_text import titles
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.links import Links, linked
from plugin_eval_ci.report.needs_lines import budget_change, needs_rows
from plugin_eval_ci.report.rows import Block

MARKS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.NOTICE: "💡"}
_MOST_TEXT = 500  # characters of a message, or of a fix
_MOST_WORDS, _MOST_WORD = 20, 140  # needs of one kind of one target, and characters of each
_FIRST = ("hooks", "servers", "run on loading", "tools")  # what runs or may run unasked comes first


def new_findings(difference: Difference) -> list[Finding]:
    """What the change brought, worst first; without a base all that there is."""
    found = [finding for row in difference.rows for finding in row.new] + list(difference.elsewhere)
    return sorted(found, key=lambda finding: (-finding.severity, finding.path, finding.line, finding.rule))


def fixed_findings(difference: Difference) -> list[Finding]:
    """What is gone with the change."""
    return [finding for row in difference.rows for finding in row.fixed] + list(difference.fixed_elsewhere)


def new_block(difference: Difference, links: Links | None) -> list[Block]:
    """Each new finding with its rule's page, its place and how to mend it."""
    found, elsewhere = new_findings(difference), set(map(id, difference.elsewhere))
    if not found:
        return []
    title = "New findings" if difference.base else "Findings"
    rows = tuple(_new(finding, id(finding) in elsewhere and bool(difference.base), links) for finding in found)
    return [Block(f"#### {title}\n", rows, more=lambda count: f"\n… and {many(count, 'finding')} more.", share=4)]


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


def fixed_block(difference: Difference) -> list[Block]:
    """Folded: what is gone."""
    found = fixed_findings(difference)
    rows = tuple(f"- {_rule(finding)} in {code(finding.path)}: {_text(finding.message)}" for finding in found)
    return _folded(f"{many(len(found), 'finding')} fixed", rows, "finding")


def host_blocks(difference: Difference) -> list[Block]:
    """Open: what is asked of the host now, and descriptions that get lost. Folded: what is not asked any more, and other listings."""
    loud, quiet = [], []
    for row in difference.rows:
        more, less = _needs(row.name, row.needs, row.status == "added")
        loud += more
        quiet += less
    for plugin in difference.plugins:
        more, less = _needs(plugin.name, plugin.needs, False)
        loud += more
        quiet += less
        if plugin.before != plugin.after:
            lost = [
                len(one.budgets[0][1].dropped) if one and one.budgets else 0 for one in (plugin.before, plugin.after)
            ]
            said = for_markdown("; ".join(budget_change(plugin.before, plugin.after)).replace("->", "→"))
            line = f"- **{_named(plugin.name)}**: {said}"
            (loud if lost[1] > lost[0] else quiet).append(line)
    head = "#### What the change asks of its host\n"
    blocks = [Block(head, tuple(loud), more=lambda count: f"\n… and {count:,} more.")] if loud else []
    return blocks + _folded("Less asked of the host, and other changes of the list of skills", tuple(quiet), "line")


def _named(name: str) -> str:
    return for_markdown(short(name, MOST_NAME))


def _needs(name: str, needs: tuple[HostNeeds, HostNeeds], fresh: bool) -> tuple[list[str], list[str]]:
    lines = []
    for title, side in zip(titles(fresh), needs, strict=True):
        kinds = sorted(needs_rows(side), key=lambda kind: _FIRST.index(kind[0]) if kind[0] in _FIRST else len(_FIRST))
        shown = "; ".join(f"{label} {', '.join(_words(words))}" for label, words in kinds)
        lines.append([f"- **{_named(name)}** {title}: {shown}"] if shown else [])
    return lines[0], lines[1]


def _words(words: Sequence[str]) -> Iterator[str]:
    yield from (markdown_code(short(word, _MOST_WORD)) for word in words[:_MOST_WORDS])
    if len(words) > _MOST_WORDS:
        yield f"and {len(words) - _MOST_WORDS:,} more"


def _folded(title: str, rows: tuple[str, ...], what: str) -> list[Block]:
    if not rows:
        return []
    head = f"<details><summary>{title}</summary>\n"
    return [Block(head, rows, "\n</details>", lambda count: f"\n… and {many(count, what)} more.")]
