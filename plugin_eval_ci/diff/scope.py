"""Finds the skills and agents that a change can affect, so that only those are read on both sides."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.discover import Targets
from plugin_eval_ci.git import Change
from plugin_eval_ci.lint.check import Checked, check
from plugin_eval_ci.lint.evaluate import Evaluation, read_and_check
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import Collection, Document
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.parse.source import MAX_BYTES, read_head

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

    Read = tuple[Targets, Collection, dict[str, Checked]]


def part_of(found: Targets, paths: frozenset[str], config: ConfigSource, known: Mapping[str, Document]) -> Read:
    """The targets in ``paths``, parsed, with the plugins that contain them. ``known`` as for ``judged``."""
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
    return (part, *read_and_check(part, config, {file: document for file, document in known.items() if file in files}))


def evaluate_part(
    found: Targets, paths: frozenset[str], config: ConfigSource, known: Mapping[str, Document] | None = None
) -> Evaluation:
    """Evaluate the targets in ``paths`` and the plugins that contain them."""
    part, collection, done = part_of(found, paths, config, known or {})
    return Evaluation(part, collection, check(collection, config, done))


MANIFESTS = ("plugin.json", "marketplace.json", "hooks.json", ".mcp.json")


class Scope(NamedTuple):
    """The reported paths of the skills and agents that a change affects."""

    changed: frozenset[str]
    concerned: frozenset[str]  # the changed ones, and those whose findings they can affect


def within(root: str, paths: tuple[str, ...], changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes within the given paths."""
    named = [os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/") for path in paths]
    if "." in named:
        return tuple(changes)
    tops = tuple(f"{name}/" for name in named)
    return tuple(
        c for c in changes if any(path and (path in named or path.startswith(tops)) for path in (c.new, c.old))
    )


def scope_of(found: Targets, changes: tuple[Change, ...]) -> Scope:
    """The changed documents, their neighbours, and those that mention something that was removed."""
    places = {where.path: where for where in (*found.skills, *found.agents)}
    folders = {folder_of(where.path): where.path for where in found.skills}
    changed = set()
    for change in changes:
        for path in (change.new, change.old):
            owner = path if path in places else owner_of(path or "", folders)
            if owner is not None:
                changed.add(owner)
    # A folder listed as changed is a submodule, and git does not list its changed files.
    wholes = {path: path for change in changes for path in (change.new, change.old) if path}
    changed |= {path for path in places if path not in wholes and owner_of(path, wholes)}
    plugins = {places[path].plugin for path in changed} | _touched_plugins(found, changes)
    neighbours = {path for path, where in places.items() if where.plugin and where.plugin in plugins}
    containers = {folder_of(folder_of(path)) for path in changed}
    neighbours |= {path for path in places if folder_of(folder_of(path)) in containers}
    return Scope(frozenset(changed), frozenset(changed | neighbours | set(paths_naming(places.values(), changes))))


def owner_of(path: str, folders: dict[str, str]) -> str | None:
    """The value of the nearest of ``folders`` that contains ``path``."""
    folder = folder_of(path)
    while True:
        if folder in folders:
            return folders[folder]
        if not folder:
            return None
        folder = folder_of(folder)


def _touched_plugins(found: Targets, changes: tuple[Change, ...]) -> set[str | None]:
    """Plugins whose manifest changed. All of their skills may be affected."""
    touched: set[str | None] = set()
    for change in changes:
        path = change.new or change.old or ""
        if path.rpartition("/")[2] in MANIFESTS:
            touched |= {
                place.directory
                for place in found.plugins
                if path.startswith("" if place.path == "." else f"{place.path}/")
            }
    return touched


def paths_naming(places: Iterable[Location], changes: tuple[Change, ...]) -> Iterator[str]:
    """Skills and agents whose text contains the name of a removed file or folder."""
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
        text = read_head(where.file, MAX_BYTES)
        if any(word in text for word in words):
            yield where.path
