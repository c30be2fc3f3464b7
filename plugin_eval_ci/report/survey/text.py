"""A report for a terminal: the verdict, what changed, and the worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.score.layout import columns
from plugin_eval_ci.report.score.text import points
from plugin_eval_ci.report.survey import words
from plugin_eval_ci.report.words import many
from plugin_eval_ci.survey.report import Survey, Target, worst_first
from plugin_eval_ci.survey.since import Change, Since

_WORST = 20
_CHANGES = 10
_REASONS = 10


def render(survey: Survey, since: Since | None = None) -> str:
    """The whole text, with a final newline."""
    return "\n".join(_lines(survey, since)) + "\n"


def _lines(survey: Survey, since: Since | None) -> Iterator[str]:
    yield f"{for_terminal(words.clip(survey.name))}  {survey.date}, depth {survey.depth.name}"
    yield words.verdict(survey)
    yield for_terminal(words.change_sentence(since))
    yield words.count_findings(survey)
    yield from (for_terminal(note) for note in (words.partly(survey), *survey.notes) if note)
    if since is not None and not since.why:
        yield from _changes("Worse", since.worse)
        yield from _changes("Better", since.better)
    measured = [target for target in worst_first(survey.targets) if target.score is not None]
    plugins = [target for target in measured if target.kind == "plugin"]
    alone = [target for target in measured if target.kind != "plugin" and (target.plugin is None or not plugins)]
    yield from _ranking("Plugins, worst first", plugins)
    yield from _ranking("Skills and agents outside any plugin, worst first", alone)
    yield from _unmeasured([target for target in survey.targets if target.score is None])
    for market in survey.markets:
        yield f"\nSkill listing of {for_terminal(market.path)}: {words.listing_words(market.listing)}"


def _changes(title: str, changes: Sequence[Change]) -> Iterator[str]:
    if changes:
        yield f"\n{title} ({len(changes):,})"
    for change in changes[:_CHANGES]:
        before, after = change.before.score or 0.0, change.after.score or 0.0
        yield f"  {points(before):>6} → {points(after):>6}  {for_terminal(change.after.path)}"
    yield from _more(len(changes) - _CHANGES)


def _ranking(title: str, targets: Sequence[Target]) -> Iterator[str]:
    if not targets:
        return
    yield f"\n{title} ({len(targets):,})"
    shown = targets[:_WORST]
    width = max(columns(for_terminal(target.path)) for target in shown)
    for target in shown:
        path = for_terminal(target.path)
        gap = " " * (width - columns(path))
        badge = (target.badge or "").replace("no_badge", "—")
        owners = for_terminal(words.clip(" ".join(target.owners), 60))
        yield f"  {points(target.score or 0.0):>6}  {badge:<8}  {path}{gap}  {owners}".rstrip()
    yield from _more(len(targets) - _WORST)


def _unmeasured(targets: Sequence[Target]) -> Iterator[str]:
    if targets:
        yield f"\nNot measured ({len(targets):,})"
    for target in targets[:_REASONS]:
        yield f"  {target.kind} {for_terminal(target.path)}: {for_terminal(words.clip(target.reason or ''))}"
    yield from _more(len(targets) - _REASONS)


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield f"  … {many(count, 'more', 'more')}"
