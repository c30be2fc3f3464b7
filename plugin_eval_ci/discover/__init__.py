"""Paths to targets: skills, agents and plugins, each once and in order.

A name may be a SKILL.md, a skill, a plugin, a marketplace, a repository, or any file inside one: a file climbs to its owner.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.discover import layout as owner
from plugin_eval_ci.discover.exclude import Excluder
from plugin_eval_ci.discover.layout import Layout, PluginPlace, names_of
from plugin_eval_ci.discover.tree import scan
from plugin_eval_ci.model import Problem
from plugin_eval_ci.parse.documents import Location, is_inside, real_file

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

__all__ = ["PluginPlace", "Targets", "find_targets", "repository_root", "roots_of"]


NOTHING = Problem(
    "NO_SKILLS",
    1,
    "no skills found here: no folder with a SKILL.md, no agent",
    "Name a folder that holds skills, or check the excludes of .plugin-eval.yaml.",
)


class Targets(NamedTuple):
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
    marketplaces: tuple[str, ...] = ()  # directories (absolute) with a marketplace file
    commands: tuple[Location, ...] = ()


def find_targets(paths: tuple[str, ...], config: ConfigSource, strict: bool = False) -> Targets:
    """Find the targets in ``paths`` (relative ones from the working directory).

    A named path wins over the default excludes, unless ``strict``: then nobody named it, a hook passed it.
    """
    absolute = [(path, os.path.abspath(_native(path))) for path in paths]
    root, _ = _roots([place for _, place in absolute])
    excluder = Excluder(root, config)
    layout = Layout(root)
    missing, empty, unowned, excluded = [], [], [], []
    for path, place in absolute:
        if not os.path.lexists(place):
            missing.append(path)
        elif excluder.by_user(place) or (strict and excluder.is_noise(place)):
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
    markets = tuple(sorted(layout.markets))
    left_out = tuple(missing), tuple(empty), tuple(unowned), tuple(excluded)
    return Targets(root, skills, agents, plugins, problems, *left_out, markets, tuple(_commands(layout, excluder)))


def _commands(layout: Layout, excluder: Excluder) -> Iterator[Location]:
    """The Markdown files in the ``commands`` folder of a plugin or of ``.claude``."""
    for folder in sorted(folder for folder in layout.folders if folder.endswith(f"{os.sep}commands")):
        owner_folder = os.path.dirname(folder)
        if owner_folder in layout.roots or owner_folder.endswith(f"{os.sep}.claude"):
            for name in names_of(folder):
                file = os.path.join(folder, name)
                kept = name.endswith(".md") and os.path.isfile(file) and not excluder.by_user(file)
                if kept and is_inside(real_file(file), layout.real_root):
                    yield Location(file, layout.relative(file), layout.root, None)


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


def roots_of(paths: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """What the paths of a report count from, and the repositories of ``paths``: the same folder when there is one of them."""
    return _roots([os.path.abspath(_native(path)) for path in paths])


def _roots(places: list[str]) -> tuple[str, tuple[str, ...]]:
    folders = {place if os.path.isdir(place) else os.path.dirname(place) for place in places}
    roots = tuple(sorted({repository_root(folder) for folder in folders}))
    return (roots[0] if len(roots) == 1 else os.path.commonpath(roots)), roots


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
    near = start == cwd or start.startswith(cwd.rstrip(os.sep) + os.sep)
    # The root of the disk or somebody's home is no project: what lies there is none of the skill's business.
    if near and cwd not in (os.path.dirname(cwd), os.path.expanduser("~")):
        return cwd
    head, found, _ = start.rpartition(f"{os.sep}skills{os.sep}")
    return head if found and head else start
