"""Prompts of recorded sessions as labels: what fired on them is what an agent did, which nobody has said was right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from plugin_eval_ci.trials.guards import LEAST, names_skill
from plugin_eval_ci.trials.label_file import digest_of, id_of
from plugin_eval_ci.trials.naming import Names
from plugin_eval_ci.trials.values import Kind, Labels, Prompt


class _Found(NamedTuple):
    prompt: Prompt
    fired: bool


def labels_from(skill: str, heard: Iterable[tuple[str, tuple[str, ...], frozenset[str] | None]]) -> Labels:
    """Labels of ``skill`` from prompts (redacted already), the skills that fired on each and those that were listed, if that is known.

    A prompt on which it did not fire is a negative only when the skill was listed, or nothing is known about lists. Of those at most
    twice as many are taken as there are positives, drawn by their text.
    """
    found: dict[str, _Found] = {}
    rows = list(heard)
    listings = any(listed is not None for _, _, listed in rows)
    for text, fired, listed in rows:
        mine = [name for name in fired if _same(name, skill)]
        if not text.strip() or (not mine and listings and not any(_same(name, skill) for name in listed or ())):
            continue
        prompt = _prompt(text, skill, bool(mine), [name for name in fired if not _same(name, skill)])
        found.setdefault(prompt.id, _Found(prompt, bool(mine)))
    positives = [one.prompt for one in found.values() if one.fired]
    negatives = sorted((one.prompt for one in found.values() if not one.fired), key=lambda prompt: prompt.id)
    most = max(LEAST, 2 * len(positives))
    prompts = (*positives, *negatives[:most])
    notes = [
        "from recorded sessions: expect says what fired, not what should have; secrets, addresses, names of users and long numbers were "
        "taken out by their form, which is no proof that nothing is left"
    ]
    if len(negatives) > most:
        notes.append(f"{len(negatives) - most} of {len(negatives)} prompts on which it did not fire are left out")
    return Labels(skill, "", digest_of(prompts), prompts, tuple(notes))


def _prompt(text: str, skill: str, fired: bool, others: list[str]) -> Prompt:
    sibling = next((name for name in others if _plugin(name) and _plugin(name) == _plugin(skill)), "")
    expect = (skill,) if fired else (sibling,) if sibling else ()
    kind: Kind = "direct" if fired else "near_miss" if expect else "unrelated"
    short = skill.rpartition(":")[2]
    if names_skill(text, Names(skill, {skill: skill, short: skill})):
        kind = "explicit"
    return Prompt(id_of(text), text, skill, expect, kind, source="traffic", reviewed=False)


def _plugin(name: str) -> str:
    return name.rpartition(":")[0]


def _same(name: str, skill: str) -> bool:
    return name == skill or (":" not in skill and name.rpartition(":")[2] == skill)
