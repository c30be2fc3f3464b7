"""Compares two states of a repository: what changed, and which findings are new, old or fixed.

Only skills that the change can affect are read on both sides: those with a changed file, their neighbours in the same plugin (names
must stay distinct), and those that mention something the change removed. Neighbours that the change cannot reach are read once and
only compared with the others (``nearby``).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import git
from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.diff import neighbours, settings
from plugin_eval_ci.diff.classify import Settings, Sides, mark, with_change
from plugin_eval_ci.diff.scope import MANIFESTS, Scope, evaluate_part, owner_of, part_of, paths_naming, scope_of, within
from plugin_eval_ci.discover import Targets, find_targets, repository_root
from plugin_eval_ci.git import snapshot
from plugin_eval_ci.lint.baseline import FILE_NAME as BASELINE
from plugin_eval_ci.lint.check import check
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import Collection, Document, Finding, Skill

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


def renamed_names(before: Collection, after: Collection, renamed: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Pairs of old and new name, in lower case. The new name is empty if the document was removed.

    ``renamed`` maps the new path to the old one. A plugin's name ends with a colon, as in a qualified skill name.
    """
    now = {document.source.path: document for document in _all(after)}
    moved = {old: new for new, old in renamed.items()}
    folders = _folders(renamed)
    pairs: dict[str, str] = {}
    for document in _all(before):
        path = document.source.path
        here = now.get(moved.get(path, path))
        if here is None and isinstance(document, Skill):
            here = now.get(f"{folders.get(folder_of(path))}/SKILL.md")
        names = _names(here) if here is not None else ("", "")
        pairs.update((old, new) for old, new in zip(_names(document), names, strict=True) if old not in names)
    return (*pairs.items(), *_plugins(before, after, moved))


def _all(collection: Collection) -> Iterable[Document]:
    return (*collection.documents, *collection.commands)


def _names(document: Document) -> tuple[str, str]:
    """The names that may invoke it: the declared one, and that of its folder or file."""
    is_skill = isinstance(document, Skill)
    own = os.path.basename(document.directory if isinstance(document, Skill) else document.source.file)
    place = own if is_skill else own.removesuffix(".md")
    return (document.name or place).lower(), place.lower()


def _folders(renamed: Mapping[str, str]) -> dict[str, str]:
    """The new folder for each old folder whose files moved. This also finds a skill that was rewritten as it moved."""
    counts = Counter((folder_of(old), folder_of(new)) for new, old in renamed.items())
    ends = Counter[tuple[str, str]]()
    for (old, new), count in counts.items():
        while old and new and old.rpartition("/")[2] == new.rpartition("/")[2]:
            old, new = folder_of(old), folder_of(new)  # references/ moved with its parent folder
        if old and new and old != new:
            ends[old, new] += count
    return {old: new for (old, new), _ in reversed(ends.most_common())}


def _plugins(before: Collection, after: Collection, moved: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    names = {plugin.path: plugin.name.lower() for plugin in after.plugins}
    for plugin in before.plugins:
        top = "" if plugin.path == "." else f"{plugin.path}/"
        manifest = f"{top}.claude-plugin/plugin.json"
        path = moved.get(manifest, manifest).removesuffix(".claude-plugin/plugin.json").rstrip("/") or "."
        name, old = names.get(path), plugin.name.lower()
        if name and name != old and old not in names.values():
            yield f"{old}:", f"{name}:"


__all__ = [
    "Revision",
    "Scope",
    "Settings",
    "evaluate_part",
    "open_revision",
    "owner_of",
    "paths_naming",
    "scope_of",
    "within",
]


class Revision(NamedTuple):
    """Both sides of a change. The findings of ``after`` are marked; unchanged neighbours contribute only new ones."""

    base: str
    head: str | None  # None for the working tree
    before: Evaluation
    after: Evaluation
    changed: tuple[str, ...]  # reported paths of the changed skills and agents, as they are now
    removed: tuple[str, ...]  # of removed skills and agents
    renamed: dict[str, str]  # new path -> old path
    fixed: tuple[Finding, ...]
    total: int  # skills and agents in the repository


@contextmanager
def open_revision(paths: tuple[str, ...], told: Settings, base: str, head: str | None = None) -> Iterator[Revision]:
    """Compare ``base`` (its common ancestor with ``head``) with ``head`` or the working tree, within ``paths``.

    The files of both sides are readable inside the context. Raises ``git.GitError`` outside a repository or if a revision is
    missing.
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
        found = find_targets((now,), told.config)
        new = [change.new for change in everywhere if change.new]
        targets = git.link_targets(now, {*git.links(root, end if head else None), *new})
        scope = scope_of(found, within(root, paths, git.through_links(everywhere, targets)))
        renamed = {
            change.new: change.old for change in changes if change.old and change.new and change.old != change.new
        }
        earlier = frozenset(renamed.get(path, path) for path in scope.concerned) | frozenset(
            c.old for c in changes if c.old
        )
        # Commands and hooks of every plugin are also checked on both sides.
        folders = frozenset(folder_of(path) for path in earlier) | {
            "" if place.path == "." else place.path for place in found.plugins
        }
        accepting = _baselines(told.config, root, scope)
        linked = frozenset(targets.values())

        def is_read(path: str) -> bool:
            return _is_wanted(path, folders, accepting) or _is_below(path, linked)

        then = stack.enter_context(snapshot(root, start, is_read))
        sides = Sides(then, now, root, changes, everywhere, renamed, scope, earlier)
        yield _revision(start, end if head else None, sides, found, told, accepting)
        resolve.forget()


def _revision(
    base: str, head: str | None, sides: Sides, found: Targets, told: Settings, accepting: frozenset[str]
) -> Revision:
    scope, renamed = sides.scope, sides.renamed
    earlier = find_targets((sides.then,), told.config)
    altered = tuple(settings.settings_changes(sides.then, sides.now, sides.changes, accepting, told.named))
    # A change to the configuration may hide findings in any text.
    alone = scope.concerned - scope.changed if not altered else frozenset[str]()
    known = neighbours.nearby((earlier, found), alone, sides.everywhere)
    before = evaluate_part(earlier, sides.earlier, told.config, known.before)
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
    """The paths of the baselines that apply to changed files."""
    files = {config.at(folder).baseline for folder in {"", *map(folder_of, scope.changed)}}
    paths = {os.path.relpath(file, root).replace(os.sep, "/") for file in files if file}
    return frozenset(path for path in paths if not path.startswith("../"))


def _is_wanted(path: str, folders: frozenset[str], accepting: frozenset[str]) -> bool:
    """Whether a rule may read this file of the base. Links may lead to any page, and documents at the root may name any file."""
    folder, _, name = path.rpartition("/")
    if name in MANIFESTS or name in settings.NAMES or name == BASELINE or path in accepting or "" in folders:
        return True
    if name.lower().endswith(neighbours.PAGES) or (folder in ("", "hooks") and _is_text(path)):
        return True
    while path := path.rpartition("/")[0]:
        if path in folders:
            return True
    return False


def _is_below(path: str, places: frozenset[str]) -> bool:
    """Whether a path is one of these places or inside one. A link leads there."""
    while path:
        if path in places:
            return True
        path = path.rpartition("/")[0]
    return False


def _is_text(path: str) -> bool:
    return not path.lower().endswith(
        (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".zip", ".mp4", ".ttf", ".woff", ".woff2", ".ico")
    )
