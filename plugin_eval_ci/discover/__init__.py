"""Paths to targets: skills, agents and plugins, each once and in order.

A name may be a SKILL.md, a skill, a plugin, a marketplace, a repository, or any file inside one: a file climbs to its owner.
"""

import os
from typing import NamedTuple

from plugin_eval_ci.config import Config
from plugin_eval_ci.discover import owner
from plugin_eval_ci.discover.layout import Layout, PluginPlace
from plugin_eval_ci.discover.tree import Excluder, scan
from plugin_eval_ci.model import Problem
from plugin_eval_ci.parse.documents import Location

__all__ = ["Found", "PluginPlace", "find", "repository_root"]


NOTHING = Problem(
    "NO_SKILLS",
    1,
    "no skills found here: no folder with a SKILL.md, no agent",
    "Name a folder that holds skills, or check the excludes of .plugin-eval.yaml.",
)


class Found(NamedTuple):
    """What the named paths hold. ``missing`` do not exist, ``empty`` hold nothing, ``unowned`` are files of no skill."""

    root: str
    skills: tuple[Location, ...]
    agents: tuple[Location, ...]
    plugins: tuple[PluginPlace, ...]
    problems: tuple[tuple[str, Problem], ...]
    missing: tuple[str, ...]
    empty: tuple[str, ...]
    unowned: tuple[str, ...]
    excluded: tuple[str, ...]


def find(paths: tuple[str, ...], config: Config) -> Found:
    """Find the targets in ``paths`` (relative ones from the working directory)."""
    absolute = [(path, os.path.abspath(_native(path))) for path in paths]
    root = _common_root([place for _, place in absolute])
    excluder = Excluder(root, config)
    layout = Layout(root)
    missing, empty, unowned, excluded = [], [], [], []
    for path, place in absolute:
        if not os.path.lexists(place):
            missing.append(path)
        elif excluder.by_user(place):
            excluded.append(path)
        elif os.path.isdir(place):
            if not _directory(layout, place, excluder) and not owner.claim(layout, place, excluder):
                empty.append(path)
        elif not owner.claim(layout, place, excluder):
            unowned.append(path)
    for path, place in absolute:
        if path in empty:
            layout.note(place, NOTHING)
    skills, agents, plugins, problems = layout.finish()
    return Found(root, skills, agents, plugins, problems, tuple(missing), tuple(empty), tuple(unowned), tuple(excluded))


def _directory(layout: Layout, place: str, excluder: Excluder) -> bool:
    met = [layout.scanned(scan(place, excluder))]
    for named in layout.named_but_unseen():  # a manifest may name a folder that is left out by default
        if not excluder.by_user(named):
            met.append(layout.scanned(scan(named, excluder)))
    met += [layout.agent(file) for file in layout.named_agents() if not excluder.by_user(file)]
    return any(met)


def _native(path: str) -> str:
    if os.sep != "/" or "\\" not in path or os.path.lexists(path):
        return path
    return path.replace("\\", "/")


def _common_root(places: list[str]) -> str:
    """The repository of all ``places``; for several repositories the folder that holds them."""
    folders = {place if os.path.isdir(place) else os.path.dirname(place) for place in places}
    roots = sorted({repository_root(folder) for folder in folders})
    return roots[0] if len(roots) == 1 else os.path.commonpath(roots)


def repository_root(place: str) -> str:
    """The repository that ``place`` (absolute) is in; outside of one, the working directory, or the place itself."""
    start = place if os.path.isdir(place) else os.path.dirname(place)
    current = start
    while True:
        if os.path.lexists(os.path.join(current, ".git")):
            return current
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    cwd = os.getcwd()
    return cwd if start == cwd or start.startswith(cwd.rstrip(os.sep) + os.sep) else start
