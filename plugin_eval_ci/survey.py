"""The value of a report: every skill, agent and plugin below some paths, scored; what each format of ``report`` is a function of."""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugin_eval_ci import METHODOLOGY, __version__
from plugin_eval_ci.budget import Listing
from plugin_eval_ci.dimensions import Depth
from plugin_eval_ci.model import Finding

Kind = Literal["skill", "agent", "plugin"]


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
    listing: Listing | None  # of a plugin with skills: what they take in the list of skills
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
