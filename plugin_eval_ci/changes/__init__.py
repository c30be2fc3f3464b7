"""Two states of a repository: what changed, which findings are new, old or fixed.

Only the skills that a change can concern are read on both sides: those with a changed file, their neighbours in the same plugin (names
must stay distinct), and those that name something the change removed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import resolve
from plugin_eval_ci.baseline import FILE_NAME as BASELINE
from plugin_eval_ci.changes import settings, trust
from plugin_eval_ci.changes.renames import renamed_names
from plugin_eval_ci.changes.scope import MANIFESTS, Scope, naming, owner_of, scope_of, within
from plugin_eval_ci.changes.versions import plugin_sides
from plugin_eval_ci.check import check, check_change
from plugin_eval_ci.discover import Found, find, repository_root
from plugin_eval_ci.edges import git
from plugin_eval_ci.edges.snapshot import snapshot
from plugin_eval_ci.evaluate import Evaluation, read
from plugin_eval_ci.model import CheckResult, Collection, Finding
from plugin_eval_ci.revised import Revised
from plugin_eval_ci.suppress import folder_of

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

__all__ = [
    "Revision",
    "Scope",
    "Settings",
    "evaluated",
    "naming",
    "owner_of",
    "revising",
    "scope_of",
    "within",
]


class Settings(NamedTuple):
    """What a run is told: ``at`` says what it would be told in another folder, that of the base; ``named`` is the file of --config."""

    config: ConfigSource
    at: Callable[[str], ConfigSource]
    named: str | None = None  # from the root; None also for a file outside of the repository, which no change can reach


class Revision(NamedTuple):
    """Both sides of a change. The findings of ``after`` are marked; those of unchanged neighbours are there only when new."""

    base: str
    head: str | None  # None for the working tree
    before: Evaluation
    after: Evaluation
    changed: tuple[str, ...]  # reported paths of the changed skills and agents, as they are now
    removed: tuple[str, ...]  # of skills and agents that are gone
    renamed: dict[str, str]  # path now -> path before
    fixed: tuple[Finding, ...]
    total: int  # skills and agents in the repository


class _Sides(NamedTuple):
    """Where the two states lie, and what differs between them."""

    then: str
    now: str
    root: str  # of the repository
    changes: tuple[git.Change, ...]
    renamed: dict[str, str]
    scope: Scope
    earlier: frozenset[str]  # paths before of what is concerned


@contextmanager
def revising(paths: tuple[str, ...], told: Settings, base: str, head: str | None = None) -> Iterator[Revision]:
    """Compare ``base`` (its common ancestor with ``head``) with ``head`` or the working tree, within ``paths``.

    The files of both sides can be read while the context lasts. Raises ``git.GitError`` when there is no repository or a revision is
    not at hand.
    """
    root = repository_root(os.path.abspath(paths[0]))
    start = git.commit_of(root, base)
    end = git.commit_of(root, head or "HEAD")
    start = git.merge_base(root, start, end) or start
    changes = within(root, paths, git.changes(root, start, end if head else None))
    with ExitStack() as stack:
        now = stack.enter_context(snapshot(root, end, _is_text)) if head else root
        resolve.forget()
        found = find((now,), told.config)
        scope = scope_of(found, changes)
        renamed = {
            change.new: change.old for change in changes if change.old and change.new and change.old != change.new
        }
        earlier = frozenset(renamed.get(path, path) for path in scope.concerned) | frozenset(
            c.old for c in changes if c.old
        )
        folders = tuple({folder_of(path) for path in earlier})
        accepting = _baselines(told.config, root, scope)
        then = stack.enter_context(snapshot(root, start, lambda path: _is_wanted(path, folders, accepting)))
        sides = _Sides(then, now, root, changes, renamed, scope, earlier)
        yield _revision(start, end if head else None, sides, found, told, accepting)
        resolve.forget()


def _revision(
    base: str, head: str | None, sides: _Sides, found: Found, told: Settings, accepting: frozenset[str]
) -> Revision:
    scope, renamed = sides.scope, sides.renamed
    before = evaluated(find((sides.then,), told.config), sides.earlier, told.config)
    part, collection = _part(found, scope.concerned)
    names = renamed_names(before.collection, collection, renamed)
    after = _checked(part, collection._replace(renamed=names), told.config)
    marked, fixed = _mark(before, after, renamed, scope)
    checked = _with_change(marked, before, after, sides, told, accepting)
    present = {document.source.path for document in collection.documents} | set(renamed.values())
    deleted = {change.old for change in sides.changes if not change.new}
    gone = sorted(document.source.path for document in before.collection.documents)
    shown = collection._replace(
        skills=tuple(skill for skill in collection.skills if skill.source.path in scope.changed),
        agents=tuple(agent for agent in collection.agents if agent.source.path in scope.changed),
    )
    removed = tuple(path for path in gone if path in deleted and path not in present)
    total = len(found.skills) + len(found.agents)
    after = Evaluation(part, shown, checked)
    return Revision(base, head, before, after, tuple(sorted(scope.changed)), removed, renamed, fixed, total)


def _with_change(
    marked: tuple[Finding, ...],
    before: Evaluation,
    after: Evaluation,
    sides: _Sides,
    told: Settings,
    accepting: frozenset[str],
) -> CheckResult:
    """Add what the change as a whole brings, and what it cannot hide itself."""
    checked = after.checked
    altered = tuple(settings.settings_changes(sides.then, sides.now, sides.changes, accepting, told.named))
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


def _part(found: Found, paths: frozenset[str]) -> tuple[Found, Collection]:
    """Those of the targets that are in ``paths``, read, and the plugins they belong to."""
    skills = tuple(where for where in found.skills if where.path in paths)
    agents = tuple(where for where in found.agents if where.path in paths)
    files = {where.file for where in (*skills, *agents)}
    plugins = tuple(
        place._replace(
            skill_files=tuple(file for file in place.skill_files if file in files),
            agent_files=tuple(file for file in place.agent_files if file in files),
        )
        for place in found.plugins
    )
    part = found._replace(skills=skills, agents=agents, plugins=plugins)
    return part, read(part)


def evaluated(found: Found, paths: frozenset[str], config: ConfigSource) -> Evaluation:
    """Evaluate those of the targets that are in ``paths``, and the plugins they belong to."""
    return _checked(*_part(found, paths), config)


def _checked(found: Found, collection: Collection, config: ConfigSource) -> Evaluation:
    return Evaluation(found, collection, check(collection, config))


def _mark(
    before: Evaluation, after: Evaluation, renamed: dict[str, str], scope: Scope
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings of ``after`` as new or old, and those of ``before`` that are gone."""
    then, now = (trust.Identity(side.collection.root) for side in (before, after))
    known = Counter(then(finding, finding.path) for finding in before.checked.findings)
    marked = []
    for finding in after.checked.findings:
        key = now(finding, renamed.get(finding.path, finding.path))
        old = known[key] > 0
        known[key] -= old
        if (
            not old
            or finding.path in scope.changed
            or owner_of(finding.path, {folder_of(path): path for path in scope.changed})
        ):
            marked.append(finding._replace(state="old" if old else "new"))
    fixed = []
    for finding in before.checked.findings:
        key = then(finding, finding.path)
        if known[key] > 0:
            known[key] -= 1
            fixed.append(finding)
    return tuple(marked), tuple(fixed)


def _baselines(config: ConfigSource, root: str, scope: Scope) -> frozenset[str]:
    """The paths of the baselines that hold where something changed."""
    files = {config.at(folder).baseline for folder in {"", *map(folder_of, scope.changed)}}
    paths = {os.path.relpath(file, root).replace(os.sep, "/") for file in files if file}
    return frozenset(path for path in paths if not path.startswith("../"))


def _is_wanted(path: str, folders: tuple[str, ...], accepting: frozenset[str]) -> bool:
    name = path.rpartition("/")[2]
    if name in MANIFESTS or name in settings.NAMES or name == BASELINE or path in accepting:
        return True
    return any(not folder or path.startswith(folder + "/") for folder in folders)


def _is_text(path: str) -> bool:
    return not path.lower().endswith(
        (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".zip", ".mp4", ".ttf", ".woff", ".woff2", ".ico")
    )
