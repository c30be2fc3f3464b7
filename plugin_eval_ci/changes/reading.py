"""Those of the documents that a change concerns, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from plugin_eval_ci.check import Checked, check
from plugin_eval_ci.discover import Found
from plugin_eval_ci.evaluate import Evaluation, judged
from plugin_eval_ci.model import Collection, Document

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

    Read = tuple[Found, Collection, dict[str, Checked]]


def part_of(found: Found, paths: frozenset[str], config: ConfigSource, known: Mapping[str, Document]) -> Read:
    """Those of the targets that are in ``paths``, read, with the plugins they belong to; ``known`` as for ``judged``."""
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
    return (part, *judged(part, config, {file: document for file, document in known.items() if file in files}))


def evaluated(
    found: Found, paths: frozenset[str], config: ConfigSource, known: Mapping[str, Document] | None = None
) -> Evaluation:
    """Evaluate those of the targets that are in ``paths``, and the plugins they belong to."""
    part, collection, done = part_of(found, paths, config, known or {})
    return Evaluation(part, collection, check(collection, config, done))
