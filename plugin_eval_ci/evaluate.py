"""The spine: discover, parse, check. Everything the two doors do passes here, on one screen."""

import os
from typing import NamedTuple

from plugin_eval_ci import resolve
from plugin_eval_ci.check import check
from plugin_eval_ci.config import Config
from plugin_eval_ci.discover import Found, find, repository_root
from plugin_eval_ci.model import CheckResult, Collection, Plugin
from plugin_eval_ci.parse import documents, manifest
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.parse.source import decode


class Evaluation(NamedTuple):
    """What was looked at and what was found."""

    found: Found
    collection: Collection
    checked: CheckResult


def evaluate(paths: tuple[str, ...], config: Config) -> Evaluation:
    """Lint everything in ``paths``."""
    resolve.forget()
    found = find(paths, config)
    collection = read(found)
    return Evaluation(found, collection, check(collection, config))


def evaluate_text(data: bytes, file: str, config: Config) -> Evaluation:
    """Lint one document whose bytes come from an editor and whose name is ``file``; nothing needs to be on disk."""
    resolve.forget()
    place = os.path.abspath(file)
    root = repository_root(place)
    near = find((file,), config) if os.path.lexists(place) else None
    if near is not None and near.excluded:
        return Evaluation(near, Collection(root, (), (), (), ()), CheckResult((), (), 0))
    known = [*near.skills, *near.agents] if near is not None else []
    path = os.path.relpath(place, root).replace(os.sep, "/")
    location = next((where for where in known if where.file == place), Location(place, path, root, None))
    source = decode(data, place, location.path)
    if os.path.basename(os.path.dirname(place)) == "agents" and os.path.basename(place).lower() != "skill.md":
        collection = Collection(root, (), (documents.parse_agent(location, source),), (), ())
    else:
        collection = Collection(root, (documents.parse_skill(location, source),), (), (), ())
    found = near or Found(root, (location,), (), (), (), (), (), (), ())
    return Evaluation(found, collection, check(collection, config))


def read(found: Found) -> Collection:
    """Parse every target, each file once."""
    skills = {where.file: documents.parse_skill(where) for where in found.skills}
    agents = {where.file: documents.parse_agent(where) for where in found.agents}
    plugins = tuple(
        Plugin(
            place.path,
            place.name,
            1,
            tuple(skills[file] for file in place.skill_files),
            tuple(agents[file] for file in place.agent_files),
            manifest.other_components(place.directory),
        )
        for place in found.plugins
    )
    return Collection(found.root, tuple(skills.values()), tuple(agents.values()), plugins, found.problems)
