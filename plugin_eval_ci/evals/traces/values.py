"""What comes of recorded sessions."""

from __future__ import annotations

from typing import NamedTuple


class Use(NamedTuple):
    """A skill. ``listed`` and ``prompts_listed``: sessions in whose list it stood, and prompts in them. ``tokens`` and ``cost`` (dollars)
    are those of the firings whose tokens are on record (``metered``); a cost is None when a price is not known."""

    skill: str
    listed: int
    prompts_listed: int
    by_model: int
    by_user: int
    in_subagents: int
    metered: int
    tokens: int
    cost: float | None
    prompts: tuple[str, ...]  # first lines, redacted

    @property
    def fired(self) -> int:
        """How often it was loaded."""
        return self.by_model + self.by_user


class PromptFirings(NamedTuple):
    """A prompt, redacted, and what fired on it; ``listed``: the skills that could have, None when that is not known."""

    text: str
    fired: tuple[str, ...]
    listed: frozenset[str] | None


class Lines(NamedTuple):
    """How many lines there were, and how many of them could not be read."""

    read: int = 0
    damaged: int = 0
    too_long: int = 0

    def plus(self, other: Lines) -> Lines:
        """Both together."""
        return Lines(self.read + other.read, self.damaged + other.damaged, self.too_long + other.too_long)


class TraceReport(NamedTuple):
    """All of it. ``listings``: whether any list of skills is on record; without one nobody knows what could have fired."""

    files: int
    unreadable: int
    lines: Lines
    sessions: int
    prompts: int
    other_commands: int
    listings: bool
    priced: str  # the day of the prices
    skills: tuple[Use, ...]
