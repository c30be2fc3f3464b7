"""The values that describe what a change does to each skill."""

from typing import Literal, NamedTuple

from plugin_eval_ci import METHODOLOGY
from plugin_eval_ci.analysis.host_needs import HostNeeds, needs_change
from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.model import Finding
from plugin_eval_ci.scoring.context_cost import ContextCost

Status = Literal["added", "removed", "renamed", "changed", "present"]  # present: exists, without a base to compare with


class Side(NamedTuple):
    """One side of a skill or agent: composite from 0 to 100 (None if not measured), letter grade, badge, tokens."""

    score: float | None
    grade: str | None
    badge: str
    cost: ContextCost | None
    host: HostNeeds | None = None


class Row(NamedTuple):
    """One changed skill or agent. ``lines`` are the lines added and removed in all of its files."""

    status: Status
    kind: Literal["skill", "agent"]
    path: str
    old_path: str | None
    name: str
    added: int
    removed: int
    before: Side | None
    after: Side | None
    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    old: int  # findings that already existed

    @property
    def needs(self) -> tuple[HostNeeds, HostNeeds]:
        """The added and the removed host requirements. Empty if the old side is not known."""
        if self.status == "present":
            return HostNeeds(), HostNeeds()
        return needs_change(*(side.host if side else None for side in (self.before, self.after)))


class PluginChange(NamedTuple):
    """A plugin whose skill listing changed, or the host requirements of its hooks and servers."""

    path: str
    name: str
    before: Listing | None
    after: Listing | None
    needs: tuple[HostNeeds, HostNeeds]  # more, and less


class Difference(NamedTuple):
    """A whole change. ``elsewhere`` are new findings that it causes in files of other skills.

    Without a base, every row is ``present`` and ``new`` contains all findings.
    """

    base: str | None
    head: str | None
    total: int
    rows: tuple[Row, ...]
    elsewhere: tuple[Finding, ...]
    fixed_elsewhere: tuple[Finding, ...]
    plugins: tuple[PluginChange, ...] = ()
    notes: tuple[str, ...] = ()  # notes for the reader about how it was computed
    methodology: str = METHODOLOGY
