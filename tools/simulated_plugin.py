"""A plugin whose skills are chosen with known chances: its prompts, what becomes of a trial, and the numbers that endless trials would give."""

from __future__ import annotations

import random
import sys
from math import exp, fsum, log
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from plugin_eval_ci.evals.trials.values import Prompt, Result, Trial  # noqa: E402

LISTED = 20  # entries of the list


class Habit(NamedTuple):
    """What it does with a prompt: each skill with its chance, the one that the place in the list matters for first; else none."""

    chances: tuple[tuple[str, float], ...]


class Nature(NamedTuple):
    """How the subject is. ``place``: log odds that a skill at the head of the list has more than one at its end. ``looks``: chance, turn
    after turn, that it uses another tool first. ``refuses``: chance of a refusal. ``stumbles``: share of requests that end with an
    overload when they come first. ``invents``: chance that it calls a skill which is not there instead of none."""

    place: float = 0.0
    looks: float = 0.0
    refuses: float = 0.0
    stumbles: float = 0.0
    invents: float = 0.0


class Act(NamedTuple):
    """What a trial comes to: ``looks`` turns with another tool, and then this."""

    result: Result
    chosen: tuple[str, ...]
    looks: int


def act(habit: Habit, nature: Nature, place: float | None, turns: int, key: str) -> Act:
    """One trial. ``place`` in the list of the first skill of the habit, 0 at its head and 1 at its end; ``key``: what chance depends on."""
    draw = random.Random(key)
    if draw.random() < nature.refuses:
        return Act("refusal", (), 0)
    looks = 0
    while draw.random() < nature.looks:
        looks += 1
    if looks >= turns:
        return Act("other_tools", (), turns)
    left = draw.random()
    for name, chance in moved(habit, nature.place, place):
        if left < chance:
            return Act("chose", (name,), looks)
        left -= chance
    return Act("invalid_name" if draw.random() < nature.invents else "answered", (), looks)


def moved(habit: Habit, effect: float, place: float | None) -> tuple[tuple[str, float], ...]:
    """The chances with what the place does to the first of them; the others share what is left as before."""
    if not habit.chances or not effect or place is None:
        return habit.chances
    (name, chance), *others = habit.chances
    if not 0 < chance < 1:
        return habit.chances
    shifted = 1 / (1 + exp(-(log(chance / (1 - chance)) + effect * (0.5 - place))))
    return ((name, shifted), *((other, rest * (1 - shifted) / (1 - chance)) for other, rest in others))


class Skills(NamedTuple):
    """A plugin for the simulation: ``names`` with ``positives`` and ``negatives`` prompts each, ``families`` of ``family`` prompts.

    A right prompt has a chance with mean ``recall`` to get its skill, a wrong one ``false`` to get it all the same; the chances of
    families differ by ``icc``. Of what a right prompt misses, ``theft`` goes to the next skill and ``strays`` to one of another plugin.
    """

    names: tuple[str, ...] = ("p:a", "p:b", "p:c", "p:d", "p:e")
    positives: int = 20
    negatives: int = 20
    family: int = 1
    recall: float = 0.85
    false: float = 0.08
    icc: float = 0.3
    theft: float = 0.4
    strays: float = 0.1


def plugin(skills: Skills, seed: object) -> tuple[tuple[Prompt, ...], dict[str, Habit]]:
    """Labelled prompts, and the habit of the subject for the text of each."""
    draw = random.Random(f"{seed} {skills}")
    prompts, habits = [], {}
    for at, name in enumerate(skills.names):
        level = 0.0
        following = skills.names[(at + 1) % len(skills.names)]
        for number in range(skills.positives + skills.negatives):
            positive = number < skills.positives
            place = number if positive else number - skills.positives
            if place % skills.family == 0:
                level = beta(draw, skills.recall if positive else skills.false, skills.icc)
            family = f"{'right' if positive else 'wrong'} {place // skills.family}"
            prompt = Prompt(f"{number:03}", f"task {number} of {at}", name, (name,) if positive else (), family=family)
            prompts.append(prompt)
            missed = (
                ((following, (1 - level) * skills.theft), ("q:stray", (1 - level) * skills.strays)) if positive else ()
            )
            habits[prompt.text] = Habit(((name, level), *(one for one in missed if one[0] != name)))
    return tuple(prompts), habits


def beta(draw: random.Random, mean: float, icc: float) -> float:
    """A beta value with that mean and the variance icc·mean·(1-mean)."""
    if icc <= 0 or mean <= 0 or mean >= 1:
        return mean
    weight = 1 / icc - 1
    return draw.betavariate(max(mean * weight, 1e-6), max((1 - mean) * weight, 1e-6))


def trials_of(
    prompts: tuple[Prompt, ...], habits: dict[str, Habit], nature: Nature, runs: int, turns: int, seed: object
) -> list[Trial]:
    """What a run of trials brings, without requests: four orders of a list, each a quarter of it further on, are taken in turn."""
    draw = random.Random(f"{seed} places")
    heads = {name: draw.randrange(LISTED) for name in sorted({prompt.home for prompt in prompts})}
    made = []
    for prompt in prompts:
        first = draw.randrange(4)
        for run in range(runs):
            at = (heads[prompt.home] + (first + run) % 4 * LISTED // 4) % LISTED
            key = f"{seed} {prompt.home} {prompt.id} {run}"
            done = act(habits[prompt.text], nature, at / (LISTED - 1), turns, key)
            made.append(Trial(prompt, run, done.result, done.chosen, at, min(done.looks + 1, turns), listed=LISTED))
    return made


class Truth(NamedTuple):
    """What endless trials of endless prompts of this kind would give."""

    recall: float
    false: float
    theft: float
    strays: float
    agreement: float  # of two runs of a prompt of the skill's own labels; without an effect of the place

    def f1(self, mix: float) -> float:
        """With so many negative prompts for each positive one."""
        return 2 * self.recall / (self.recall + 1 + mix * self.false)


def truth_of(skills: Skills, nature: Nature, turns: int) -> Truth:
    """By quadrature over the chances of prompts and the places in the list."""
    lasts = 1 - nature.looks**turns  # the chance to come to an answer before the turns are used up
    alone = len(skills.names) == 1
    right = _levels(skills.recall, skills.icc)
    wrong = _levels(skills.false, skills.icc)
    recall, false = _mean(right, nature.place) * lasts, _mean(wrong, nature.place) * lasts
    takes = 0.0 if alone else skills.theft
    pairs = []
    for levels, others, weight in ((right, (takes, skills.strays), skills.positives), (wrong, (), skills.negatives)):
        alike = []
        for level in levels:
            chosen = [level * lasts, *((1 - level) * part * lasts for part in others)]
            alike.append(fsum(one * one for one in chosen) + (1 - fsum(chosen)) ** 2)
        pairs.append((fsum(alike) / len(alike), weight))
    same = fsum(one * weight for one, weight in pairs) / (skills.positives + skills.negatives)
    return Truth(recall, false, (lasts - recall) * takes, (lasts - recall) * skills.strays, 2 * same - 1)


def _levels(mean: float, icc: float) -> list[float]:
    """Chances of prompts, evenly many below each."""
    if icc <= 0 or mean <= 0 or mean >= 1:
        return [mean]
    from scipy.special import betaincinv

    weight = 1 / icc - 1
    return [float(betaincinv(mean * weight, (1 - mean) * weight, (place + 0.5) / 4_000)) for place in range(4_000)]


def _mean(levels: list[float], effect: float) -> float:
    if not effect:
        return fsum(levels) / len(levels)
    places = [place / (LISTED - 1) for place in range(LISTED)]
    shifted = [moved(Habit((("x", level),)), effect, place)[0][1] for level in levels[::10] for place in places]
    return fsum(shifted) / len(shifted)
