"""Which commit a step is to compare with: from the event, from git's objects, and where they are not at hand from one bounded fetch.

With ``fetch-depth: 2`` the first parent of a pull request's merge commit is there, and the difference to it is the pull request's whole
effect: no merge base, no request and no token is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from plugin_eval_ci import git
from plugin_eval_ci.git import Change
from plugin_eval_ci.github.actions import Event, Step

_DEPTHS = (20, 200, 2000)  # how far a merge base is looked for


class Base(NamedTuple):
    """``commit`` is None when there is none, and ``why`` says so in words, else how it was found."""

    commit: str | None
    why: str
    wanted: bool = True  # False for an event that has no base at all, which is no reason to complain


def base_of(root: str, step: Step, explicit: str | None) -> Base:
    """The base of the checkout in ``root``. Raises ``git.GitError`` when it is no repository."""
    head = git.commit_of(root, "HEAD")
    if explicit is not None:
        return _named(root, explicit)
    event = step.event
    if event.pull is not None:
        return _of_pull(root, step, head)
    if event.name == "merge_group":
        return _at_hand(root, event.base, "the merge group's base")
    if event.name == "push":
        return _of_push(root, event)
    return Base(None, f"{event.name or 'no event'} has no base", wanted=False)


def _named(root: str, revision: str) -> Base:
    for name in (revision, f"refs/remotes/origin/{revision}"):
        if commit := _commit(root, name):
            return Base(commit, f"input base: {revision}")
    remote = revision.removeprefix("refs/remotes/").removeprefix("origin/")
    if not revision.startswith("-") and git.fetch(root, 1, remote) and (commit := _commit(root, "FETCH_HEAD")):
        return Base(commit, f"input base: {revision}, fetched")
    return Base(None, f"input base: {revision} is not in this checkout and could not be fetched")


def _of_pull(root: str, step: Step, head: str) -> Base:
    pull = step.event.pull
    assert pull is not None
    if head == step.sha and (found := _first_parent(root, head)):
        return Base(found, "the first parent of the merge commit")
    if head == step.sha and git.fetch(root, 2, head) and (found := _first_parent(root, head)):
        return Base(found, "the first parent of the merge commit, fetched")
    if pull.base is None:
        return Base(None, "the event names no base")
    if found := _ancestor(root, pull.base, head):
        return Base(found, "the merge base with the pull request's base")
    for depth in _DEPTHS:
        if not git.fetch(root, depth, pull.base, head):
            break
        if found := _ancestor(root, pull.base, head):
            return Base(found, "the merge base with the pull request's base, fetched")
    return Base(None, "the pull request's base is not in this checkout (set fetch-depth: 2)")


def _of_push(root: str, event: Event) -> Base:
    if event.before is None:
        return Base(None, "a new branch has no commit before it", wanted=False)
    return _at_hand(root, event.before, "the commit before the push")


def _at_hand(root: str, commit: str | None, what: str) -> Base:
    if commit is None:
        return Base(None, f"{what} is not named in the event")
    if _commit(root, commit):
        return Base(commit, what)
    if git.fetch(root, 1, commit) and _commit(root, commit):
        return Base(commit, f"{what}, fetched")
    return Base(None, f"{what} is not in this checkout and could not be fetched (fetch-depth: 2 often helps)")


def _first_parent(root: str, commit: str) -> str | None:
    """The first parent of a merge of two; None for anything else, also where the clone ends there."""
    return _commit(root, f"{commit}^1") if _commit(root, f"{commit}^2") and not _commit(root, f"{commit}^3") else None


def _ancestor(root: str, base: str, head: str) -> str | None:
    return git.merge_base(root, base, head) if _commit(root, base) else None


def _commit(root: str, revision: str) -> str | None:
    try:
        return git.commit_of(root, revision)
    except git.GitError:
        return None


_FOLDERS = frozenset({"skills", "agents", "commands", "hooks", "scripts", "bin"})
_CONFIGURATIONS = (".plugin-eval.yaml", ".plugin-eval-baseline.json", "pyproject.toml")
_FILES = frozenset({"skill.md", "plugin.json", "marketplace.json", "hooks.json", ".mcp.json", *_CONFIGURATIONS})
_FILES_OF_OWNERS = frozenset({"skill.md", "plugin.json", ".mcp.json"})
_LARGEST_CONFIGURATION = 1 << 20


def concerns_skills(root: str, changes: Iterable[Change], also: Iterable[str] = ()) -> bool:
    """Whether one of ``changes`` may concern a skill, an agent or a plugin. A lint then says whether it does; doubt counts as yes.

    ``root`` is the checkout, ``also`` are more files whose change counts: a configuration, a baseline.
    """
    changes = tuple(changes)
    named = {os.path.realpath(file) for file in also}
    known: dict[str, bool] = {}
    for change in git.through_links(changes, _targets(root, changes)) if changes else ():
        path = change.new
        if path is None or (change.old is not None and change.old != path):
            return True  # any text may link to, or name, what is gone
        place = os.path.join(root, path)
        if _is_ours(path) or _climbs(root, path, _owns_files, known) or os.path.isdir(place):
            return True  # a folder is a submodule, of which git does not say which files changed
        if (named and os.path.realpath(place) in named) or _is_configured(root, path):
            return True
    return False


def _targets(root: str, changes: tuple[Change, ...]) -> dict[str, str]:
    try:
        known = git.links(root, None)
    except git.GitError:
        known = ()
    return git.link_targets(root, {*known, *(change.new for change in changes if change.new)})


def _is_configured(root: str, path: str) -> bool:
    """Whether a configuration above a file holds its name, as that of a baseline."""
    folder, _, name = path.rpartition("/")
    while True:
        for file in _CONFIGURATIONS:
            try:
                with open(os.path.join(root, folder, file), "rb") as stream:
                    if os.fsencode(name) in stream.read(_LARGEST_CONFIGURATION):
                        return True
            except OSError:
                continue
        if not folder:
            return False
        folder = folder.rpartition("/")[0]


def is_configuration(path: str) -> bool:
    """Whether a file may change what the lint is told."""
    return path.rpartition("/")[2] in _CONFIGURATIONS


def _is_ours(path: str) -> bool:
    *folders, name = path.lower().split("/")
    return name in _FILES or any(
        folder in _FOLDERS or folder.startswith(".claude") or folder.endswith("-plugin") for folder in folders
    )


def _climbs(root: str, path: str, test: Callable[[str], bool], known: dict[str, bool]) -> bool:
    """Whether ``test`` holds for a folder above ``path``, up to ``root``; ``known`` remembers each folder."""
    folder = path.rpartition("/")[0]
    if folder not in known:
        known[folder] = test(os.path.join(root, folder)) or (folder != "" and _climbs(root, folder, test, known))
    return known[folder]


def _owns_files(folder: str) -> bool:
    """Whether all that lies below is a part of something: a skill, or what a manifest describes and may name in any of its files."""
    return any(name.lower() in _FILES_OF_OWNERS or name.lower().endswith("-plugin") for name in _names(folder))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
