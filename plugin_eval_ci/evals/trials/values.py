"""What trials are made of: labelled prompts, how they are tried, and what became of each trial. Everything here is plain data.

Skills are called by the name under which they are listed: ``plugin:skill`` in a plugin, else ``skill``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugin_eval_ci.evals.llm.request import FailureKind
from plugin_eval_ci.scoring.spending import Usage

Mode = Literal[
    "agentic",  # the Skill tool beside tools that compete with it, several turns: what a coding agent does
    "lean",  # the Skill tool alone, one turn: cheap, and fires more often than a coding agent
    "router",  # "which of these would you use?": an upper bound, for the question draws attention to the skills
]
Kind = Literal["explicit", "direct", "paraphrase", "implicit", "near_miss", "unrelated", "adversarial"]
Split = Literal["dev", "holdout"]
Result = (
    Literal[
        "chose",  # at least one skill of the catalogue
        "answered",  # without a skill and without another tool in its last turn
        "other_tools",  # other tools until the turns were used up
        "invalid_name",  # a skill that is not in the catalogue
    ]
    | FailureKind
)
USABLE: tuple[Result, ...] = ("chose", "answered", "other_tools", "invalid_name")
LEAST_USABLE = 0.75  # of the trials that were made; with fewer, nothing is measured


class Prompt(NamedTuple):
    """A message with the skills that are right for it. ``home``: the skill in whose labels it stands."""

    id: str
    text: str
    home: str
    expect: tuple[str, ...]  # any of them is right, sorted; empty: no skill is
    kind: Kind = "direct"
    family: str = ""  # prompts written from one idea: the unit of every interval
    split: Split = "holdout"
    source: str = "human"  # human, traffic, or generated:MODEL@DATE
    reviewed: bool = True
    files: tuple[tuple[str, str], ...] = ()  # path and text, for the stubs of the reading tools
    line: int | None = None

    @property
    def cluster(self) -> str:
        """What the prompt is a repetition of."""
        return f"{self.home}/{self.family or self.id}"


class Labels(NamedTuple):
    """The labels of one skill. ``digest`` of what they say; ``notes``: what is wrong with them as a measure (leaks, one-sided …)."""

    skill: str
    file: str
    digest: str
    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...] = ()
    form: str = ""  # of the other tool whose file it is; empty for ours

    @property
    def reviewed(self) -> bool:
        """Whether a person reviewed every one of them."""
        return all(prompt.reviewed for prompt in self.prompts)


class Settings(NamedTuple):
    """How trials are made; all of it is part of the method, so results of different settings are not compared."""

    mode: Mode = "agentic"
    runs: int = 3  # of each prompt
    turns: int = 3  # of the assistant, at most
    catalogue: int = 20  # skills that are listed, at least: siblings and distractors fill it
    orders: int = 4  # in which the catalogue is shown
    subject: str = "haiku"  # tier or model that is tried
    window: int = 200_000  # tokens, of which the listing has its share
    seed: int = 0


class Trial(NamedTuple):
    """One prompt, tried once. ``chosen``: names of the catalogue, sorted. ``position`` of the home skill in the list, from 0."""

    prompt: Prompt
    run: int
    result: Result
    chosen: tuple[str, ...] = ()
    position: int | None = None
    turns: int = 0
    usage: Usage = Usage()
    model: str = ""
    reason: str = ""
    listed: int | None = None  # entries of the list that was shown

    @property
    def usable(self) -> bool:
        """Whether it says anything about the skill: an error is never a miss."""
        return self.result in USABLE

    @property
    def right(self) -> bool:
        """Whether what was chosen is what the label expects: one of the expected skills and no other, or none."""
        if not self.prompt.expect:
            return not self.chosen
        return bool(self.chosen) and set(self.chosen) <= set(self.prompt.expect)


class Unmeasurable(NamedTuple):
    """Why trials say nothing. ``outcomes``: kind of outcome and number of calls."""

    reason: str
    outcomes: tuple[tuple[str, int], ...] = ()
