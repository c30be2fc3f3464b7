"""The value of a report: every skill, agent and plugin below some paths, scored; what each format of ``report`` is a function of."""

from __future__ import annotations

from math import fsum
from typing import Literal, NamedTuple

from plugin_eval_ci import METHODOLOGY, __version__
from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.model import Finding
from plugin_eval_ci.scoring.dimensions import Depth, round_score

Kind = Literal["skill", "agent", "plugin"]
Key = tuple[str, str, str]  # of a target, see key_of


class Cost(NamedTuple):
    """Estimated tokens: in every session, when the skill fires, and with all of its files."""

    installed: int
    activated: int
    bundle: int


class Target(NamedTuple):
    """One skill, agent or plugin. ``score`` is the composite on 0-100, None with a ``reason`` when it was not measured."""

    kind: Kind
    path: str  # as reported: the file, or the folder of a plugin
    name: str
    plugin: str | None  # the reported folder of the plugin it belongs to; None for a plugin and for what is in none
    score: float | None
    grade: str | None
    badge: str | None
    label: str  # how sure the number is: "Estimated" for the static layer alone
    reason: str | None
    dimensions: tuple[tuple[str, float], ...]  # those measured, each in [0, 1]; none for agents and plugins
    cost: Cost | None
    listing: (
        Listing | None
    )  # of a plugin with skills: what they take in the list of skills; names only of those dropped
    owners: tuple[str, ...]  # from CODEOWNERS, as written there
    findings: tuple[Finding, ...]  # of the target itself; those of a plugin's members are theirs
    content: str = ""  # of what is written in it, without the frontmatter: the same in a file that was moved


class Shard(NamedTuple):
    """Which part of the whole a report is, counted from 1."""

    number: int
    total: int


class Past(NamedTuple):
    """One earlier report, a point of the trend: day as YYYY-MM-DD, mean composite of the plugins (of the skills without any)."""

    date: str
    mean: float | None
    plugins: int
    skills: int
    findings: int


class Market(NamedTuple):
    """A marketplace whose plugins lie in the repository: its file as reported, and what all their skills take in the list."""

    path: str
    listing: Listing


class Survey(NamedTuple):
    """A whole report. ``shards`` is empty for a complete one; ``findings`` are those that belong to no single target."""

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
        """The targets of one kind."""
        return tuple(target for target in self.targets if target.kind == kind)

    @property
    def everything_found(self) -> tuple[Finding, ...]:
        """The findings of all targets, and of none."""
        return tuple(finding for target in self.targets for finding in target.findings) + self.findings

    def mean(self) -> float | None:
        """The mean composite of the plugins, else of the skills, else of the agents; None when none of them was measured."""
        averaged = self.of("plugin") or self.of("skill") or self.of("agent")
        scores = [one.score for one in averaged if one.score is not None]
        return round_score(fsum(scores) / len(scores)) if scores else None

    def point(self) -> Past:
        """This report as a point of the trend."""
        count = len(self.findings) + sum(len(target.findings) for target in self.targets)
        return Past(self.date, self.mean(), len(self.of("plugin")), len(self.of("skill")), count)


def worst_first(targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """The worst first; those that were not measured come last."""
    return tuple(sorted(targets, key=lambda one: (one.score is None, one.score or 0.0, one.path, one.kind, one.name)))


def finding_order(finding: Finding) -> tuple[str, int, int, str, str, str, str]:
    """What findings of a report are sorted by: no two different ones are equal in it."""
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
    """What tells the targets of a report apart, two plugins of one folder too, and what they are sorted by."""
    return (target.path, target.kind, target.name)
