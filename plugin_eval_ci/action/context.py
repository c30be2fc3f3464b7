"""The job of a step and its outcome: the values passed between ``main`` and the modes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugin_eval_ci.action.changes import Base
from plugin_eval_ci.action.inputs import Inputs
from plugin_eval_ci.action.runner import Runner
from plugin_eval_ci.git import Change
from plugin_eval_ci.github.actions import Step

Mode = Literal["lint", "score", "comment"]
Conclusion = Literal["clean", "findings", "empty", "error"]


class Changes(NamedTuple):
    """The files that changed since ``base``. ``files`` is None if git could not list them, so everything is linted."""

    base: Base
    files: tuple[Change, ...] | None
    root: str  # of the checkout


class Job(NamedTuple):
    """One run. ``changes`` is None if the run does not need them."""

    mode: Mode
    step: Step
    inputs: Inputs
    runner: Runner
    output_dir: str
    changes: Changes | None = None
    depth: str = "quick"  # the depth input, or quick if models are not allowed
    gate: bool = False  # whether the gate runs too

    @property
    def asks(self) -> bool:
        """Whether this run calls models."""
        return self.depth != "quick" or self.gate


class Outcome(NamedTuple):
    """How a run ended: the exit code, and every output except ``conclusion``."""

    code: int
    conclusion: Conclusion
    outputs: dict[str, str]


class ModelRunOutcome(NamedTuple):
    """The result of a depth above quick. ``code`` is 3 if a skill could not be measured at the requested depth, else 0."""

    code: int
    outputs: dict[str, str]


class GateOutcome(NamedTuple):
    """The result of the gate. ``spent`` is in dollars. ``telling`` is True if the result alone justifies a comment."""

    code: int
    outputs: dict[str, str]
    markdown: str = ""
    spent: float = 0.0
    telling: bool = False


NOT_GATED = GateOutcome(0, {})
NOT_ASKED = ModelRunOutcome(0, {})
NOTHING = Outcome(
    0,
    "empty",
    {"errors": "0", "warnings": "0", "notices": "0", "new-findings": "0", "skills": "[]", "comment-pending": "false"},
)
