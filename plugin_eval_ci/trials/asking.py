"""The requests of trials of triggering, and what a reply chooses. The text of a skill is in none of them: only what lists show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plugin_eval_ci.ask import Block, Call, Json, Reply, Request
from plugin_eval_ci.trials.catalogue import Catalogue
from plugin_eval_ci.trials.profile import Profile
from plugin_eval_ci.trials.stubs import text_of
from plugin_eval_ci.trials.values import Mode, Settings

PURPOSE = "trials:triggering"
_PICKED: Json = {
    "type": "object",
    "properties": {"skills": {"type": "array", "items": {"type": "string"}}},
    "required": ["skills"],
    "additionalProperties": False,
}
_SHORT = 256  # tokens of a list of names


class Choice(NamedTuple):
    """``skills`` of the catalogue, sorted, and names that are in no list."""

    skills: tuple[str, ...]
    unknown: tuple[str, ...]


def first_request(catalogue: Catalogue, order: int, text: str, settings: Settings, profile: Profile) -> Request:
    """What a trial begins with. All but the prompt is shared by the trials of one order."""
    entries = catalogue.shown(order)
    if settings.mode == "router":
        words = profile.router
        listed = words["before"] + "\n".join(entry.line for entry in entries) + words["after"]
        system: tuple[Block, ...] = (Block(words["system"]), Block(listed, cached=True))
        user: tuple[Block, ...] = (Block(words["question"].replace("{text}", text)),)
    else:
        system = (Block(profile.persona, cached=True),)
        user = (Block(profile.listing(entries), cached=True), Block(text))
    return Request(
        f"{PURPOSE}:{settings.mode}",
        settings.subject,
        system,
        user,
        _SHORT if settings.mode == "router" else profile.max_tokens,
        schema=_PICKED if settings.mode == "router" else None,
        effort=profile.efforts[settings.mode],
        version=profile.digest,
        tools=profile.offered(settings.mode),
        likely=20 if settings.mode == "router" else profile.likely,
    )


def turns_of(mode: Mode, settings: Settings) -> int:
    """How often the model speaks, at most."""
    return max(1, settings.turns) if mode == "agentic" else 1


def choice_of(catalogue: Catalogue, written: Iterable[str]) -> Choice:
    """Which skills are meant by names as a model wrote them."""
    found: set[str] = set()
    unknown = []
    for name in written:
        listed = catalogue.meant(name)
        if listed is None:
            unknown.append(name)
        else:
            found.add(listed)
    return Choice(tuple(sorted(found)), tuple(unknown))


def named_in(reply: Reply, profile: Profile) -> list[str]:
    """The names that a reply starts skills by; of a call that was cut off before the name, none."""
    if reply.data is not None:
        picked = reply.data.get("skills")
        return [name for name in picked if isinstance(name, str)] if isinstance(picked, list) else []
    return [text_of(call.input, "skill") for call in skill_calls(reply.calls, profile) if not _unfinished(reply, call)]


def skill_calls(calls: Sequence[Call], profile: Profile) -> list[Call]:
    """The calls of the skill tool."""
    return [call for call in calls if call.name == profile.skill.name]


def _unfinished(reply: Reply, call: Call) -> bool:
    return reply.cut and call == reply.calls[-1] and not text_of(call.input, "skill")
