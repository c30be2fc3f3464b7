"""The list of skills that is shown: those under test, and others that we wrote, as many as a list usually has.

Who stands in it, and in which orders, follows from names, texts and the seed, never from the order in which skills were found.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from plugin_eval_ci.analysis.listing import Entry, entries_of, listing_text, simulate_listing
from plugin_eval_ci.analysis.overlap import similar_texts
from plugin_eval_ci.config import did_you_mean
from plugin_eval_ci.evals.trials.values import Settings
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
            close = did_you_mean(word, (*self.meant, TARGET, NONE))
            raise LookupError(f"no skill {written[:60]!r} is listed here{f'; {close}' if close else ''}")
        return listed


def names_in(skills: Sequence[Skill], plugins: Mapping[str, str]) -> tuple[tuple[Skill, Names], ...]:
    """The skills that are listed, with their names; ``plugins`` are the names of plugins by their directory (absolute)."""
    listed = [(skill, entry.name) for skill in skills for entry in entries_of((skill,), plugins)]
    return tuple((skill, names_of(skill, name, listed)) for skill, name in listed)


def duplicate_names(listed: Mapping[str, str]) -> dict[str, str]:
    """By listed name that several skills have, why none of them can be tried: a list shows one text for it. ``listed``: by path."""
    paths: dict[str, list[str]] = {}
    for path, own in listed.items():
        paths.setdefault(own, []).append(path)
    return {
        own: f"{' and '.join(same[:3])} are listed under the same name, so a model cannot tell them apart"
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


LEAST_DISTRACTORS = 8
TWIN = 0.5  # likeness from which a distractor does the same as a skill under test: it would be right to choose it
_FILE = os.path.join(os.path.dirname(__file__), "data", "distractors.json")


class Shelf(NamedTuple):
    """The distractors as shipped."""

    entries: tuple[Entry, ...]
    digest: str


class Catalogue(NamedTuple):
    """``entries`` as shown, sorted by name; an order is a tuple of places in them.

    ``truncated`` and ``dropped`` name skills under test: those whose text is cut, and those of which only the name is left.
    """

    entries: tuple[Entry, ...]
    orders: tuple[tuple[int, ...], ...]
    skills: tuple[str, ...]
    distractors: tuple[str, ...]
    truncated: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Of what is shown, in which orders."""
        return _digest([self.entries, self.orders])

    def shown(self, order: int) -> tuple[Entry, ...]:
        """The list in one of its orders."""
        return tuple(self.entries[place] for place in self.orders[order])

    def position(self, name: str, order: int) -> int | None:
        """Where a skill stands in that list, from 0; None if it is not in it."""
        return next((at for at, entry in enumerate(self.shown(order)) if entry.name == name), None)

    def meant(self, written: str) -> str | None:
        """The listed skill of that name. A leading slash is allowed, and so is a missing plugin if only one skill can be meant."""
        name = written.strip().removeprefix("/")
        names = {entry.name for entry in self.entries}
        if name in names:
            return name
        short = [one for one in names if one.rpartition(":")[2] == name]
        return short[0] if len(short) == 1 else None


@cache
def shelf() -> Shelf:
    """The pinned distractors, and the hash of them."""
    with open(_FILE, encoding="utf-8") as stream:
        data = json.load(stream)
    entries = tuple(sorted(Entry(row["name"], row["description"]) for row in data["skills"]))
    return Shelf(entries, _digest([data["version"], entries]))


def catalogue_of(
    skills: Sequence[Skill], names: Mapping[str, str], settings: Settings, distractors: Sequence[str] | None = None
) -> Catalogue:
    """The catalogue of a field. ``names``: of plugins by their directory. ``distractors``: which of ours to take, where another
    catalogue had them already, so that two revisions stand in the same list."""
    texts: dict[str, Entry] = {}
    cut: set[str] = set()
    for skill in skills:
        for entry in entries_of((skill,), names):
            texts.setdefault(entry.name, entry)
            if listing_text(skill)[1]:
                cut.add(entry.name)
    field = [texts[name] for name in sorted(texts)]
    more = max(LEAST_DISTRACTORS, settings.catalogue - len(field))
    wanted = (
        _distractors(field, more, settings.seed)
        if distractors is None
        else _distractors_without_clashes(distractors, field)
    )
    # Ours stand last where room is given: a skill under test loses its text only where its own plugin is too large.
    budget = simulate_listing([*field, *wanted], settings.window * _percent() // 100)
    bare = set(budget.dropped)
    entries = tuple(sorted(Entry(name, "" if name in bare else text) for name, text in (*field, *wanted)))
    return Catalogue(
        entries,
        _orders([entry.name for entry in entries], settings),
        tuple(entry.name for entry in field),
        tuple(sorted(entry.name for entry in wanted)),
        tuple(sorted(cut)),
        tuple(entry.name for entry in field if entry.name in bare),
    )


def _distractors(field: Sequence[Entry], more: int, seed: int) -> list[Entry]:
    """Half of them like the skills under test, half as unlike them as can be; equals are drawn by the seed."""
    others = _distractors_without_clashes([entry.name for entry in shelf().entries], field)
    likeness = _likeness(field, others)
    ranked = sorted(others, key=lambda one: (-likeness[one.name], _draw(seed, one.name)))
    ranked = [one for one in ranked if likeness[one.name] < TWIN]
    more = min(more, len(ranked))
    like = (more + 1) // 2
    unlike = sorted(ranked[like:], key=lambda one: (likeness[one.name], _draw(seed, one.name)))
    return ranked[:like] + unlike[: more - like]


def _likeness(field: Sequence[Entry], others: Sequence[Entry]) -> dict[str, float]:
    """By name, the likeness to the skill of the field that is most alike."""
    texts = [f"{entry.name.replace('-', ' ')} {entry.text}" for entry in (*field, *others)]
    found = dict.fromkeys((one.name for one in others), 0.0)
    for earlier, later, product in similar_texts(texts, 0.0, [""] * len(texts)):
        if earlier < len(field) <= later:
            name = others[later - len(field)].name
            found[name] = max(found[name], product)
    return found


def _distractors_without_clashes(names: Iterable[str], field: Sequence[Entry]) -> list[Entry]:
    """Those of ours, without any that is called like a skill under test."""
    wanted, taken = set(names), {entry.name.rpartition(":")[2] for entry in field}
    return [one for one in shelf().entries if one.name in wanted and one.name.rpartition(":")[2] not in taken]


def _orders(names: Sequence[str], settings: Settings) -> tuple[tuple[int, ...], ...]:
    """Rotations of one shuffle, evenly far apart. A name's place in the shuffle does not depend on the others."""
    shuffled = sorted(range(len(names)), key=lambda place: _draw(settings.seed, names[place]))
    many = max(1, min(settings.orders, len(names)))
    starts = [len(names) * number // many for number in range(many)]
    return tuple(tuple(shuffled[start:] + shuffled[:start]) for start in starts)


def _draw(seed: int, name: str) -> str:
    return _digest([seed, name])


def _digest(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _percent() -> int:
    from plugin_eval_ci.clients import claude_code

    return claude_code().limits["listing_percent"]
