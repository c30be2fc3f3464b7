"""Finds the commit to compare with: from the event, from local git objects, or from one bounded fetch.

With ``fetch-depth: 2`` the first parent of a pull request's merge commit is available. The difference to it is the whole effect of the
pull request, so no merge base, request or token is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from plugin_eval_ci import git
from plugin_eval_ci.git import Change
from plugin_eval_ci.github.actions import Event, Step

_DEPTHS = (20, 200, 2000)  # commits to fetch while searching for a merge base


class Base(NamedTuple):
    """``commit`` is None if no base was found. ``why`` explains how it was found, or why it was not."""

    commit: str | None
    why: str
    wanted: bool = True  # False for events that never have a base, where there is nothing to report


def base_of(root: str, step: Step, explicit: str | None) -> Base:
    """The base of the checkout in ``root``. Raises ``git.GitError`` if ``root`` is not in a git repository."""
    head = git.commit_of(root, "HEAD")
    if explicit is not None:
        return _base_of_input(root, explicit)
    event = step.event
    if event.pull is not None:
        return _base_of_pull(root, step, head)
    if event.name == "merge_group":
        return _base_of_commit(root, event.base, "the merge group's base")
    if event.name == "push":
        return _base_of_push(root, event)
    return Base(None, f"{event.name or 'no event'} has no base", wanted=False)


def _base_of_input(root: str, revision: str) -> Base:
    for name in (revision, f"refs/remotes/origin/{revision}"):
        if commit := _commit(root, name):
            return Base(commit, f"input base: {revision}")
    remote = revision.removeprefix("refs/remotes/").removeprefix("origin/")
    if not revision.startswith("-") and git.fetch(root, 1, remote) and (commit := _commit(root, "FETCH_HEAD")):
        return Base(commit, f"input base: {revision}, fetched")
    return Base(None, f"input base: {revision} is not in this checkout and could not be fetched")


def _base_of_pull(root: str, step: Step, head: str) -> Base:
    pull = step.event.pull
    assert pull is not None
    if head == step.sha and (found := _first_parent(root, head)):
        return Base(found, "the first parent of the merge commit")
    if head == step.sha and git.fetch(root, 2, head) and (found := _first_parent(root, head)):
        return Base(found, "the first parent of the merge commit, fetched")
    if pull.base is None:
        return Base(None, "the event does not name a base")
    if found := _ancestor(root, pull.base, head):
        return Base(found, "the merge base with the pull request's base")
    for depth in _DEPTHS:
        if not git.fetch(root, depth, pull.base, head):
            break
        if found := _ancestor(root, pull.base, head):
            return Base(found, "the merge base with the pull request's base, fetched")
    return Base(None, "the pull request's base is not in this checkout (set fetch-depth: 2 on actions/checkout)")


def _base_of_push(root: str, event: Event) -> Base:
    if event.before is None:
        return Base(None, "a new branch has no commit before it", wanted=False)
    return _base_of_commit(root, event.before, "the commit before the push")


def _base_of_commit(root: str, commit: str | None, what: str) -> Base:
    if commit is None:
        return Base(None, f"{what} is missing from the event")
    if _commit(root, commit):
        return Base(commit, what)
    if git.fetch(root, 1, commit) and _commit(root, commit):
        return Base(commit, f"{what}, fetched")
    return Base(
        None, f"{what} is not in this checkout and could not be fetched (try fetch-depth: 2 on actions/checkout)"
    )


def _first_parent(root: str, commit: str) -> str | None:
    """The first parent of a two-parent merge. None for other commits, and if the clone ends there."""
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
    """Whether any of ``changes`` may affect a skill, an agent or a plugin. If in doubt, the answer is yes.

    ``root`` is the checkout. ``also`` lists other files that count, such as a configuration or a baseline.
    """
    changes = tuple(changes)
    named = {os.path.realpath(file) for file in also}
    known: dict[str, bool] = {}
    for change in git.through_links(changes, _targets(root, changes)) if changes else ():
        path = change.new
        if path is None or (change.old is not None and change.old != path):
            return True  # any text may link to or name the deleted file
        place = os.path.join(root, path)
        if _is_skill_file(path) or _climbs(root, path, _is_owner, known) or os.path.isdir(place):
            return True  # a folder here is a submodule, and git does not list its changed files
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
    """Whether a configuration file above this file mentions its name, for example as a baseline."""
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
    """Whether this file may change the configuration of the lint."""
    return path.rpartition("/")[2] in _CONFIGURATIONS


def _is_skill_file(path: str) -> bool:
    *folders, name = path.lower().split("/")
    return name in _FILES or any(
        folder in _FOLDERS or folder.startswith(".claude") or folder.endswith("-plugin") for folder in folders
    )


def _climbs(root: str, path: str, test: Callable[[str], bool], known: dict[str, bool]) -> bool:
    """Whether ``test`` is true for any folder above ``path``, up to ``root``. ``known`` caches the answer for each folder."""
    folder = path.rpartition("/")[0]
    if folder not in known:
        known[folder] = test(os.path.join(root, folder)) or (folder != "" and _climbs(root, folder, test, known))
    return known[folder]


def _is_owner(folder: str) -> bool:
    """Whether every file below belongs to a skill, or to a plugin or marketplace whose manifest may reference it."""
    return any(name.lower() in _FILES_OF_OWNERS or name.lower().endswith("-plugin") for name in _names(folder))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
