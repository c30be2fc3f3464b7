"""What a skill costs a model's context, in estimated tokens (contract, section 10)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plugin_eval_ci.analysis.listing import Listing, entries_of, listing_of
from plugin_eval_ci.model import Agent, Plugin, Skill
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.parse.facts import tokens
from plugin_eval_ci.parse.manifest import plugin_entry

# A hostile tree costs no more than this, whatever it holds.
MAX_FILES = 1_000
MAX_ENTRIES = 10_000
MAX_BYTES = 4 << 20
MAX_FILE_BYTES = 1 << 20
_PROBE = 8_192
_OUTSIDE = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


class ContextCost(NamedTuple):
    """Estimated tokens. ``complete`` is False when the folder holds more than is read."""

    installed: int  # name and description: in every session
    activated: int  # the SKILL.md
    bundle: int  # every text file of the folder
    files: int  # how many those are
    complete: bool = True
    listing: Listing | None = None  # of a plugin: what its skills take in the list of skills


def skill_cost(skill: Skill) -> ContextCost:
    """The cost of a skill and of all that lies in its folder; folders of other skills inside it are theirs."""
    activated = tokens(skill.source.text)
    bundle, files, complete = activated, 1, True
    left = MAX_BYTES
    for path in _files(skill):
        if path is None or files >= MAX_FILES or left <= 0:
            complete = False
            break
        text, size, whole = _text(path, min(left, MAX_FILE_BYTES))
        left -= size
        complete = complete and whole
        if text is not None:
            bundle += tokens(text)
            files += 1
    return ContextCost(tokens(f"{skill.name}\n{skill.description}"), activated, bundle, files, complete)


def agent_cost(agent: Agent) -> ContextCost:
    """The cost of an agent, which is one file."""
    whole = tokens(agent.source.text)
    return ContextCost(tokens(f"{agent.name}\n{agent.description}"), whole, whole, 1)


def sum_costs(costs: Sequence[ContextCost]) -> ContextCost:
    """The cost of several together, if all of them were activated."""
    return ContextCost(
        sum(cost.installed for cost in costs),
        sum(cost.activated for cost in costs),
        sum(cost.bundle for cost in costs),
        sum(cost.files for cost in costs),
        all(cost.complete for cost in costs),
    )


def plugin_listing(plugin: Plugin) -> Listing | None:
    """What the skills of a plugin take in the list of skills; None when none of them is listed."""
    places = {skill.plugin: skill.root for skill in plugin.skills if skill.plugin is not None}
    names = {
        place: plugin.name if len(places) == 1 else plugin_entry(place, root).name for place, root in places.items()
    }
    entries = entries_of(plugin.skills, names)
    return listing_of(entries) if entries else None


def _files(skill: Skill) -> Iterator[str | None]:
    """The files of the folder but the SKILL.md, in order; None where the walk stops for their number."""
    root = os.path.realpath(skill.root)
    entries = 0
    for folder, below, names in os.walk(skill.directory):
        entries += len(names) + len(below)
        if entries > MAX_ENTRIES:
            yield None
            return
        below[:] = sorted(name for name in below if _belongs(folder, name))
        for name in sorted(names):
            path = os.path.join(folder, name)
            own = os.path.abspath(path) == os.path.abspath(skill.source.file)
            if (
                not own
                and os.path.isfile(path)
                and (not os.path.islink(path) or is_inside(os.path.realpath(path), root))
            ):
                yield path


def _belongs(folder: str, name: str) -> bool:
    if name.startswith(".") or name in _OUTSIDE:
        return False
    return not os.path.exists(os.path.join(folder, name, "SKILL.md"))


def _text(path: str, limit: int) -> tuple[str | None, int, bool]:
    """The text of a file (None for a binary one), the bytes read for it, and whether that was all of it."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(min(_PROBE, limit))
            if b"\0" in data:
                return None, len(data), True
            data += stream.read(limit - len(data))
            whole = not stream.read(1)
    except OSError:
        return None, 0, False
    text = data.decode("utf-8", "replace")
    if b"\0" in data or text.count("\ufffd") * 10 > len(text):
        return None, len(data), True
    return text, len(data), whole
