"""Which skills a client lists together with a skill, even if a command names only some of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.discover import find_targets
from plugin_eval_ci.lint.evaluate import read_collection
from plugin_eval_ci.model import Skill

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Catalog(NamedTuple):
    """Skills that are listed together. ``chosen`` are those the command is about; ``plugins`` are names by absolute directory."""

    chosen: tuple[Skill, ...]
    skills: tuple[Skill, ...]
    plugins: dict[str, str]


def catalogs_of(chosen: Sequence[Skill], config: ConfigSource) -> tuple[Catalog, ...]:
    """Groups of skills: those of a plugin, else those of a folder, without what the configuration excludes."""
    groups: dict[str, list[Skill]] = {}
    for skill in chosen:
        groups.setdefault(_place(skill), []).append(skill)
    found = []
    for place, mine in groups.items():
        collection = read_collection(find_targets((place,), config))
        have = {skill.source.file: skill for skill in (*collection.skills, *mine)}
        near = sorted((one for one in have.values() if _place(one) == place), key=lambda one: one.source.path)
        plugins = {os.path.normpath(os.path.join(collection.root, one.path)): one.name for one in collection.plugins}
        found.append(Catalog(tuple(mine), tuple(near), plugins))
    return tuple(found)


def _place(skill: Skill) -> str:
    return skill.plugin or (os.path.dirname(skill.directory) if skill.placed else skill.directory)
