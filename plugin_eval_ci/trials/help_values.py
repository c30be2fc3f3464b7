"""What trials of help come to, as plain data."""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugin_eval_ci.stats import Estimate, Interval
from plugin_eval_ci.trials.grading import Checked, Vote

Decider = Literal["checks", "grader", "unusable"]


class Pair(NamedTuple):
    """A task done once with the skill and once without. ``score`` of the answer with it: 1 better, ½ as good, 0 worse; None: unusable.

    ``votes``: of the grader, the answer with the skill shown first in the first of them. ``tokens``: read and written.
    """

    task: str
    run: int
    score: float | None
    by: Decider
    why: str = ""  # the kind of failure that makes it unusable
    reason: str = ""
    votes: tuple[Vote, ...] = ()
    checks: tuple[Checked, Checked] | None = None  # with, without
    tokens_with: int = 0
    tokens_without: int = 0
    input_difference: int = 0  # tokens of the skill's own text


class TaskHelp(NamedTuple):
    """The usable pairs of one task. ``share`` of wins, ties by half. Means: ``extra_tokens``, with the skill less without, and of these
    ``skill_tokens``, its text."""

    task: str
    share: float
    extra_tokens: float
    skill_tokens: float
    pairs: int
    text: str = ""  # of the task


class Tokens(NamedTuple):
    """What a task takes more with the skill: ``extra`` is the median over tasks, ``skill`` that of the skill's text being read, and
    ``cost`` the mean in dollars, None where a price is not known."""

    extra: float
    skill: float
    cost: float | None


class Helped(NamedTuple):
    """How much a skill helps. ``share``: of the pairs that the answer with the skill wins, ties by half; its 95 % interval has tasks as
    clusters. ``sign_p``: of the sign test over tasks. ``consistent``: share of the graded pairs with one verdict both ways round;
    ``first_share``: of the grader's decided votes that went to the answer shown first. ``unsupported``: votes whose quotes are not there.
    """

    skill: str
    share: float
    interval: Interval | None
    sign_p: float | None
    wins: int
    ties: int
    losses: int
    by_task: tuple[TaskHelp, ...]
    pairs: tuple[Pair, ...]
    tokens: Tokens
    consistent: float | None
    first_share: float | None
    unsupported: int
    by_checks: int
    subject: str
    grader: str
    author: str  # of the tasks; empty: people
    outcomes: tuple[tuple[str, int], ...]
    complete: bool
    caveats: tuple[str, ...]

    @property
    def lift(self) -> Estimate:
        """The share less a half: 0 is no help, 0.5 is better every time."""
        return Estimate(self.share, self.interval).scaled(1, -0.5)
