"""The table of targets: one row each, worst first, with its details inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.needs import listing_lines
from plugin_eval_ci.report.page.shell import chip, dimension_rows, facts, finding_rows, number, signed_gain
from plugin_eval_ci.report.words import by_severity, many
from plugin_eval_ci.survey.report import Key, Target, key_of


class Table(NamedTuple):
    """What a row needs to know about the others. ``ids`` are anchors by ``key_of``; ``members`` are by the plugin's folder."""

    ids: Mapping[Key, str]
    members: Mapping[str, Sequence[Target]]
    gains: Mapping[Key, float | None] | None  # None without an earlier report
    owners: bool  # whether any target has an owner


def render(targets: Sequence[Target], table: Table, room: int) -> str:
    """The table. Details are left out, and then rows, when ``room`` (UTF-8 bytes) is used up; the page shows how many."""
    bare = [_row(target, table, "", place < _FIRST) for place, target in enumerate(targets)]
    left = room - sum(_size(row) for row in bare)
    kept = len(bare)
    while left < 0 and kept:
        kept -= 1
        left += _size(bare[kept])
    rows, without = [], 0
    for target, row in zip(targets, bare[:kept], strict=False):
        details = "".join(_parts(target, table))
        more = _size(details) - len(_NO_DETAILS)
        if without or more > left:
            without += 1
            rows.append(row)
        else:
            left -= more
            rows.append(_row(target, table, details, len(rows) < _FIRST))
    return _table_html(rows, table, len(targets)) + _omission_note(without, len(targets) - kept)


_FIRST = 100  # rows that the script shows at first; without scripts all are shown
_LATER = ' class="z"'
_NO_DETAILS = "<p>Left out here: see the JSON report.</p>"


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _omission_note(details: int, rows: int) -> str:
    said = [f"the details of {many(details, 'target')}"] if details else []
    said += [many(rows, "row")] if rows else []
    return (
        f"<p>To keep this page small, {' and '.join(said)} are left out; the JSON report has them.</p>" if said else ""
    )


def _table_html(rows: Sequence[str], table: Table, count: int) -> str:
    heads = [
        '<th scope="col">Name</th>',
        '<th scope="col" class="n score" data-n aria-sort="ascending">Score</th>',
        '<th scope="col" class="n gain" data-n>Change</th>' if table.gains is not None else "",
        '<th scope="col" class="n w" data-n data-d>Tokens</th>',
        '<th scope="col" class="w o">Owners</th>' if table.owners else "",
        '<th scope="col" class="n w" data-n data-d>Findings</th>',
    ]
    return (
        f'<div class="wrap"><table id="targets">\n<caption>{many(count, "target")}, worst first. Tokens are an estimate '
        f"for one use.</caption>\n<thead><tr>{''.join(heads)}</tr></thead>\n" + "\n".join(rows) + "\n</table></div>"
    )


def _row(target: Target, table: Table, details: str, first: bool) -> str:
    """A group of two rows: what can be compared, and below it across the table what unfolds."""
    key, kind = key_of(target), for_html(target.kind)
    grade = f'<span class="g">{for_html(target.grade)}</span>' if target.grade else ""
    badge = chip(target.badge if target.score is not None else None)
    change, tokens, owners = "", "—", ""
    if table.gains is not None:
        change = f'<td class="n">{signed_gain(table.gains[key]) if key in table.gains else "new"}</td>'
    if target.cost is not None:
        tokens = f"{target.cost.activated:,}"
    if table.owners:
        owners = f'<td class="w">{for_html(" ".join(target.owners))}</td>'
    return (
        f'<tbody id="{table.ids[key]}"{"" if first else _LATER} data-k="{kind}"><tr><th scope="row">{for_html(target.name)}</th>'
        f'<td class="n">{badge} {grade} <b>{number(target.score)}</b></td>{change}<td class="n w">{tokens}</td>{owners}'
        f'<td class="n w">{len(target.findings)}</td></tr><tr><td colspan="2"><details><summary>{kind} '
        f'<small>{for_html(target.path)}</small>{_worst(target.findings)}</summary><div class="b">{details or _NO_DETAILS}</div>'
        "</details></td></tr></tbody>"
    )


def _worst(findings: Sequence[Finding]) -> str:
    """``1 error, 2 more`` in the colour of the worst severity; nothing without findings."""
    for level, count in by_severity(findings):
        if count:
            more = len(findings) - count
            return f' <span class="{level.word}">{many(count, level.word)}{f", {more} more" if more else ""}</span>'
    return ""


def _parts(target: Target, table: Table) -> Iterator[str]:
    if target.score is None:
        yield f'<p class="why">Not measured: {for_html(target.reason or "reason unknown")}.</p>'
    cost = target.cost
    tokens = (
        f"installed {cost.installed:,}, when used {cost.activated:,}, with all files {cost.bundle:,}" if cost else ""
    )
    listing = "; ".join(listing_lines(target.listing)) if target.listing else ""
    yield facts(
        (
            ("Tokens, estimated", tokens),
            ("Listing", for_html(listing.removeprefix("listing "))),
            ("Owners", for_html(" ".join(target.owners))),
            ("Contains", _links(table.members.get(target.path, ()), table) if target.kind == "plugin" else ""),
        )
    )
    yield dimension_rows(target.dimensions)
    yield finding_rows(sorted(target.findings, key=lambda one: -one.severity), target.path)


def _links(members: Sequence[Target], table: Table) -> str:
    return ", ".join(
        f'<a href="#{table.ids[key_of(one)]}">{for_html(one.name)}</a> {number(one.score)}' for one in members
    )
