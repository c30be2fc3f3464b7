"""Classifies the findings of both sides as new, old or fixed, and adds those about the change as a whole."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import git
from plugin_eval_ci.analysis.revision import RevisionFacts, SettingsChange
from plugin_eval_ci.diff.scope import Scope, evaluate_part, owner_of, scope_of
from plugin_eval_ci.diff.versions import plugin_sides
from plugin_eval_ci.discover import find_targets
from plugin_eval_ci.lint import suppress
from plugin_eval_ci.lint.check import check_change
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import CheckResult, Finding, Suppressed
from plugin_eval_ci.rules import all_names, all_rules

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

_MOST = 4 << 20  # characters of one file
COMMENT = "this change adds the ignore comment for it, which counts only after the merge"
CONFIGURATION = "this change adds the configuration that hides it, which counts only after the merge"


@cache
def _safety() -> frozenset[str]:
    return frozenset(rule.name for rule in all_rules() if rule.group == "safety")


def is_about_safety(finding: Finding) -> bool:
    """Whether a change cannot suppress this finding itself."""
    return finding.rule in _safety()


class Identity:
    """The identity of the findings of one side, based on the path before the change."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._lines: dict[str, list[str]] = {}

    def __call__(self, finding: Finding, path: str) -> tuple[str, ...]:
        if not is_about_safety(finding):
            return path, finding.content
        lines = self._lines.setdefault(finding.path, []) or self._read(finding.path)
        text = lines[finding.line - 1] if finding.line <= len(lines) else ""
        return path, finding.rule, finding.target, " ".join(text.split())

    def _read(self, path: str) -> list[str]:
        try:
            with open(os.path.join(self._root, path), encoding="utf-8-sig", errors="replace") as stream:
                self._lines[path] = stream.read(_MOST).split("\n")
        except (OSError, ValueError):
            pass
        return self._lines[path]


def as_new(finding: Finding, why: str) -> Finding:
    """``finding`` marked new, with the reason why it is shown."""
    return finding._replace(message=f"{finding.message} ({why})", state="new")


def by_new_comments(
    before: Evaluation, after: CheckResult, root: str, renamed: Mapping[str, str], config: ConfigSource
) -> list[Suppressed]:
    """Findings hidden only by an ignore comment that the base does not have. ``root`` holds the current files."""
    hidden = [one for one in after.suppressed if one.cause == "comment" and is_about_safety(one.finding)]
    if not hidden:
        return []
    then, now = Identity(before.collection.root), Identity(root)
    approved = Counter(
        then(one.finding, one.finding.path) for one in before.checked.suppressed if one.cause == "comment"
    )
    ignores = suppress.comments(before.collection, config, all_names)
    whole = {(path, rule) for path, some in ignores.items() for one in some if one.lines is None for rule in one.rules}
    back = []
    for one in hidden:
        path = renamed.get(one.finding.path, one.finding.path)
        if (path, one.finding.rule) not in whole:
            key = now(one.finding, path)
            approved[key] -= 1
            back += [one] if approved[key] < 0 else []
    return back


def by_new_configuration(trusted: CheckResult, after: CheckResult) -> Iterator[Finding]:
    """Findings that the configuration of the base shows and that of the change hides."""
    known = {(finding.path, finding.content) for finding in after.findings}
    known |= {(one.finding.path, one.finding.content) for one in after.suppressed if one.cause == "comment"}
    for finding in trusted.findings:
        if is_about_safety(finding) and (finding.path, finding.content) not in known:
            yield finding


class Settings(NamedTuple):
    """The settings of a run. ``at`` returns the settings for another folder, that of the base. ``named`` is the file of --config."""

    config: ConfigSource
    at: Callable[[str], ConfigSource]
    named: str | None = None  # from the root; None also for a file outside the repository, which a change cannot affect


class Sides(NamedTuple):
    """The folders of the two states, and the changes between them."""

    then: str
    now: str
    root: str  # of the repository
    changes: tuple[git.Change, ...]
    everywhere: tuple[git.Change, ...]  # also outside the given paths
    renamed: dict[str, str]
    scope: Scope
    earlier: frozenset[str]  # old paths of the affected documents


def with_change(
    marked: tuple[Finding, ...],
    before: Evaluation,
    after: Evaluation,
    sides: Sides,
    told: Settings,
    altered: tuple[SettingsChange, ...],
) -> CheckResult:
    """Add the findings about the change as a whole, and those that it cannot suppress itself."""
    checked = after.checked
    trusted = told.at(sides.then) if altered else told.config
    plugins = plugin_sides(before.collection, after.collection, sides.changes, sides.renamed, sides.root)
    ours = check_change(RevisionFacts(plugins=tuple(plugins)), told.config)
    theirs = check_change(RevisionFacts(settings=altered), trusted)
    own = by_new_comments(before, checked, sides.now, sides.renamed, told.config)
    more = [as_new(one.finding, COMMENT) for one in own]
    if altered:
        found = find_targets((sides.now,), trusted)
        again = evaluate_part(found, scope_of(found, sides.changes).concerned, trusted)
        unseen = by_new_configuration(again.checked, checked)
        more += [as_new(finding, CONFIGURATION) for finding in unseen]
    back = {(finding.path, finding.content) for finding in more}
    hidden = tuple(one for one in checked.suppressed if (one.finding.path, one.finding.content) not in back)
    findings = (*marked, *more, *(one._replace(state="new") for one in ours.findings + theirs.findings))
    in_order = tuple(sorted(findings, key=lambda one: (one.path, one.line, -one.severity, one.rule, one.target)))
    return checked._replace(findings=in_order, suppressed=(*hidden, *ours.suppressed, *theirs.suppressed))


def mark(
    before: Evaluation, after: Evaluation, renamed: dict[str, str], scope: Scope
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings of ``after`` marked new or old, and the fixed findings of ``before``."""
    then, now = (Identity(side.collection.root) for side in (before, after))
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
