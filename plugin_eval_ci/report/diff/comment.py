"""The comment on a pull request: new findings and how to fix them, fixed findings, host requirements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from plugin_eval_ci import __version__
from plugin_eval_ci.analysis.host_needs import HostNeeds
from plugin_eval_ci.diff import Difference, PluginChange, Row, Side
from plugin_eval_ci.github.markers import marker
from plugin_eval_ci.lint.causes import Cause, causes_of
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report import rules
from plugin_eval_ci.report.diff.text import titles
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.links import Links, link
from plugin_eval_ci.report.needs import budget_change, needs_rows
from plugin_eval_ci.report.score.text import points
from plugin_eval_ci.report.size_limit import LINE, Block, fit_blocks, size, write_rows
from plugin_eval_ci.report.tables import table_head, table_row
from plugin_eval_ci.report.words import many, severities

_PARTS = ("installed", "activated", "bundle")
MOST_NAME, MOST_PATH = 100, 300  # characters


def table(difference: Difference, links: Links | None, limit: int) -> list[Block]:
    """A block with a row for each skill and agent, for a document of ``limit`` bytes; empty without rows."""
    rows = sorted(difference.rows, key=_order)
    if not rows:
        return []
    names = Counter(row.name for row in rows)
    compared = difference.base is not None
    head = (
        ("Skill", "Score", "New", "Fixed", "Context tokens")
        if compared
        else ("Skill", "Score", "Findings", "Context tokens")
    )
    lines, hidden = write_rows(rows, limit, lambda row: _row(row, links, names[row.name] > 1, compared))
    return [Block(table_head(head, range(2, len(head) - 1)), lines, more=_more, share=2, hidden=hidden)]


def _more(count: int) -> str:
    return f"\n… and {many(count, 'more skill or agent', 'more skills and agents')}."


def _order(row: Row) -> tuple[int, int, float, str]:
    worst = max((finding.severity for finding in row.new), default=0)
    return -worst, -len(row.new), _gain(row) or 0.0, row.path


def _gain(row: Row) -> float | None:
    if not (row.before and row.after) or row.before.score is None or row.after.score is None:
        return None
    return row.after.score - row.before.score


def _row(row: Row, links: Links | None, ambiguous: bool, compared: bool) -> str:
    counts = [_count(len(row.new)), _count(len(row.fixed))] if compared else [_count(len(row.new))]
    return table_row([_name(row, links, ambiguous), _score(row), *counts, _cost(row)])


def _name(row: Row, links: Links | None, ambiguous: bool) -> str:
    address = links.to(row.path) if links and row.status != "removed" else None
    shown = link(f"**{for_markdown(short(row.name, MOST_NAME))}**", address)
    shown += " (agent)" if row.kind == "agent" else ""
    if row.old_path:
        return f"{shown}<br>was {code(row.old_path)}"
    return f"{shown}<br>{code(row.path)}" if ambiguous or address is None else shown


def _count(count: int) -> str:
    return f"**{count:,}**" if count else "0"


def _score(row: Row) -> str:
    after, gain = _side(row.after), _gain(row)
    if row.status == "present":
        return f"**{after}**"
    if row.status == "added":
        return f"added: **{after}**"
    if row.status == "removed":
        return f"{_side(row.before)} → removed"
    if gain is None or abs(gain) < 0.005:
        return after if _side(row.before) == after else f"{_side(row.before)} → **{after}**"
    return f"{_side(row.before)} → **{after}** {'▲' if gain > 0 else '▼'} {abs(gain):.2f}"


def _side(side: Side | None) -> str:
    return "not measured" if side is None or side.score is None else f"{points(side.score)} {side.grade}"


def _cost(row: Row) -> str:
    """The change of each part, or its size without a base."""
    before, after = (side.cost if side else None for side in (row.before, row.after))
    if after is None and before is None:
        return "—"
    if row.status == "present":
        return " · ".join(f"{getattr(after, part):,} {part}" for part in _PARTS)
    changes = [
        (part, (getattr(after, part) if after else 0) - (getattr(before, part) if before else 0)) for part in _PARTS
    ]
    return " · ".join(f"{change:+,} {part}".replace("-", "−") for part, change in changes if change) or "unchanged"


def short(text: str, most: int) -> str:
    """At most so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def code(text: str) -> str:
    """A path as inline code."""
    return markdown_code(short(text, MOST_PATH))


def changed_kinds(rows: Sequence[Row], what: str) -> str:
    """``3 changed skills``, ``1 changed skill and 2 changed agents``."""
    kinds = Counter(row.kind for row in rows)
    words = [many(kinds[kind], f"{what} {kind}") for kind in ("skill", "agent") if kinds[kind]]
    return " and ".join(words) or f"0 {what} skills"


MARKS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.NOTICE: "💡"}
_MOST_TEXT = 500  # characters of a message, or of a fix
_MOST_WORDS, _MOST_WORD = 20, 140  # needs of one kind of one target, and characters of each
_FIRST = ("hooks", "servers", "runs on load", "tools")  # what may run without a prompt comes first

_Line = Callable[[], str]  # written when there is room for it


def new_findings(difference: Difference) -> list[Finding]:
    """New findings, worst first; without a base, all findings."""
    found = [finding for row in difference.rows for finding in row.new] + list(difference.elsewhere)
    return sorted(found, key=lambda finding: (-finding.severity, finding.path, finding.line, finding.rule))


def fixed_findings(difference: Difference) -> list[Finding]:
    """Findings that the change fixed."""
    return [finding for row in difference.rows for finding in row.fixed] + list(difference.fixed_elsewhere)


def new_block(difference: Difference, links: Links | None, limit: int) -> list[Block]:
    """Each new finding with its rule's page, its place and its fix."""
    found, elsewhere = new_findings(difference), set(map(id, difference.elsewhere))
    if not found:
        return []
    title = "New findings" if difference.base else "Findings"
    compared = difference.base is not None
    causes = causes_of(found)
    rows, hidden = write_rows(causes, limit, lambda one: _new(one, compared and id(one.first) in elsewhere, links))
    what = ("finding", "findings") if len(causes) == len(found) else ("entry", "entries")
    more = lambda count: f"\n… and {many(count, *what)} more."  # noqa: E731
    return [Block(f"#### {title}\n", rows, more=more, share=4, hidden=hidden)]


def _new(cause: Cause, elsewhere: bool, links: Links | None) -> str:
    finding = cause.first
    place = f"{short(finding.path, 300)}:{finding.line}"
    where = link(markdown_code(place), links.to(finding.path, finding.line) if links else None)
    aside = " (in a file that this change does not touch)" if elsewhere and not cause.is_group else ""
    amount = f" ({cause.amount}; this is the first)" if cause.is_group else ""
    lines = [
        f"- {MARKS[finding.severity]} {finding.severity.word} {_rule(finding)} in {where}{aside}{amount}",
        f"  {_sentence(cause.message)}",
    ]
    if cause.fix:
        lines.append(f"  **Fix:** {_text(cause.fix)}")
    return "<br>\n".join(lines)


def _rule(finding: Finding) -> str:
    return link(f"**{markdown_code(finding.rule)}**", rules.url(finding.rule))


def _text(text: str) -> str:
    return for_markdown(short(text, _MOST_TEXT))


def _sentence(text: str) -> str:
    said = short(text, _MOST_TEXT)
    return for_markdown(said[:1].upper() + said[1:])


def fixed_block(difference: Difference, limit: int) -> list[Block]:
    """Fixed findings, folded."""
    found = fixed_findings(difference)
    rows = write_rows(causes_of(found), limit, _fixed)
    return _folded(f"{many(len(found), 'finding')} fixed", rows, "finding")


def _fixed(cause: Cause) -> str:
    amount = f" ({cause.amount}; this is the first)" if cause.is_group else ""
    return f"- {_rule(cause.first)} in {code(cause.first.path)}{amount} – {_text(cause.message)}"  # a colon here could end an emoji


def host_blocks(difference: Difference, limit: int) -> list[Block]:
    """New host requirements and lost descriptions, open; dropped requirements and other listing changes, folded."""
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
            (loud if lost[1] > lost[0] else quiet).append(partial(_listing_line, plugin))
    rows, hidden = write_rows(loud, limit, lambda line: line())
    head, more = "#### New host requirements\n", lambda count: f"\n… and {count:,} more."
    blocks = [Block(head, rows, more=more, hidden=hidden)] if rows else []
    less = write_rows(quiet, limit, lambda line: line())
    return blocks + _folded("Fewer host requirements; other changes to the skill listing", less, "line")


def _listing_line(plugin: PluginChange) -> str:
    said = for_markdown("; ".join(budget_change(plugin.before, plugin.after)).replace("->", "→"))
    return f"- **{_short_name(plugin.name)}**: {said}"


def _short_name(name: str) -> str:
    return for_markdown(short(name, MOST_NAME))


def _add_needs(
    name: str, needs: tuple[HostNeeds, HostNeeds], fresh: bool, lists: tuple[list[_Line], list[_Line]]
) -> None:
    for title, side, lines in zip(titles(fresh), needs, lists, strict=True):
        if any(side):
            lines.append(partial(_needs_line, name, title, side))


def _needs_line(name: str, title: str, side: HostNeeds) -> str:
    kinds = sorted(needs_rows(side), key=lambda kind: _FIRST.index(kind[0]) if kind[0] in _FIRST else len(_FIRST))
    shown = "; ".join(f"{label} {', '.join(_words(words))}" for label, words in kinds)
    return f"- **{_short_name(name)}** {title}: {shown}"


def _words(words: Sequence[str]) -> Iterator[str]:
    yield from (markdown_code(short(word, _MOST_WORD)) for word in words[:_MOST_WORDS])
    if len(words) > _MOST_WORDS:
        yield f"and {len(words) - _MOST_WORDS:,} more"


def _folded(title: str, written_rows: tuple[tuple[str, ...], int], what: str) -> list[Block]:
    rows, hidden = written_rows
    if not rows:
        return []
    head = f"<details><summary>{title}</summary>\n"
    return [Block(head, rows, "\n</details>", lambda count: f"\n… and {many(count, f'more {what}')}.", hidden=hidden)]


LIMIT = 60_000  # bytes; GitHub takes 65,536 characters
LEAST = 4_000  # what cannot be left out has room in this
_MOST_NOTES, _MOST_NOTE = 5, 300


def render(difference: Difference, key: str, limit: int = LIMIT, links: Links | None = None, more: str = "") -> str:
    """The comment with its marker, of at most ``limit`` UTF-8 bytes, which is ``LEAST`` or more, with a final newline.

    ``more``: Markdown of another check, which leaves ``LEAST`` at least; it stands before the footer as it is.
    """
    line = marker("comment", key) + LINE
    return line + body(difference, limit - size(line), links, more)


def body(difference: Difference, limit: int = LIMIT, links: Links | None = None, more: str = "") -> str:
    """The same without the marker."""
    blocks = [
        Block(f"### {verdict(difference)}"),
        *_notes(difference),
        *table(difference, links, limit),
        *new_block(difference, links, limit),
        *host_blocks(difference, limit),
        *fixed_block(difference, limit),
        *_old(difference),
        *([Block(more.rstrip("\n"))] if more else []),
        Block(_footer(difference)),
    ]
    return fit_blocks(blocks, limit)


def is_clean(difference: Difference) -> bool:
    """Whether nothing needs a comment."""
    return not new_findings(difference)


def verdict(difference: Difference) -> str:
    """One line: what a reader who reads no further should know."""
    found = new_findings(difference)
    compared = difference.base is not None
    where = (
        changed_kinds(difference.rows, "changed") if compared else changed_kinds(difference.rows, "").replace("  ", " ")
    )
    fixed = len(fixed_findings(difference))
    fixed_count = f", {fixed:,} fixed" if fixed else ""
    if not found:
        if not difference.rows:
            return f"✅ No new findings: no skill or agent changed{fixed_count}"
        return f"✅ No {'new ' if compared else ''}findings in {where}{fixed_count}"
    said = severities(found, "new " if compared else "")
    return f"{MARKS[max(finding.severity for finding in found)]} {said} in {where}{fixed_count}"


def _notes(difference: Difference) -> Iterator[Block]:
    notes = tuple(f"- {for_markdown(short(note, _MOST_NOTE))}" for note in difference.notes[:_MOST_NOTES])
    if notes:
        yield Block(rows=notes, more=lambda count: f"… and {many(count, 'more note')}.")


def _old(difference: Difference) -> Iterator[Block]:
    old = sum(row.old for row in difference.rows)
    if old:
        yield Block(
            f"{many(old, 'finding')} in these files existed before and {'is' if old == 1 else 'are'} not listed."
        )


def _footer(difference: Difference) -> str:
    meaning = link("what the numbers mean", f"{rules.HOME}/blob/v{__version__}/docs/methodology.md")
    parts = [
        f"{link('plugin-eval-ci', rules.HOME)} {__version__}",
        f"methodology {for_markdown(difference.methodology)}",
        f"scores and tokens are estimated from the files alone ({meaning}; installed: in every session, activated: when it is used, "
        "bundle: with all its files)",
        *([f"base {difference.base[:12]}"] if difference.base else []),
        *([f"head {difference.head[:12]}"] if difference.head else []),
    ]
    return f"<sub>{' · '.join(parts)}</sub>"
