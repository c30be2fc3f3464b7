"""The findings of both sides of a change: new, old, fixed, and what the change as a whole brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.changes import trust
from plugin_eval_ci.changes.reading import evaluated
from plugin_eval_ci.changes.scope import Scope, owner_of, scope_of
from plugin_eval_ci.changes.versions import plugin_sides
from plugin_eval_ci.check import check_change
from plugin_eval_ci.discover import find
from plugin_eval_ci.edges import git
from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.model import CheckResult, Finding
from plugin_eval_ci.revised import Revised, SettingsChange
from plugin_eval_ci.suppress import folder_of

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Settings(NamedTuple):
    """What a run is told: ``at`` says what it would be told in another folder, that of the base; ``named`` is the file of --config."""

    config: ConfigSource
    at: Callable[[str], ConfigSource]
    named: str | None = None  # from the root; None also for a file outside of the repository, which no change can reach


class Sides(NamedTuple):
    """Where the two states lie, and what differs between them."""

    then: str
    now: str
    root: str  # of the repository
    changes: tuple[git.Change, ...]
    everywhere: tuple[git.Change, ...]  # also outside of what was named
    renamed: dict[str, str]
    scope: Scope
    earlier: frozenset[str]  # paths before of what is concerned


def with_change(
    marked: tuple[Finding, ...],
    before: Evaluation,
    after: Evaluation,
    sides: Sides,
    told: Settings,
    altered: tuple[SettingsChange, ...],
) -> CheckResult:
    """Add what the change as a whole brings, and what it cannot hide itself."""
    checked = after.checked
    trusted = told.at(sides.then) if altered else told.config
    plugins = plugin_sides(before.collection, after.collection, sides.changes, sides.renamed, sides.root)
    ours = check_change(Revised(plugins=tuple(plugins)), told.config)
    theirs = check_change(Revised(settings=altered), trusted)
    own = trust.by_new_comments(before, checked, sides.now, sides.renamed, told.config)
    more = [trust.counted(one.finding, trust.COMMENT) for one in own]
    if altered:
        found = find((sides.now,), trusted)
        again = evaluated(found, scope_of(found, sides.changes).concerned, trusted)
        unseen = trust.by_new_configuration(again.checked, checked)
        more += [trust.counted(finding, trust.CONFIGURATION) for finding in unseen]
    back = {(finding.path, finding.content) for finding in more}
    hidden = tuple(one for one in checked.suppressed if (one.finding.path, one.finding.content) not in back)
    findings = (*marked, *more, *(one._replace(state="new") for one in ours.findings + theirs.findings))
    in_order = tuple(sorted(findings, key=lambda one: (one.path, one.line, -one.severity, one.rule, one.target)))
    return checked._replace(findings=in_order, suppressed=(*hidden, *ours.suppressed, *theirs.suppressed))


def mark(
    before: Evaluation, after: Evaluation, renamed: dict[str, str], scope: Scope
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings of ``after`` as new or old, and those of ``before`` that are gone."""
    then, now = (trust.Identity(side.collection.root) for side in (before, after))
    known = Counter(then(finding, finding.path) for finding in before.checked.findings)
    changed = {folder_of(path): path for path in scope.changed}
    marked = []
    for finding in after.checked.findings:
        key = now(finding, renamed.get(finding.path, finding.path))
        old = known[key] > 0
        known[key] -= old
        if not old or finding.path in scope.changed or owner_of(finding.path, changed):
            marked.append(finding._replace(state="old" if old else "new"))
    fixed = []
    for finding in before.checked.findings:
        key = then(finding, finding.path)
        if known[key] > 0:
            known[key] -= 1
            fixed.append(finding)
    return tuple(marked), tuple(fixed)
