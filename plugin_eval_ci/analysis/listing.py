"""A simulation of the list of skills that Claude Code puts into every session, within its budget.

What is documented (profile ``claude-code``, ``listing``): the entry of a skill is its name with description and
``when_to_use``, cut at 1,536 characters; the list has 1 % of the context window, counted in characters at four a token;
where that is too little every name stays, and descriptions are dropped, those of the least used skills first.

What is assumed: which skills are used is unknown to us, so all count alike and room is given in the order of the list;
a description that does not fit is dropped, and a later, shorter one may still have its place.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.facts import is_picked_by_description, tokens

CONTEXTS = (200_000, 1_000_000)  # context windows, in tokens, that a budget is reckoned for
_JOINT = " - "  # between description and when_to_use
_CUT = "…"


class Entry(NamedTuple):
    """A skill as it is listed. ``name`` is what it is called by: ``plugin:skill`` in a plugin."""

    name: str
    text: str

    @property
    def line(self) -> str:
        """The whole entry."""
        return f"- {self.name}: {self.text}" if self.text else self.bare

    @property
    def bare(self) -> str:
        """The entry without its description."""
        return f"- {self.name}"


class Simulation(NamedTuple):
    """One budget, in characters as the client counts them. ``used`` is what all entries together would take."""

    used: int
    budget: int
    kept: tuple[str, ...]
    dropped: tuple[str, ...]  # names of the skills that lose their description

    @property
    def overflows(self) -> bool:
        """Whether the entries do not fit."""
        return self.used > self.budget


class Listing(NamedTuple):
    """What the skills of a plugin take in the list, and what comes of it in a session without other skills."""

    skills: int
    characters: int
    tokens: int  # an estimate
    budgets: tuple[tuple[int, Simulation], ...]  # (context window, simulation)


def is_listed(skill: Skill) -> bool:
    """Whether the model picks the skill by its description: it may start it, and not only for certain files."""
    # A header that cannot be read: loaded under its folder's name, with no metadata.
    return skill.header.problem is not None or is_picked_by_description(skill)


def listing_text(skill: Skill) -> tuple[str, str]:
    """Description and ``when_to_use`` as the list shows them, and what is cut off."""
    from plugin_eval_ci.clients import claude_code

    whole = _JOINT.join(part for part in (skill.description, skill.when_to_use) if part)
    limit = claude_code().limits["listing"]
    return (whole, "") if len(whole) <= limit else (whole[: limit - 1] + _CUT, whole[limit - 1 :])


def entries_of(skills: Iterable[Skill], plugins: Mapping[str, str]) -> tuple[Entry, ...]:
    """The entries of those skills that are listed; ``plugins`` are the names of plugins by their directory."""
    return tuple(Entry(_called(skill, plugins), listing_text(skill)[0]) for skill in skills if is_listed(skill))


def simulate_listing(skills: Sequence[Entry], budget_tokens: int) -> Simulation:
    """Which of the descriptions fit into a budget, in the order of the list."""
    from plugin_eval_ci.clients import claude_code

    budget = budget_tokens * claude_code().limits["listing_characters_per_token"]
    used = sum(len(skill.line) + 1 for skill in skills)
    if used <= budget:
        return Simulation(used, budget, tuple(skill.name for skill in skills), ())
    left = budget - sum(len(skill.bare) + 1 for skill in skills)
    kept, dropped = [], []
    for skill in skills:
        more = len(skill.line) - len(skill.bare)
        if more > max(left, 0):
            dropped.append(skill.name)
        else:
            kept.append(skill.name)
            left -= more
    return Simulation(used, budget, tuple(kept), tuple(dropped))


def listing_of(entries: Sequence[Entry]) -> Listing:
    """What entries take, and what comes of it for each context window."""
    from plugin_eval_ci.clients import claude_code

    percent = claude_code().limits["listing_percent"]
    budgets = tuple((window, simulate_listing(entries, window * percent // 100)) for window in CONTEXTS)
    return Listing(len(entries), budgets[0][1].used, tokens("".join(f"{entry.line}\n" for entry in entries)), budgets)


def _called(skill: Skill, plugins: Mapping[str, str]) -> str:
    plugin = plugins.get(skill.plugin) or os.path.basename(skill.plugin) if skill.plugin else ""
    return f"{plugin}:{skill.name}" if plugin else skill.name


__all__ = ["Entry", "Listing", "Simulation", "entries_of", "listing_of", "simulate_listing"]
