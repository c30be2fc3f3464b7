"""By which names skills are listed, and which of them a name in a label means."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.budget import entries_of
from plugin_eval_ci.config import near
from plugin_eval_ci.model import Skill

TARGET = "target"  # in a label: the skill it stands beside
NONE = "none"


class Names(NamedTuple):
    """What a skill is listed as, and what each name that may be written stands for; None for one that stands for several."""

    own: str
    meant: Mapping[str, str | None]

    def of(self, written: str) -> str:
        """The listed name of what a label calls ``written``. Raises ``LookupError`` with a sentence."""
        word = written.strip().removeprefix("/")
        if word == TARGET:
            return self.own
        listed = self.meant.get(word)
        if listed is None and word in self.meant:
            raise LookupError(
                f"{word[:60]!r} is the name of several skills; write it with its plugin, plugin:{word[:60]}"
            )
        if listed is None:
            close = near(word, (*self.meant, TARGET, NONE))
            raise LookupError(f"no skill {written[:60]!r} is listed here{f'; {close}' if close else ''}")
        return listed


def names_in(skills: Sequence[Skill], plugins: Mapping[str, str]) -> tuple[tuple[Skill, Names], ...]:
    """The skills that are listed, with their names; ``plugins`` are the names of plugins by their directory (absolute)."""
    listed = [(skill, entry.name) for skill in skills for entry in entries_of((skill,), plugins)]
    return tuple((skill, names_of(skill, name, listed)) for skill, name in listed)


def alike(listed: Mapping[str, str]) -> dict[str, str]:
    """By listed name that several skills have, why none of them can be tried: a list shows one text for it. ``listed``: by path."""
    paths: dict[str, list[str]] = {}
    for path, own in listed.items():
        paths.setdefault(own, []).append(path)
    return {
        own: f"{' and '.join(same[:3])} are listed by the same name, so they cannot be told apart"
        for own, same in paths.items()
        if len(same) > 1
    }


def names_of(skill: Skill, own: str, field: Sequence[tuple[Skill, str]]) -> Names:
    """The names of one skill among others, each with what it is listed as. In its own plugin a short name means its neighbour."""
    meant: dict[str, str | None] = {}
    for near_by in (False, True):
        short: dict[str, set[str]] = {}
        for other, name in field:
            if not near_by or other.plugin == skill.plugin:
                for word in _short(other):
                    short.setdefault(word, set()).add(name)
        meant |= {word: next(iter(names)) if len(names) == 1 else None for word, names in short.items()}
    meant |= {name: name for _, name in field}
    return Names(own, meant | dict.fromkeys((*_short(skill), own), own))


def _short(skill: Skill) -> set[str]:
    return {skill.name, os.path.basename(skill.directory)} if skill.placed else {skill.name}
