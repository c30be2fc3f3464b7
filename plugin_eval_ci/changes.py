"""Two states of a repository: what changed, which findings are new, old or fixed.

Only the skills that a change can concern are read on both sides: those with a changed file, their neighbours in the same plugin (names
must stay distinct), and those that name something the change removed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import resolve
from plugin_eval_ci.check import check
from plugin_eval_ci.discover import Found, find, repository_root
from plugin_eval_ci.edges import git
from plugin_eval_ci.edges.snapshot import snapshot
from plugin_eval_ci.evaluate import Evaluation, read
from plugin_eval_ci.model import Finding
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.suppress import folder_of

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

_MANIFESTS = ("plugin.json", "marketplace.json", "hooks.json", ".mcp.json")


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


class Scope(NamedTuple):
    """Reported paths of skills and agents."""

    changed: frozenset[str]
    concerned: frozenset[str]  # changed ones and those whose findings can change with them


@contextmanager
def revising(paths: tuple[str, ...], config: ConfigSource, base: str, head: str | None = None) -> Iterator[Revision]:
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
        everything = find((now,), config)
        scope = scope_of(everything, changes)
        renamed = {
            change.new: change.old for change in changes if change.old and change.new and change.old != change.new
        }
        earlier = frozenset(renamed.get(path, path) for path in scope.concerned) | frozenset(
            c.old for c in changes if c.old
        )
        folders = tuple({folder_of(path) for path in earlier})
        then = stack.enter_context(snapshot(root, start, lambda path: _is_wanted(path, folders)))
        before = evaluated(find((then,), config), earlier, config)
        after = evaluated(everything, scope.concerned, config)
        yield _revision(
            start,
            end if head else None,
            before,
            after,
            renamed,
            scope,
            changes,
            len(everything.skills) + len(everything.agents),
        )
        resolve.forget()


def _revision(
    base: str,
    head: str | None,
    before: Evaluation,
    after: Evaluation,
    renamed: dict[str, str],
    scope: Scope,
    changes: tuple[git.Change, ...],
    total: int,
) -> Revision:
    marked, fixed = _mark(before.checked.findings, after.checked.findings, renamed, scope)
    present = {document.source.path for document in after.collection.documents} | set(renamed.values())
    deleted = {change.old for change in changes if not change.new}
    gone = sorted(document.source.path for document in before.collection.documents)
    collection = after.collection._replace(
        skills=tuple(skill for skill in after.collection.skills if skill.source.path in scope.changed),
        agents=tuple(agent for agent in after.collection.agents if agent.source.path in scope.changed),
    )
    after = Evaluation(after.found, collection, after.checked._replace(findings=marked))
    removed = tuple(path for path in gone if path in deleted and path not in present)
    return Revision(base, head, before, after, tuple(sorted(scope.changed)), removed, renamed, fixed, total)


def within(root: str, paths: tuple[str, ...], changes: Iterable[git.Change]) -> tuple[git.Change, ...]:
    """The changes of files in ``paths``."""
    named = [os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/") for path in paths]
    if "." in named:
        return tuple(changes)
    tops = tuple(f"{name}/" for name in named)
    return tuple(
        c for c in changes if any(path and (path in named or path.startswith(tops)) for path in (c.new, c.old))
    )


def scope_of(found: Found, changes: tuple[git.Change, ...]) -> Scope:
    """Which of the targets a change touches, and which its effects can reach."""
    places = {where.path: where for where in (*found.skills, *found.agents)}
    folders = {folder_of(where.path): where.path for where in found.skills}
    changed = set()
    for change in changes:
        for path in (change.new, change.old):
            owner = path if path in places else owner_of(path or "", folders)
            if owner is not None:
                changed.add(owner)
    plugins = {places[path].plugin for path in changed} | _touched_plugins(found, changes)
    neighbours = {path for path, where in places.items() if where.plugin and where.plugin in plugins}
    containers = {folder_of(folder_of(path)) for path in changed}
    neighbours |= {path for path in places if folder_of(folder_of(path)) in containers}
    return Scope(frozenset(changed), frozenset(changed | neighbours | set(naming(places.values(), changes))))


def owner_of(path: str, folders: dict[str, str]) -> str | None:
    """The skill that a file belongs to: that of the nearest folder upwards; ``folders`` are those of skills, by path."""
    folder = folder_of(path)
    while True:
        if folder in folders:
            return folders[folder]
        if not folder:
            return None
        folder = folder_of(folder)


def _touched_plugins(found: Found, changes: tuple[git.Change, ...]) -> set[str | None]:
    """Plugins whose manifest changed: every skill of theirs may be reached differently."""
    touched: set[str | None] = set()
    for change in changes:
        path = change.new or change.old or ""
        if path.rpartition("/")[2] in _MANIFESTS:
            touched |= {
                place.directory
                for place in found.plugins
                if path.startswith("" if place.path == "." else f"{place.path}/")
            }
    return touched


def naming(places: Iterable[Location], changes: tuple[git.Change, ...]) -> Iterator[str]:
    """Skills and agents whose text holds the name of a file or a folder that is gone."""
    gone = [change.old for change in changes if change.old and change.old != change.new]
    names = {part.removesuffix(".md") for path in gone for part in path.split("/")[-2:]} - {
        "SKILL",
        "references",
        "scripts",
        "assets",
        "skills",
    }
    words = [os.fsencode(name) for name in names if len(name) > 2]
    if not words:
        return
    for where in places:
        try:
            with open(where.file, "rb") as stream:
                text = stream.read(1 << 20)
        except OSError:
            continue
        if any(word in text for word in words):
            yield where.path


def evaluated(found: Found, paths: frozenset[str], config: ConfigSource) -> Evaluation:
    """Evaluate those of the targets that are in ``paths``, and the plugins they belong to."""
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
    collection = read(part)
    return Evaluation(part, collection, check(collection, config))


def _mark(
    before: tuple[Finding, ...], after: tuple[Finding, ...], renamed: dict[str, str], scope: Scope
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings of ``after`` as new or old, and those of ``before`` that are gone."""
    known = Counter((finding.path, finding.content) for finding in before)
    marked = []
    for finding in after:
        key = (renamed.get(finding.path, finding.path), finding.content)
        old = known[key] > 0
        known[key] -= old
        if (
            not old
            or finding.path in scope.changed
            or owner_of(finding.path, {folder_of(path): path for path in scope.changed})
        ):
            marked.append(finding._replace(state="old" if old else "new"))
    fixed = []
    for finding in before:
        key = (finding.path, finding.content)
        if known[key] > 0:
            known[key] -= 1
            fixed.append(finding)
    return tuple(marked), tuple(fixed)


def _is_wanted(path: str, folders: tuple[str, ...]) -> bool:
    name = path.rpartition("/")[2]
    return name in _MANIFESTS or any(not folder or path.startswith(folder + "/") for folder in folders)


def _is_text(path: str) -> bool:
    return not path.lower().endswith(
        (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".zip", ".mp4", ".ttf", ".woff", ".woff2", ".ico")
    )
