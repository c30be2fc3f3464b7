"""The table of a comment: each changed skill with its score, findings and context cost, those to look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from plugin_eval_ci.difference import Difference, Row, Side
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.links import Links, linked
from plugin_eval_ci.report.rows import Block, written
from plugin_eval_ci.report.score_text import points

_PARTS = ("installed", "activated", "bundle")
MOST_NAME, MOST_PATH = 100, 300  # characters


def table(difference: Difference, links: Links | None, limit: int) -> list[Block]:
    """A block with a row for each skill and agent, for a document of ``limit`` bytes; none for no rows."""
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
    lines, hidden = written(rows, limit, lambda row: _row(row, links, names[row.name] > 1, compared))
    rule = f"| --- | --- |{' --: |' * (len(head) - 3)} --- |"
    return [Block(f"| {' | '.join(head)} |\n{rule}", lines, more=_more, share=2, hidden=hidden)]


def _more(count: int) -> str:
    return f"\n… and {many(count, 'skill or agent', 'skills and agents')} more, not shown here for their number."


def _order(row: Row) -> tuple[int, int, float, str]:
    worst = max((finding.severity for finding in row.new), default=0)
    return -worst, -len(row.new), _gain(row) or 0.0, row.path


def _gain(row: Row) -> float | None:
    if not (row.before and row.after) or row.before.score is None or row.after.score is None:
        return None
    return row.after.score - row.before.score


def _row(row: Row, links: Links | None, ambiguous: bool, compared: bool) -> str:
    counts = [_count(len(row.new)), _count(len(row.fixed))] if compared else [_count(len(row.new))]
    return f"| {' | '.join([_name(row, links, ambiguous), _score(row), *counts, _cost(row)])} |"


def _name(row: Row, links: Links | None, ambiguous: bool) -> str:
    address = links.to(row.path) if links and row.status != "removed" else None
    shown = linked(f"**{for_markdown(short(row.name, MOST_NAME))}**", address)
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
    """By how much each part changes; how large it is where there is nothing to compare with."""
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


def said_kinds(rows: Sequence[Row], what: str) -> str:
    """``3 changed skills``, ``1 changed skill and 2 changed agents``."""
    kinds = Counter(row.kind for row in rows)
    words = [many(kinds[kind], f"{what} {kind}") for kind in ("skill", "agent") if kinds[kind]]
    return " and ".join(words) or f"0 {what} skills"
