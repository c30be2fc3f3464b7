"""Groups plugins with their members, and single documents outside plugins, into units and scores them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.analysis import names
from plugin_eval_ci.analysis.listing import Listing, entries_of, listing_of
from plugin_eval_ci.analysis.plugin_entries import local_entries
from plugin_eval_ci.discover import PluginPlace, Targets
from plugin_eval_ci.lint import suppress
from plugin_eval_ci.lint.check import ActiveRules, across, one_document
from plugin_eval_ci.lint.evaluate import read_collection
from plugin_eval_ci.model import MARK, Agent, Collection, Document, Finding, Plugin, Skill
from plugin_eval_ci.parse import documents, manifest
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.rules import all_names
from plugin_eval_ci.scoring.context_cost import ContextCost
from plugin_eval_ci.scoring.dimensions import grade_of
from plugin_eval_ci.scoring.report import ScoreReport, agent_report, plugin_report, skill_report
from plugin_eval_ci.survey.owners import Owners
from plugin_eval_ci.survey.report import Cost, Market, Target, finding_order
from plugin_eval_ci.util import faults

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

Visible = Callable[[Iterable[Finding]], list[Finding]]


class VisibleFindings:
    """Filters findings to those that lint shows or that affect the score, so that every score comes with its reasons."""

    def __init__(self, root: str, config: ConfigSource) -> None:
        self.root = root
        self.config = config

    def of(self, documents: Iterable[Document]) -> Visible:
        """A filter for findings. In ``documents`` the ignore comments count too, in other files only the configuration."""
        here = list(documents)
        skills = tuple(one for one in here if isinstance(one, Skill))
        agents = tuple(one for one in here if isinstance(one, Agent))
        ignores = suppress.comments(Collection(self.root, skills, agents, (), ()), self.config, all_names)

        def visible(findings: Iterable[Finding]) -> list[Finding]:
            some = list(findings)
            weighing = [finding for finding in some if _weighs(finding)]
            others = [finding for finding in some if not _weighs(finding) and self._runs(finding)]
            left, _, _ = suppress.by_comment(others, (), ignores)
            return weighing + suppress.by_configuration(left, self.config)[0]

        return visible

    def _runs(self, finding: Finding) -> bool:
        return self.config.at(suppress.folder_of(finding.path)).runs(finding.rule)


def _weighs(finding: Finding) -> bool:
    return finding.anti_pattern or finding.weight is not None


def without_names(listing: Listing) -> Listing:
    """A listing without the names of skills that keep their description, of which there may be thousands."""
    return listing._replace(
        budgets=tuple((window, simulation._replace(kept=())) for window, simulation in listing.budgets)
    )


_OVERHEAD = 6_000  # bytes of text that take as long as opening a document


class Unit(NamedTuple):
    """Plugins that share members, with these members. ``name`` is its first path; ``size`` estimates the work, in bytes."""

    name: str
    plugins: tuple[PluginPlace, ...]
    skills: tuple[Location, ...]
    agents: tuple[Location, ...]
    size: int


class Context(NamedTuple):
    """The values that all units of a run share."""

    chosen: ActiveRules  # every rule that counts for a score
    shown: VisibleFindings  # which findings are shown
    owners: Owners


def units_of(found: Targets) -> tuple[Unit, ...]:
    """All units, sorted by name. Every document and plugin is in exactly one."""
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
    """Groups of names that were joined directly or indirectly (union-find)."""

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
    """Read and score a unit. Parsed documents are released on return."""
    plugin_of = {file: p.path for p in reversed(unit.plugins) for file in (*p.skill_files, *p.agent_files)}
    parsed: dict[str, Document] = {where.file: documents.parse_skill(where) for where in unit.skills}
    parsed |= {where.file: documents.parse_agent(where) for where in unit.agents}
    visible = context.shown.of(parsed.values())
    targets, reports = [], {}
    for file, document in parsed.items():
        report, findings = _score_document(document, context.chosen)
        reports[file] = report
        own = _target(report, visible(findings), context.owners.of(report.path))
        targets.append(own._replace(plugin=plugin_of.get(file), content=_content(document.body.text)))
    contents = {file: target.content for file, target in zip(parsed, targets, strict=True)}
    for place in unit.plugins:
        targets.append(_plugin_target(place, parsed, reports, contents, context.owners))
    return targets


def _score_document(document: Document, chosen: ActiveRules) -> tuple[ScoreReport, list[Finding]]:
    """The score of a document, and all findings, including those in its other files, which do not count for the score."""
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
    # CODEOWNERS covers files, not folders, so use the owner of the plugin's manifest.
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
    return said[0] if said else "it contains nothing that can be measured"


def _content(text: str) -> str:
    words = text.strip()
    return sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:16] if words else ""


class Together(NamedTuple):
    """The result of the check across all documents: findings in any file, and the listings of whole marketplaces."""

    findings: tuple[Finding, ...]
    markets: tuple[Market, ...]


def together(found: Targets, context: Context) -> Together:
    """Check all documents together. Only those whose text mentions other skills are parsed in full."""
    known = {where.file: _parse_document(where, True) for where in found.skills}
    known |= {where.file: _parse_document(where, False) for where in found.agents}
    collection = read_collection(found, known)
    # Rules across files never count for a score, so a subsumed finding does not count anywhere.
    findings, _ = across(collection, context.chosen)
    said = {finding.path for finding in findings}
    marked = [one for one in collection.documents if one.source.path in said and MARK in one.source.text]
    visible = context.shown.of(_whole(one, collection.root) for one in marked)
    shown = (finding._replace(weight=None, state=None) for finding in visible(findings))
    none: tuple[Market, ...] = ()
    markets = faults.kept(lambda: tuple(_markets(collection)), none, "score", ".")
    return Together(tuple(sorted(shown, key=finding_order)), markets)


def _parse_document(where: Location, skill: bool) -> Document:
    light = documents.parse_lightly(where, skill)
    if not any(names.promises_of(light)):
        return light
    # Only Markdown marks code, and a name inside code is not a reference.
    return documents.parse_skill(where, light.source) if skill else documents.parse_agent(where, light.source)


def _whole(document: Document, root: str) -> Document:
    where = Location(document.source.file, document.source.path, root, document.plugin)
    if isinstance(document, Skill):
        return documents.parse_skill(where, document.source)
    return documents.parse_agent(where, document.source)


def _markets(collection: Collection) -> Iterator[Market]:
    folders = {os.path.normpath(os.path.join(collection.root, plugin.path)): plugin for plugin in collection.plugins}
    entries = local_entries(collection)
    for market in collection.manifests:
        if market.kind == "marketplace":
            places = dict.fromkeys(place for one, _, place in entries if one is market and place in folders)
            skills = [skill for place in places for skill in folders[place].skills]
            listed = entries_of(skills, {place: folders[place].name for place in places})
            if len(places) > 1 and listed:
                yield Market(market.source.path, without_names(listing_of(listed)))
