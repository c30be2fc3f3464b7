"""The spine: discover, parse, check. Everything the two doors do passes here, on one screen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.discover import Targets, find_targets, repository_root
from plugin_eval_ci.discover.exclude import Excluder
from plugin_eval_ci.discover.layout import Layout
from plugin_eval_ci.lint.check import ActiveRules, Checked, check, one_document
from plugin_eval_ci.model import Agent, CheckResult, Collection, Document, Manifest, Plugin, Skill
from plugin_eval_ci.parse import documents, manifest
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.parse.source import decode
from plugin_eval_ci.util import parallel

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


Kind = TypeVar("Kind", Skill, Agent)


class Evaluation(NamedTuple):
    """The targets, what was read of them, and the findings."""

    found: Targets
    collection: Collection
    checked: CheckResult


def evaluate(paths: tuple[str, ...], config: ConfigSource, strict: bool = False) -> Evaluation:
    """Lint everything in ``paths``; ``strict`` as for ``discover.find``."""
    resolve.forget()
    found = find_targets(paths, config, strict)
    if len(found.skills) + len(found.agents) >= parallel.LEAST:
        return _in_parallel(found, config)
    collection = read_collection(found)
    return Evaluation(found, collection, check(collection, config))


def _in_parallel(found: Targets, config: ConfigSource) -> Evaluation:
    collection, done = read_and_check(found, config, {})
    return Evaluation(found, collection, check(collection, config, done))


def read_and_check(
    found: Targets, config: ConfigSource, known: Mapping[str, Document]
) -> tuple[Collection, dict[str, Checked]]:
    """Read and check documents on every processor at hand; what looks at all of them together comes after.

    ``known`` holds by file what was parsed already and no rule about single documents is to look at. What those rules say of the others
    is the second value, by file.
    """
    chosen = ActiveRules(config)

    def work(place: tuple[Location, bool]) -> tuple[Document, Checked]:
        where, is_skill = place
        document: Document = documents.parse_skill(where) if is_skill else documents.parse_agent(where)
        return document, one_document(document, chosen)

    places = [place for place in places_of(found) if place[0].file not in known]
    others: list[_OtherFiles] = []
    results = parallel.parallel_map(work, places, meanwhile=lambda: others.append(_read_others(found)))
    have = {where.file: document for (where, _), (document, _) in zip(places, results, strict=True)}
    collection = read_collection(found, {**known, **have}, others[0])
    done: dict[str, Checked] = {file: ([], []) for file in known}
    return collection, done | {document.source.file: said for document, said in results}


def places_of(found: Targets) -> list[tuple[Location, bool]]:
    """Every skill and agent, each with whether it is a skill."""
    return [*((where, True) for where in found.skills), *((where, False) for where in found.agents)]


def evaluate_text(data: bytes, file: str, config: ConfigSource) -> Evaluation:
    """Lint one document whose bytes come from an editor and whose name is ``file``; nothing needs to be on disk."""
    resolve.forget()
    place = os.path.abspath(file)
    root = repository_root(place)
    near = find_targets((file,), config) if os.path.lexists(place) else None
    if near.excluded if near is not None else Excluder(root, config).by_user(place):
        nothing = Targets(root, (), (), (), (), (), (), (), (file,))
        return Evaluation(near or nothing, Collection(root, (), (), (), ()), CheckResult((), ()))
    known = [*near.skills, *near.agents] if near is not None else []
    location = next((where for where in known if where.file == place), None) or Layout(root).location(place)
    source = decode(data, place, location.path)
    if os.path.basename(os.path.dirname(place)) == "agents" and os.path.basename(place).lower() != "skill.md":
        collection = Collection(root, (), (documents.parse_agent(location, source),), (), ())
    else:
        collection = Collection(root, (documents.parse_skill(location, source),), (), (), ())
    found = near or Targets(root, (location,), (), (), (), (), (), (), ())
    return Evaluation(found, collection, check(collection, config))


def read_collection(
    found: Targets, known: Mapping[str, Document] | None = None, others: _OtherFiles | None = None
) -> Collection:
    """Parse every target, each file once; ``known`` holds by file what was parsed already, ``others`` the other files."""
    have = known or {}
    skills = {where.file: _as(Skill, have.get(where.file)) or documents.parse_skill(where) for where in found.skills}
    agents = {where.file: _as(Agent, have.get(where.file)) or documents.parse_agent(where) for where in found.agents}
    of_plugins, manifests, commands = others or _read_others(found)
    plugins = tuple(
        Plugin(
            place.path,
            place.name,
            1,
            tuple(skills[file] for file in place.skill_files),
            tuple(agents[file] for file in place.agent_files),
            other,
        )
        for place, other in zip(found.plugins, of_plugins, strict=True)
    )
    return Collection(
        found.root, tuple(skills.values()), tuple(agents.values()), plugins, found.problems, manifests, commands
    )


class _OtherFiles(NamedTuple):
    """What is read besides skills and agents: of each plugin what else it brings, the manifests, the commands."""

    others: tuple[tuple[str, ...], ...]
    manifests: tuple[Manifest, ...]
    commands: tuple[Agent, ...]


def _read_others(found: Targets) -> _OtherFiles:
    manifests: tuple[Manifest, ...] = ()
    if found.plugins or found.marketplaces:
        from plugin_eval_ci.parse.manifest_files import read_manifests  # a commit of one SKILL.md needs none

        manifests = read_manifests([place.directory for place in found.plugins], found.marketplaces, found.root)
    others = tuple(manifest.other_components(place.directory) for place in found.plugins)
    return _OtherFiles(others, manifests, tuple(documents.parse_command(where) for where in found.commands))


def _as(kind: type[Kind], document: Document | None) -> Kind | None:
    return document if isinstance(document, kind) else None
