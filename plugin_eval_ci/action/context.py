"""What a step is to do and what came of it: the values that go from the start to the modes and back."""

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
    """What changed since ``base``; ``files`` is None where git could not tell, and everything has to be looked at."""

    base: Base
    files: tuple[Change, ...] | None
    root: str  # of the checkout


class Job(NamedTuple):
    """One run. ``changes`` is None when none were looked for."""

    mode: Mode
    step: Step
    inputs: Inputs
    runner: Runner
    output_dir: str
    changes: Changes | None = None
    depth: str = "quick"  # what is left of the input after what is refused
    gate: bool = False  # as well

    @property
    def asks(self) -> bool:
        """Whether models may be asked."""
        return self.depth != "quick" or self.gate


class Outcome(NamedTuple):
    """How a run ended: its exit code, and the outputs but for ``conclusion``."""

    code: int
    conclusion: Conclusion
    outputs: dict[str, str]


class ModelRunOutcome(NamedTuple):
    """What came of a depth beyond quick. ``code``: 3 where a skill was not measured as asked for, else 0."""

    code: int
    outputs: dict[str, str]


class GateOutcome(NamedTuple):
    """What came of the gate. ``spent``: dollars; ``telling``: whether a comment is worth it for this alone."""

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
