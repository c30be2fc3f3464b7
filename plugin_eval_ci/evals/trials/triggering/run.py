"""Whether a skill is chosen: prompts are put to a model that has a list of skills and other tools, and is free to use neither.

One trial is one conversation. It ends with the first turn that starts a skill, or says something without calling a tool, or with the
last turn. Whatever goes wrong on the way is the result of that trial and no miss.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plugin_eval_ci.evals.llm.budget import add_usage
from plugin_eval_ci.evals.llm.request import Ask, Block, Call, Failure, Json, Reply, Request, Turn, run_together
from plugin_eval_ci.evals.trials.catalogue import Catalogue
from plugin_eval_ci.evals.trials.triggering.profile import Profile, Stubs, profile, results, text_of
from plugin_eval_ci.evals.trials.values import Mode, Prompt, Result, Settings, Trial

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


def skill_names_in(reply: Reply, profile: Profile) -> list[str]:
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


AT_ONCE = 8  # conversations: more than the client sends calls at once, few enough that a cap wastes little
CONTROL = "control"  # id of the prompt that names the skill
NAMED = 2  # runs of it, of which one suffices
_ENDED: tuple[Result, ...] = ("budget", "cancelled")


class Control(NamedTuple):
    """Whether a skill was started when the prompt named it; if it was not, the trials of it measure something else. ``passed`` None:
    no answer was usable."""

    skill: str
    passed: bool | None
    trials: tuple[Trial, ...]


async def run(
    catalogue: Catalogue, prompts: Sequence[Prompt], settings: Settings, ask: Ask, at_once: int = AT_ONCE
) -> tuple[Trial, ...]:
    """Every run of every prompt, sorted by prompt and run. Raises what ``ask`` raises.

    They are made in an order drawn by the seed. When money or time runs out, trials that were drawn later than the first that did not
    end are left out too: those that happened to be short would be no fair sample.
    """
    cells = run_order(prompts, settings)
    limit = asyncio.Semaphore(max(1, at_once))

    async def one(prompt: Prompt, number: int) -> Trial:
        async with limit:
            return await trial(catalogue, prompt, number, settings, ask)

    made = await run_together(one(prompt, number) for prompt, number in cells)
    fair = _completed_trials(made)
    return tuple(sorted(fair, key=lambda one: (one.prompt.home, one.prompt.id, one.run)))


async def controls(catalogue: Catalogue, skills: Iterable[str], settings: Settings, ask: Ask) -> tuple[Control, ...]:
    """For each of the skills, a prompt that names it. Raises what ``ask`` raises."""
    names = sorted(set(skills))
    asked = [control_prompt(name) for name in names]
    made = await run_together(
        trial(catalogue, prompt, number, settings, ask) for prompt in asked for number in range(NAMED)
    )
    return tuple(_control(name, made[place * NAMED : (place + 1) * NAMED]) for place, name in enumerate(names))


def control_prompt(skill: str) -> Prompt:
    """The prompt that names a skill."""
    text = profile().asked_for.replace("{name}", skill)
    return Prompt(CONTROL, text, skill, (skill,), "explicit", source="control")


def run_order(prompts: Sequence[Prompt], settings: Settings) -> list[tuple[Prompt, int]]:
    """All runs in the order in which they are made; it depends on the seed and on what the prompts are called."""
    cells = [(prompt, number) for prompt in prompts for number in range(settings.runs)]
    return sorted(cells, key=lambda cell: _draw(settings.seed, cell[0], cell[1]))


def order_of(prompt: Prompt, number: int, settings: Settings, orders: int) -> int:
    """Which order of the list a run is shown. The runs of a prompt go through the orders in turn, from one that its name gives: another
    prompt more or less changes nothing for the rest."""
    return (int(_draw(settings.seed, prompt)[:8], 16) + number) % orders


async def trial(catalogue: Catalogue, prompt: Prompt, number: int, settings: Settings, ask: Ask) -> Trial:
    """One conversation."""
    shown = profile()
    order = order_of(prompt, number, settings, len(catalogue.orders))
    request = first_request(catalogue, order, prompt.text, settings, shown)
    stubs = Stubs(shown, prompt.files)
    begun = Trial(
        prompt, number, "other_tools", position=catalogue.position(prompt.home, order), listed=len(catalogue.entries)
    )
    for turn in range(turns_of(settings.mode, settings)):
        outcome = await ask(request, number)
        begun = begun._replace(usage=add_usage(begun.usage, outcome.usage), turns=turn + 1)
        if isinstance(outcome, Failure):
            return begun._replace(result=outcome.kind, reason=outcome.reason)
        begun = begun._replace(model=outcome.model)
        if (ended := _finished_trial(begun, outcome, catalogue, shown)) is not None:
            return ended
        said = Turn(outcome.blocks, results(stubs, outcome.calls))
        request = request._replace(turns=(*request.turns, said))
    return begun


def _finished_trial(begun: Trial, reply: Reply, catalogue: Catalogue, shown: Profile) -> Trial | None:
    """The trial if this reply ends it."""
    written = skill_names_in(reply, shown)
    if written:
        choice = choice_of(catalogue, written)
        reason = "" if not choice.unknown else "not in the list: " + ", ".join(name[:80] for name in choice.unknown)
        return begun._replace(result="chose" if choice.skills else "invalid_name", chosen=choice.skills, reason=reason)
    if skill_calls(reply.calls, shown):
        return begun._replace(result="truncated", reason="the call was cut off before the name of a skill")
    return None if reply.calls else begun._replace(result="answered")


def _completed_trials(made: Sequence[Trial]) -> list[Trial]:
    """Trials in the order drawn, up to the first that was not to be paid for any more; the rest are as if they had not been made."""
    end = next((place for place, one in enumerate(made) if _unsent_trial(one)), len(made))
    if end == len(made):
        return list(made)
    result, reason = made[end].result, "scheduled after a trial that was not made"
    unmade = [Trial(one.prompt, one.run, result, usage=one.usage, reason=reason) for one in made[end + 1 :]]
    return [*made[: end + 1], *unmade]


def _unsent_trial(one: Trial) -> bool:
    return one.result in _ENDED or (not one.usable and one.reason.startswith("not sent"))


def _control(skill: str, made: Sequence[Trial]) -> Control:
    usable = [one for one in made if one.usable]
    return Control(skill, any(skill in one.chosen for one in usable) if usable else None, tuple(made))


def _draw(seed: int, prompt: Prompt, number: int = -1) -> str:
    said = f"{seed}\0{prompt.home}\0{prompt.id}\0{number}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
