"""What a change does to each skill, as values."""

from typing import Literal, NamedTuple

from plugin_eval_ci import METHODOLOGY
from plugin_eval_ci.analysis.host_needs import HostNeeds, needs_change
from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.model import Finding
from plugin_eval_ci.scoring.context_cost import ContextCost

Status = Literal["added", "removed", "renamed", "changed", "present"]  # present: there, with nothing to compare it with


class Side(NamedTuple):
    """One state of a skill or agent: composite on 0-100 (None: not measured), letter grade, badge, tokens."""

    score: float | None
    grade: str | None
    badge: str
    cost: ContextCost | None
    host: HostNeeds | None = None


class Row(NamedTuple):
    """One skill or agent that changed. ``lines`` are those added and removed in all of its files."""

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
    old: int  # findings that were there before

    @property
    def needs(self) -> tuple[HostNeeds, HostNeeds]:
        """What the host is asked for now and was not before, and the reverse; nothing where no before is known."""
        if self.status == "present":
            return HostNeeds(), HostNeeds()
        return needs_change(*(side.host if side else None for side in (self.before, self.after)))


class PluginChange(NamedTuple):
    """A plugin whose list of skills changed, or what its hooks and servers ask of the host."""

    path: str
    name: str
    before: Listing | None
    after: Listing | None
    needs: tuple[HostNeeds, HostNeeds]  # more, and less


class Difference(NamedTuple):
    """A change as a whole; ``elsewhere`` are new findings in files of other skills, which the change caused.

    Without a base there is nothing to compare with: every row is ``present``, and ``new`` are all findings.
    """

    base: str | None
    head: str | None
    total: int
    rows: tuple[Row, ...]
    elsewhere: tuple[Finding, ...]
    fixed_elsewhere: tuple[Finding, ...]
    plugins: tuple[PluginChange, ...] = ()
    notes: tuple[str, ...] = ()  # what a reader has to know of how it came about
    methodology: str = METHODOLOGY
