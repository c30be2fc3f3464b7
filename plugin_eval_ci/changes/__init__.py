"""Two states of a repository: what changed, which findings are new, old or fixed.

Only the skills that a change can concern are read on both sides: those with a changed file, their neighbours in the same plugin (names
must stay distinct), and those that name something the change removed. Of these, whoever the change cannot reach is read once and only
compared with the others (``nearby``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import resolve
from plugin_eval_ci.baseline import FILE_NAME as BASELINE
from plugin_eval_ci.changes import nearby, settings
from plugin_eval_ci.changes.marking import Settings, Sides, mark, with_change
from plugin_eval_ci.changes.reading import evaluated, part_of
from plugin_eval_ci.changes.renames import renamed_names
from plugin_eval_ci.changes.scope import MANIFESTS, Scope, naming, owner_of, scope_of, within
from plugin_eval_ci.check import check
from plugin_eval_ci.discover import Found, find, repository_root
from plugin_eval_ci.edges import git
from plugin_eval_ci.edges.snapshot import snapshot
from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.model import Finding
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
    everywhere = git.changes(root, start, end if head else None)
    changes = within(root, paths, everywhere)
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
        # Beside what is concerned: commands and hooks of every plugin are looked at on both sides.
        folders = frozenset(folder_of(path) for path in earlier) | {
            "" if place.path == "." else place.path for place in found.plugins
        }
        accepting = _baselines(told.config, root, scope)
        then = stack.enter_context(snapshot(root, start, lambda path: _is_wanted(path, folders, accepting)))
        sides = Sides(then, now, root, changes, everywhere, renamed, scope, earlier)
        yield _revision(start, end if head else None, sides, found, told, accepting)
        resolve.forget()


def _revision(
    base: str, head: str | None, sides: Sides, found: Found, told: Settings, accepting: frozenset[str]
) -> Revision:
    scope, renamed = sides.scope, sides.renamed
    earlier = find((sides.then,), told.config)
    altered = tuple(settings.settings_changes(sides.then, sides.now, sides.changes, accepting, told.named))
    # Where the change tells this tool something else, it may hide what stands in any text.
    alone = scope.concerned - scope.changed if not altered else frozenset[str]()
    known = nearby.nearby((earlier, found), alone, sides.everywhere)
    before = evaluated(earlier, sides.earlier, told.config, known.before)
    part, collection, done = part_of(found, scope.concerned, told.config, known.after)
    collection = collection._replace(renamed=renamed_names(before.collection, collection, renamed))
    after = Evaluation(part, collection, check(collection, told.config, done))
    marked, fixed = mark(before, after, renamed, scope)
    checked = with_change(marked, before, after, sides, told, altered)
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


def _baselines(config: ConfigSource, root: str, scope: Scope) -> frozenset[str]:
    """The paths of the baselines that hold where something changed."""
    files = {config.at(folder).baseline for folder in {"", *map(folder_of, scope.changed)}}
    paths = {os.path.relpath(file, root).replace(os.sep, "/") for file in files if file}
    return frozenset(path for path in paths if not path.startswith("../"))


def _is_wanted(path: str, folders: frozenset[str], accepting: frozenset[str]) -> bool:
    """Whether any rule may read a file of the base: links lead into every page, and what is at the top may name any file."""
    folder, _, name = path.rpartition("/")
    if name in MANIFESTS or name in settings.NAMES or name == BASELINE or path in accepting or "" in folders:
        return True
    if name.lower().endswith(nearby.PAGES) or (folder in ("", "hooks") and _is_text(path)):
        return True
    while path := path.rpartition("/")[0]:
        if path in folders:
            return True
    return False


def _is_text(path: str) -> bool:
    return not path.lower().endswith(
        (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".zip", ".mp4", ".ttf", ".woff", ".woff2", ".ico")
    )
