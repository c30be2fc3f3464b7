"""Conversations that are being followed, and counts that grow."""

from __future__ import annotations

from plugin_eval_ci.traces.events import Used


class Fired:
    """A skill that was loaded in a turn. ``after``: the message that called it, whose own tokens do not count."""

    def __init__(self, skill: str, how: str, after: str) -> None:
        self.skill, self.how, self.after = skill, how, after
        self.metered, self.tokens, self.cost, self.unknown = False, 0, 0.0, False


class Track:
    """A conversation: of the user with the agent, or of the agent with one of its own."""

    def __init__(self) -> None:
        self.prompt: str | None = None
        self.command = ""
        self.fired: list[Fired] = []
        self.last: Used | None = None
        self.before = 0  # skills that had fired when the last message began


class Counts:
    """What is counted of a skill."""

    def __init__(self) -> None:
        self.listed = self.prompts_listed = self.by_model = self.by_user = self.in_subagents = 0
        self.metered = self.tokens = 0
        self.cost, self.unknown = 0.0, False
        self.prompts: dict[str, None] = {}
