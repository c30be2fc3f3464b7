"""What is scored together: plugins with their members, or one skill or agent of none; from a unit to its targets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from plugin_eval_ci.check import Chosen, one_document
from plugin_eval_ci.dimensions import grade_of
from plugin_eval_ci.discover import Found, PluginPlace
from plugin_eval_ci.measure.cost import ContextCost
from plugin_eval_ci.model import Document, Finding, Plugin, Skill
from plugin_eval_ci.parse import documents, manifest
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.score_report import ScoreReport, agent_report, plugin_report, skill_report
from plugin_eval_ci.survey import Cost, Target, finding_order
from plugin_eval_ci.surveying.owners import Owners
from plugin_eval_ci.surveying.shown import Shown, without_names

_OVERHEAD = 6_000  # bytes of text that take as long as opening one document does


class Unit(NamedTuple):
    """Plugins that share members, and these; ``name`` is the first path in it, ``size`` says how long it takes, in bytes."""

    name: str
    plugins: tuple[PluginPlace, ...]
    skills: tuple[Location, ...]
    agents: tuple[Location, ...]
    size: int


class Context(NamedTuple):
    """What all units of a run share."""

    chosen: Chosen  # every rule that a score counts
    shown: Shown  # which findings are shown
    owners: Owners


def units_of(found: Found) -> tuple[Unit, ...]:
    """Every document and plugin in exactly one unit, in the order of their names."""
    group = _Groups()
    for number, place in enumerate(found.plugins):
        for file in (*place.skill_files, *place.agent_files):
            group.join(f"plugin {number}", file)
    parts: dict[str, tuple[list[PluginPlace], list[Location], list[Location]]] = {}
    for number, place in enumerate(found.plugins):
        parts.setdefault(group.of(f"plugin {number}"), ([], [], []))[0].append(place)
    for column, locations in ((1, found.skills), (2, found.agents)):
        for where in locations:
            _column(parts.setdefault(group.of(where.file), ([], [], [])), column).append(where)
    return tuple(sorted((_unit(*part) for part in parts.values()), key=lambda unit: unit.name))


def _column(part: tuple[list[PluginPlace], list[Location], list[Location]], column: int) -> list[Location]:
    return part[1] if column == 1 else part[2]


def _unit(plugins: list[PluginPlace], skills: list[Location], agents: list[Location]) -> Unit:
    name = min([f"{place.path} {place.name}" for place in plugins] or [where.path for where in (*skills, *agents)])
    size = sum(_size(where.file) for where in (*skills, *agents)) + 1_000 * len(plugins)
    return Unit(name, tuple(plugins), tuple(skills), tuple(agents), size)


def _size(file: str) -> int:
    try:
        return min(os.stat(file).st_size, 1 << 20) + _OVERHEAD
    except OSError:
        return _OVERHEAD


class _Groups:
    """Names that were joined, directly or through others."""

    def __init__(self) -> None:
        self.above: dict[str, str] = {}

    def of(self, name: str) -> str:
        while (up := self.above.get(name, name)) != name:
            self.above[name] = self.above.get(up, up)
            name = up
        return name

    def join(self, one: str, other: str) -> None:
        self.above[self.of(other)] = self.of(one)


def targets_of(unit: Unit, context: Context) -> list[Target]:
    """Read and score everything of a unit. What was parsed is forgotten when this returns."""
    plugin_of = {file: p.path for p in reversed(unit.plugins) for file in (*p.skill_files, *p.agent_files)}
    parsed: dict[str, Document] = {where.file: documents.parse_skill(where) for where in unit.skills}
    parsed |= {where.file: documents.parse_agent(where) for where in unit.agents}
    visible = context.shown.of(parsed.values())
    targets, reports = [], {}
    for file, document in parsed.items():
        report, findings = _scored(document, context.chosen)
        reports[file] = report
        own = _target(report, visible(findings), context.owners.of(report.path))
        targets.append(own._replace(plugin=plugin_of.get(file), content=_content(document.body.text)))
    contents = {file: target.content for file, target in zip(parsed, targets, strict=True)}
    for place in unit.plugins:
        targets.append(_plugin_target(place, parsed, reports, contents, context.owners))
    return targets


def _scored(document: Document, chosen: Chosen) -> tuple[ScoreReport, list[Finding]]:
    """A document's score, and everything found, also in files beside it, which the score does not count."""
    shown, subsumed = one_document(document, chosen)
    own = [finding for finding in shown if finding.path == document.source.path]
    if isinstance(document, Skill):
        return skill_report(document, own, subsumed=[f for f in subsumed if f.path == document.source.path]), shown
    return agent_report(document, own), shown


def _plugin_target(
    place: PluginPlace,
    parsed: dict[str, Document],
    reports: dict[str, ScoreReport],
    contents: dict[str, str],
    owners: Owners,
) -> Target:
    files = (*place.skill_files, *place.agent_files)
    skills = tuple(one for file in place.skill_files if isinstance(one := parsed[file], Skill))
    plugin = Plugin(place.path, place.name, 1, skills, (), manifest.other_components(place.directory))
    report = plugin_report(plugin, [reports[file] for file in files])
    # Folders have no owners, files have: that of a plugin is what says that it is one.
    main = ".claude-plugin/plugin.json" if place.path == "." else f"{place.path}/.claude-plugin/plugin.json"
    content = _content("\n".join(sorted(contents[file] for file in files)))
    return _target(report._replace(findings=()), (), owners.of(main))._replace(content=content)


def _target(report: ScoreReport, findings: Iterable[Finding], owners: tuple[str, ...]) -> Target:
    composite = report.composite
    cost = report.context_cost
    listing = cost.listing if cost is not None else None
    return Target(
        report.kind,
        report.path,
        report.name,
        None,
        composite.score,
        grade_of(composite.score) if composite.score is not None else None,
        composite.badge if composite.score is not None else None,
        composite.confidence_label,
        None if composite.score is not None else _reason(report.notes),
        tuple((row.name, row.score) for row in composite.dimensions if row.score is not None),
        _cost(cost),
        without_names(listing) if listing is not None else None,
        owners,
        tuple(sorted((finding._replace(weight=None, state=None) for finding in findings), key=finding_order)),
    )


def _cost(cost: ContextCost | None) -> Cost | None:
    return None if cost is None else Cost(cost.installed, cost.activated, cost.bundle)


def _reason(notes: Sequence[str]) -> str:
    said = [note.removeprefix("not measured: ") for note in notes if note.startswith("not measured: ")]
    return said[0] if said else "nothing in it could be measured"


def _content(text: str) -> str:
    words = text.strip()
    return sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:16] if words else ""
