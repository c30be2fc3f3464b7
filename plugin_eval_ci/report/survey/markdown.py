"""A report in Markdown, for a job's summary, a tracking issue and a file: the worst first, whole rows within a number of bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plugin_eval_ci.lint.causes import Cause
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.badge import badge_of_target
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.score.text import points
from plugin_eval_ci.report.size_limit import Block, fit_blocks
from plugin_eval_ci.report.survey import words
from plugin_eval_ci.report.tables import table_head, table_row
from plugin_eval_ci.report.words import many
from plugin_eval_ci.survey.report import Key, Survey, Target, key_of, worst_first
from plugin_eval_ci.survey.since import Change, Since

SUMMARY = 900 << 10  # bytes: GitHub shows nothing at all of a job summary that is larger than 1 MiB
ISSUE = 60_000  # bytes: an issue holds 65,536 characters
_OPEN = 20  # rows of skills and agents that are not folded
_MOST_SKILLS = 500  # rows of skills and agents; every one is in the other formats
_MOST_PATH = 400  # characters

Row = tuple[str, ...]


class _View(NamedTuple):
    """A report with the lookups that its rows share."""

    survey: Survey
    since: Since | None
    changes: dict[Key, Change]


def render(survey: Survey, since: Since | None = None, limit: int = SUMMARY) -> str:
    """The document, with a final newline, in at most ``limit`` UTF-8 bytes."""
    found = () if since is None or since.why else since.changes
    changes = {key_of(change.after): change for change in found}
    return fit_blocks(list(_blocks(_View(survey, since, changes))), limit)


def _blocks(view: _View) -> Iterator[Block]:
    survey, since = view.survey, view.since
    yield Block(f"# Plugin scores of {_text(survey.name)}")
    yield Block(f"**{words.verdict(survey)}** · {survey.date}, depth {survey.depth.name}")
    yield Block(f"{for_markdown(words.change_sentence(since))} {words.count_findings(survey).capitalize()} in total.")
    notes = [part for part in (words.partly(survey), *survey.notes) if part]
    if notes:
        yield Block(rows=tuple(f"> - {_text(note)}" for note in notes))
    if since is not None:
        yield from _since(survey, since)
    yield from _rankings(view)
    yield from _listings(survey)
    yield from _findings(survey.everything_found)
    yield from _unmeasured(survey)
    yield Block(
        "Run `plugin-eval lint` to see findings and fixes, and `plugin-eval score PATH --depth quick` to see what to change first."
    )


def _text(untrusted: str, most: int = 160) -> str:
    return for_markdown(words.clip(untrusted, most))


def _code(path: str) -> str:
    return markdown_code(path if len(path) <= _MOST_PATH else f"…{path[1 - _MOST_PATH :]}")  # the end identifies it


def _table(title: str, columns: Sequence[str], rows: Sequence[Row], what: str, share: int = 1) -> Iterator[Block]:
    """A titled table that says how many rows were left out; nothing without rows, no column that is empty in all of them."""
    used = [n for n in range(len(columns)) if any(row[n] for row in rows)]
    if rows:
        head = f"## {title}\n\n{table_head([columns[n] for n in used])}"
        lines = tuple(table_row([row[n] for n in used]) for row in rows)
        yield Block(head, lines, more=lambda left: f"\n… {many(left, f'more {what}', f'more {what}s')}.", share=share)


def _list(title: str, rows: Sequence[str], what: str) -> Iterator[Block]:
    if rows:
        head = f"<details><summary>{title} ({len(rows):,})</summary>\n"
        yield Block(
            head, tuple(rows), "\n</details>", lambda left: f"\n… {many(left, f'more {what}', f'more {what}s')}."
        )


def _since(survey: Survey, since: Since) -> Iterator[Block]:
    columns = ("Target", "Before", "Now", "Change")
    yield from _table(f"Worse since {since.date}", columns, [_change(one) for one in since.worse], "fall", 2)
    yield from _table(f"Better since {since.date}", columns, [_change(one) for one in since.better], "rise")
    yield from _list("New", [f"- {_place(one)}" for one in since.added], "new target")
    yield from _list("Gone", [f"- {_place(one)}" for one in since.gone], "removed target")
    yield from _list("Moved", [f"- {_code(c.before.path)} → {_place(c.after)}" for c in since.moved], "moved target")
    lost = [f"- {_place(c.after)} – {_text(c.after.reason or '')}" for c in since.lost]
    yield from _list("No longer measured", lost, "target")
    yield from _list("New findings", [_cause(one, True) for one in words.causes(survey, since.new)], "finding")
    yield from _list("Fixed findings", [_cause(one) for one in words.causes(survey, since.fixed)], "finding")


def _change(change: Change) -> Row:
    before, after, difference = change.before.score, change.after.score, change.difference
    assert before is not None and after is not None and difference is not None
    return (_place(change.after), points(before), points(after), _signed(difference))


def _signed(difference: float) -> str:
    shown = f"{abs(difference):.2f}"
    # Two decimals can hide a change that is there.
    return f"{'+' if difference > 0 else '−'}{shown if shown != '0.00' else '<0.01'}"


def _cause(cause: Cause, new: bool = False) -> str:
    finding = cause.first
    place = _code(f"{finding.path}:{finding.line}")
    amount = f" ({cause.amount})" if cause.amount else ""
    line = f"- **{finding.severity.word}** {_text(finding.rule)} {place}{amount}: {_text(cause.message, 500)}"
    return f"{line}<br>**Fix:** {_text(cause.fix, 500)}" if new else line


def _place(target: Target) -> str:
    """Its path, which is unique, and its name if that differs."""
    shown = _code(target.path)
    base = target.path.removesuffix("/SKILL.md").removesuffix(".md").rpartition("/")[2]
    return f"{target.kind} {shown}" + (f" ({_text(target.name)})" if target.name != base else "")


def _rankings(view: _View) -> Iterator[Block]:
    survey = view.survey
    ours = words.members(survey)
    measured = [target for target in worst_first(survey.targets) if target.score is not None]
    plugins = [_plugin(target, ours.get(target.path, []), view) for target in measured if target.kind == "plugin"]
    columns = ("Plugin", "Score", "Change", "Members", "Weakest", "Findings", "Owners")
    yield from _table("Plugins, worst first", columns, plugins, "plugin", 6)
    rest = [target for target in measured if target.kind != "plugin"]
    titles = ("Target", "Score", "Change", "Findings", "Owners")
    rows = [_member(target, view) for target in rest[:_MOST_SKILLS]]
    yield from _table("Skills and agents, worst first", titles, rows[:_OPEN], "row", 3)
    yield from _folded_rows(titles, rows[_OPEN:], len(rest) - _OPEN)


def _folded_rows(columns: Sequence[str], rows: Sequence[Row], total: int) -> Iterator[Block]:
    """The rows after the worst, folded to keep the page short."""
    if rows:
        title = f"The other {total:,}" if total == len(rows) else f"{len(rows):,} of the other {total:,}"
        head = f"<details><summary>{title}</summary>\n\n{table_head(columns)}"
        lines = tuple(table_row(row) for row in rows)
        yield Block(head, lines, "\n</details>", lambda left: f"\n… {many(left, 'more row')}.", share=3)


def _plugin(target: Target, ours: Sequence[Target], view: _View) -> Row:
    weakest = ours[0] if ours else None
    low = f"{_text(weakest.name)} {points(weakest.score)}" if weakest is not None and weakest.score is not None else ""
    findings = len(target.findings) + sum(len(one.findings) for one in ours)
    return (
        _place(target).removeprefix("plugin "),
        *_score_cells(target, view),
        f"{len(ours):,}",
        low,
        f"{findings:,}",
        _owners(target),
    )


def _member(target: Target, view: _View) -> Row:
    return (_place(target), *_score_cells(target, view), f"{len(target.findings):,}", _owners(target))


def _score_cells(target: Target, view: _View) -> tuple[str, str]:
    """The badge's words, and how the score changed."""
    change = view.changes.get(key_of(target))
    if view.since is None or view.since.why:
        moved = ""
    elif change is None:
        moved = "new" if not view.survey.shards else ""
    else:
        moved = "=" if not change.difference else _signed(change.difference)
        moved = "measured" if change.before.score is None else moved
    return badge_of_target(target, view.survey).message, moved


def _owners(target: Target) -> str:
    return _text(" ".join(target.owners))


def _listings(survey: Survey) -> Iterator[Block]:
    rows: list[Row] = [(_code(market.path), words.listing_words(market.listing)) for market in survey.markets]
    for target in survey.of("plugin"):
        if target.listing is not None and target.listing.budgets[0][1].overflows:
            rows.append((_place(target), words.listing_words(target.listing)))
    yield from _table("Skill listing", ("Where", "Space in every session"), rows, "row")


def _findings(findings: Sequence[Finding]) -> Iterator[Block]:
    rows = [
        (_text(rule), severity.word, f"{count:,}", f"{files:,}")
        for rule, severity, count, files in words.by_rule(findings)
    ]
    yield from _table("Findings by rule", ("Rule", "Severity", "Findings", "Files"), rows, "rule")


def _unmeasured(survey: Survey) -> Iterator[Block]:
    without = [target for target in survey.targets if target.score is None]
    yield from _list("Not measured", [f"- {_place(one)} – {_text(one.reason or '')}" for one in without], "target")
