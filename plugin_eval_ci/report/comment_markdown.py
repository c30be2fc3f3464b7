"""The comment on a pull request: what changed, what is new, what it costs. Every word of the report is a stranger's.

The verdict stands in the first line that is seen; the line before it is the marker, by which the comment is found and edited again.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci import __version__
from plugin_eval_ci.difference import Difference
from plugin_eval_ci.markers import marker
from plugin_eval_ci.report import rule_pages
from plugin_eval_ci.report.comment_findings import (
    MARKS,
    fixed_block,
    fixed_findings,
    host_blocks,
    new_block,
    new_findings,
)
from plugin_eval_ci.report.comment_table import said_kinds, short, table
from plugin_eval_ci.report.counts import many, severities
from plugin_eval_ci.report.escape import for_markdown
from plugin_eval_ci.report.links import Links, linked
from plugin_eval_ci.report.rows import LINE, Block, fit, size

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
    return fit(blocks, limit)


def is_clean(difference: Difference) -> bool:
    """Whether there is nothing that a comment would have to be written for."""
    return not new_findings(difference)


def verdict(difference: Difference) -> str:
    """One line: what a reader who reads no further should know."""
    found = new_findings(difference)
    compared = difference.base is not None
    where = said_kinds(difference.rows, "changed") if compared else said_kinds(difference.rows, "").replace("  ", " ")
    fixed = len(fixed_findings(difference))
    mended = f", {fixed:,} fixed" if fixed else ""
    if not found:
        if not difference.rows:
            return f"✅ All clear: no skill or agent changed{mended}"
        return f"✅ All clear: {'nothing new' if compared else 'nothing found'} in {where}{mended}"
    said = severities(found, "new " if compared else "")
    return f"{MARKS[max(finding.severity for finding in found)]} {said} in {where}{mended}"


def _notes(difference: Difference) -> Iterator[Block]:
    notes = tuple(f"- {for_markdown(short(note, _MOST_NOTE))}" for note in difference.notes[:_MOST_NOTES])
    if notes:
        yield Block(rows=notes, more=lambda count: f"… and {many(count, 'note')} more.")


def _old(difference: Difference) -> Iterator[Block]:
    old = sum(row.old for row in difference.rows)
    if old:
        yield Block(
            f"{many(old, 'finding')} of these files {'was' if old == 1 else 'were'} there before, and not listed."
        )


def _footer(difference: Difference) -> str:
    meaning = linked("what the numbers mean", f"{rule_pages.HOME}/blob/v{__version__}/docs/methodology.md")
    parts = [
        f"{linked('plugin-eval-ci', rule_pages.HOME)} {__version__}",
        f"methodology {for_markdown(difference.methodology)}",
        f"scores and tokens are estimated from the files alone ({meaning}; installed: in every session, activated: when it is used, "
        "bundle: with all its files)",
        *([f"base {difference.base[:12]}"] if difference.base else []),
        *([f"head {difference.head[:12]}"] if difference.head else []),
    ]
    return f"<sub>{' · '.join(parts)}</sub>"
