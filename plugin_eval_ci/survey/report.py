"""The value of a report: the scores of every skill, agent and plugin. Every output format is rendered from it."""

from __future__ import annotations

from math import fsum
from typing import Literal, NamedTuple

from plugin_eval_ci import METHODOLOGY, __version__
from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.model import Finding
from plugin_eval_ci.scoring.dimensions import Depth, round_score

Kind = Literal["skill", "agent", "plugin"]
Key = tuple[str, str, str]  # of a target; see key_of


class Cost(NamedTuple):
    """Estimated tokens: in every session, when the skill triggers, and with all of its files."""

    installed: int
    activated: int
    bundle: int


class Target(NamedTuple):
    """One skill, agent or plugin. ``score`` is the composite from 0 to 100, or None with a ``reason`` if not measured."""

    kind: Kind
    path: str  # as reported: the file, or the folder of a plugin
    name: str
    plugin: (
        str | None
    )  # the reported folder of the plugin it belongs to; None for a plugin, and for documents outside any plugin
    score: float | None
    grade: str | None
    badge: str | None
    label: str  # how sure the number is: "Estimated" for the static layer alone
    reason: str | None
    dimensions: tuple[tuple[str, float], ...]  # those measured, each in [0, 1]; none for agents and plugins
    cost: Cost | None
    listing: Listing | None  # the skill listing of a plugin with skills; contains only the names of dropped skills
    owners: tuple[str, ...]  # from CODEOWNERS, as written there
    findings: tuple[Finding, ...]  # of the target itself; findings of a plugin's members belong to the members
    content: str = ""  # hash of the text without the frontmatter, the same if the file moves


class Shard(NamedTuple):
    """The number of a shard, counted from 1, and the total."""

    number: int
    total: int


class Past(NamedTuple):
    """An earlier report as a point of the trend: date as YYYY-MM-DD, mean composite of the plugins (else of the skills)."""

    date: str
    mean: float | None
    plugins: int
    skills: int
    findings: int


class Market(NamedTuple):
    """A marketplace with plugins in this repository: its reported path, and the skill listing of all its plugins."""

    path: str
    listing: Listing


class Survey(NamedTuple):
    """A whole report. ``shards`` is empty if it is complete. ``findings`` do not belong to a single target."""

    name: str  # of the repository
    date: str  # YYYY-MM-DD
    depth: Depth
    targets: tuple[Target, ...]  # by path
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    shards: tuple[Shard, ...] = ()
    history: tuple[Past, ...] = ()  # oldest first, without this report
    methodology: str = METHODOLOGY
    version: str = __version__
    markets: tuple[Market, ...] = ()

    def of(self, kind: Kind) -> tuple[Target, ...]:
        """The targets of this kind."""
        return tuple(target for target in self.targets if target.kind == kind)

    @property
    def everything_found(self) -> tuple[Finding, ...]:
        """All findings: those of the targets and those of the report itself."""
        return tuple(finding for target in self.targets for finding in target.findings) + self.findings

    def mean(self) -> float | None:
        """The mean composite of the plugins, else of the skills, else of the agents. None if nothing was measured."""
        averaged = self.of("plugin") or self.of("skill") or self.of("agent")
        scores = [one.score for one in averaged if one.score is not None]
        return round_score(fsum(scores) / len(scores)) if scores else None

    def point(self) -> Past:
        """This report as a point of the trend."""
        count = len(self.findings) + sum(len(target.findings) for target in self.targets)
        return Past(self.date, self.mean(), len(self.of("plugin")), len(self.of("skill")), count)


def worst_first(targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """The targets, worst first; those that were not measured come last."""
    return tuple(sorted(targets, key=lambda one: (one.score is None, one.score or 0.0, one.path, one.kind, one.name)))


def finding_order(finding: Finding) -> tuple[str, int, int, str, str, str, str]:
    """The sort key for findings. Different findings always have different keys."""
    return (
        finding.path,
        finding.line,
        -finding.severity,
        finding.rule,
        finding.target,
        finding.fingerprint,
        finding.message,
    )


def key_of(target: Target) -> Key:
    """The identity and sort key of a target. It also distinguishes two plugins in the same folder."""
    return (target.path, target.kind, target.name)
