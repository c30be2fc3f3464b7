"""The gate's trials: both sides of a change on the same prompts, in waves where it may stop early, and a verdict for each skill.

A wave is the next clusters of every skill that is not decided yet, in an order that the seed draws. Looking after each wave costs: a part
of what may go wrong by chance is spent on the looks, through bets that hold however often one looks, and the rest on the end.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from plugin_eval_ci.ask import Ask
from plugin_eval_ci.stats import decided
from plugin_eval_ci.stats.flips import ALPHA
from plugin_eval_ci.trials.catalogue import Catalogue
from plugin_eval_ci.trials.gate import (
    LEAST_CLUSTERS,
    MARGIN,
    Decision,
    Verdict,
    accuracies,
    never_chosen,
    paired,
    verdict_of,
)
from plugin_eval_ci.trials.sides import Pair
from plugin_eval_ci.trials.values import LEAST_USABLE, Labels, Prompt, Settings, Trial

Run = Callable[[Catalogue, Sequence[Prompt], Settings, Ask], Awaitable[tuple[Trial, ...]]]
Base = Callable[[Pair, Sequence[Prompt]], Awaitable[tuple[Trial, ...]]]  # trials of the base, by the names of the head
WAVE = 8  # clusters of each skill
EARLY = 0.01  # of ALPHA, for all looks before the end together; the end has the rest


class Plan(NamedTuple):
    """What is asked of a gate. ``floor``: the accuracy that each skill must reach by itself; ``early``: look after each wave."""

    margin: float = MARGIN
    floor: float | None = None
    early: bool = False
    compared: bool = True  # with a base

    @property
    def alpha(self) -> float:
        """What the verdict at the end may be wrong by."""
        return ALPHA - EARLY if self.early else ALPHA


class Tried(NamedTuple):
    """What came of a field: the trials of both sides by the names of the head, and how many were planned on both together."""

    base: tuple[Trial, ...]
    head: tuple[Trial, ...]
    planned: int
    early: dict[str, Verdict]  # what was known before the end, by skill

    @property
    def made(self) -> int:
        """Trials of both sides."""
        return len(self.base) + len(self.head)


def asking_base(run: Run, ask: Ask, settings: Settings) -> Base:
    """The base tried as the head is."""

    async def base(pair: Pair, prompts: Sequence[Prompt]) -> tuple[Trial, ...]:
        then = pair.asked_then(prompts)
        return pair.as_now(await run(pair.base, then, settings, ask), prompts) if then else ()

    return base


async def tried(
    pair: Pair, labels: Sequence[Labels], settings: Settings, base: Base | None, head: tuple[Run, Ask], plan: Plan
) -> Tried:
    """Try one field on both sides. ``base`` None: the head alone."""
    run, ask = head
    prompts = [prompt for one in labels for prompt in one.prompts]
    planned = (len(prompts) + (len(pair.asked_then(prompts)) if base else 0)) * settings.runs
    known: dict[str, Verdict] = {}
    before: tuple[Trial, ...] = ()
    after: tuple[Trial, ...] = ()

    async def nothing() -> tuple[Trial, ...]:
        return ()

    for wave in _waves(labels, settings.seed, plan):
        if plan.early and after:
            known |= _known(labels, before, after, plan, settings.seed)
        now = [
            one for one in wave if not (plan.early and _is_decided(one.home, known, after, plan, pair, settings.seed))
        ]
        if now:
            one, other = await asyncio.gather(
                base(pair, now) if base else nothing(), run(pair.head, now, settings, ask)
            )
            before, after = before + one, after + other
    if plan.early:
        known |= _known(labels, before, after, plan, settings.seed)
    return Tried(before, after, planned, known)


def _waves(labels: Sequence[Labels], seed: int, plan: Plan) -> list[list[Prompt]]:
    """The prompts of all skills, a few clusters of each at a time; all at once where nobody looks before the end."""
    if not plan.early:
        return [[prompt for one in labels for prompt in one.prompts]]
    waves: list[list[Prompt]] = []
    for one in labels:
        clusters: dict[str, list[Prompt]] = {}
        for prompt in one.prompts:
            clusters.setdefault(prompt.cluster, []).append(prompt)
        for place, cluster in enumerate(sorted(clusters, key=lambda name: drawn(seed, name))):
            while len(waves) <= place // WAVE:
                waves.append([])
            waves[place // WAVE] += clusters[cluster]
    return waves


def drawn(seed: int, cluster: str) -> str:
    """Where a cluster stands in the order: by the seed and its name, so by nothing that comes out of it."""
    return hashlib.sha256(f"{seed}\0{cluster}".encode("utf-8", "surrogatepass")).hexdigest()


def _known(
    labels: Sequence[Labels], base: Sequence[Trial], head: Sequence[Trial], plan: Plan, seed: int
) -> dict[str, Verdict]:
    said = {one.skill: early(one.skill, base, head, len(labels), plan.margin, seed) for one in labels}
    return {skill: verdict for skill, verdict in said.items() if verdict is not None}


def _is_decided(
    skill: str, known: dict[str, Verdict], head: Sequence[Trial], plan: Plan, pair: Pair, seed: int
) -> bool:
    compared = plan.compared and skill in pair.then
    if not compared and plan.floor is None:
        return False
    enough = skill in known or not compared
    return enough and (plan.floor is None or floor(skill, head, plan.floor, seed) is not None)


def early(
    skill: str, base: Sequence[Trial], head: Sequence[Trial], skills: int, margin: float, seed: int = 0
) -> Verdict | None:
    """What bets on the differences so far say already; None before they say anything. What may go wrong is shared among the skills."""
    one, other = (accuracies(side, skill) for side in paired(base, head))
    names = sorted(one.keys() & other.keys(), key=lambda name: drawn(seed, name))
    changes = [other[name] - one[name] for name in names]
    if len(changes) < LEAST_CLUSTERS or (never_chosen(base, skill) and never_chosen(head, skill)):
        return None
    alpha = EARLY / skills
    bets = [(1 + change) / 2 for change in changes]
    if decided(bets, 0.5, alpha).said == "below" and sum(changes) / len(changes) <= -margin:
        return "regression"
    return "fine" if decided(bets, (1 - margin) / 2, alpha).said == "above" else None


def floor(skill: str, head: Sequence[Trial], rate: float, seed: int = 0) -> bool | None:
    """Whether a skill's accuracy is above a rate, as bets in the drawn order of its clusters say; None while they do not."""
    rates = accuracies(head, skill)
    said = decided([rates[name] for name in sorted(rates, key=lambda name: drawn(seed, name))], rate, ALPHA).said
    return None if said is None else said == "above"


def judged(skill: str, done: Tried, plan: Plan) -> Decision:
    """The verdict of one skill by itself. What was known early stands: that is what the trials were stopped for."""
    one, other = paired(done.base, done.head)
    before, after = accuracies(one, skill), accuracies(other, skill)
    names = sorted(before.keys() & after.keys())
    found = verdict_of([after[name] - before[name] for name in names], plan.margin, plan.alpha)
    if skill in done.early:
        return found._replace(verdict=done.early[skill], why="it was known before all prompts were tried")
    if never_chosen(one, skill) and never_chosen(other, skill):
        return found._replace(verdict="inconclusive", why="it was chosen on neither side, so nothing could be lost")
    return found


def usable(trials: Sequence[Trial], skill: str) -> float:
    """The share of a skill's trials that say something; 1 without any."""
    mine = [trial.usable for trial in trials if trial.prompt.home == skill]
    return sum(mine) / len(mine) if mine else 1.0


def is_measured(trials: Sequence[Trial], skill: str) -> bool:
    """Whether enough of them do."""
    return usable(trials, skill) >= LEAST_USABLE
