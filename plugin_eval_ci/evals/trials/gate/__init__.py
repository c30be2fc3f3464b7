"""What a gate says, as plain data: a row a skill, and what was asked for it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugin_eval_ci.evals.trials.gate.decision import Decision
from plugin_eval_ci.evals.trials.method import Method
from plugin_eval_ci.scoring.spending import Spending

Change = Literal[
    "changed", "renamed", "new", "sibling", "unchanged", "alone"
]  # of the entry in the list; alone: there is no base


class PromptRights(NamedTuple):
    """One prompt: whether each usable trial chose right, on either side, and how many trials were not usable."""

    id: str
    cluster: str
    base: tuple[bool, ...]
    head: tuple[bool, ...]
    lost: tuple[int, int] = (0, 0)


class GateRow(NamedTuple):
    """One skill. ``base`` and ``head``: accuracy over its own labels, mean of the clusters. Without a ``decision``, ``why`` says why.

    ``failed``: too many trials came to nothing. ``above``: whether it is above the floor; None: not known, or no floor was set.
    """

    skill: str
    path: str
    change: Change
    base: float | None = None
    head: float | None = None
    decision: Decision | None = None
    why: str = ""
    failed: bool = False
    above: bool | None = None
    prompts: tuple[PromptRights, ...] = ()
    stopped: bool = False  # before all was tried, for what was known already

    @property
    def regressed(self) -> bool:
        """Whether it is a regression."""
        return self.decision is not None and self.decision.verdict == "regression"


class GateField(NamedTuple):
    """One list on both sides, by the digests of what is shown. ``gone``: names that are listed no more."""

    place: str
    base: str
    head: str
    changed: bool
    gone: tuple[str, ...] = ()


class SelfTest(NamedTuple):
    """One revision against itself: the share of prompts whose usual outcome was another, and of ``splits`` random halves of all
    trials the share in which a skill was called a regression."""

    flipped: float
    alarms: float
    splits: int


class GateResult(NamedTuple):
    """The whole. ``base`` and ``head`` are commits; ``head`` None: the working tree. ``planned`` and ``made`` count trials."""

    base: str | None
    head: str | None
    margin: float
    floor: float | None
    method: Method
    rows: tuple[GateRow, ...]
    fields: tuple[GateField, ...]
    planned: int = 0
    made: int = 0
    spent: Spending = Spending()
    notes: tuple[str, ...] = ()
    self_test: SelfTest | None = None
    interrupted: bool = False

    @property
    def regressions(self) -> tuple[GateRow, ...]:
        """Skills that are chosen worse, or are below the floor."""
        return tuple(row for row in self.rows if row.regressed or row.above is False)

    @property
    def undecided(self) -> tuple[GateRow, ...]:
        """Skills that changed, or share a list with one that did, and whose verdict is open."""
        return tuple(row for row in self.rows if not row.failed and row not in self.regressions and _is_open(row, self))

    @property
    def unmeasured(self) -> tuple[GateRow, ...]:
        """Skills whose trials came to nothing."""
        return tuple(row for row in self.rows if row.failed)


def _is_open(row: GateRow, gated: GateResult) -> bool:
    untold = row.decision is None and row.change in ("changed", "renamed")
    open_ = untold or (row.decision is not None and row.decision.verdict == "inconclusive")
    return open_ or (gated.floor is not None and row.head is not None and row.above is None)
