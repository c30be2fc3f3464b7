"""The gate's trials: both sides of a change on the same prompts, in waves where it may stop early, and a verdict for each skill.

A wave is the next clusters of every skill that is not decided yet, in an order that the seed draws. Looking after each wave costs: a part
of what may go wrong by chance is spent on the looks, through bets that hold however often one looks, and the rest on the end.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.evals.llm.request import Ask
from plugin_eval_ci.evals.trials.catalogue import Catalogue
from plugin_eval_ci.evals.trials.gate import Change, GateRow, PromptRights, SelfTest
from plugin_eval_ci.evals.trials.gate.decision import (
    LEAST_CLUSTERS,
    MARGIN,
    Accuracies,
    Decision,
    Verdict,
    accuracies,
    correct_together,
    never_chosen,
    paired_trials,
    verdict_of,
)
from plugin_eval_ci.evals.trials.gate.sides import Pair
from plugin_eval_ci.evals.trials.values import LEAST_USABLE, Labels, Prompt, Settings, Trial
from plugin_eval_ci.stats import sequential_test
from plugin_eval_ci.stats.hypothesis_tests import ALPHA

Run = Callable[[Catalogue, Sequence[Prompt], Settings, Ask], Awaitable[tuple[Trial, ...]]]
Base = Callable[[Pair, Sequence[Prompt]], Awaitable[tuple[Trial, ...]]]  # trials of the base, by the names of the head
WAVE = 8  # clusters of each skill
EARLY = 0.01  # of ALPHA, for all looks before the end together; the end has the rest


class GatePlan(NamedTuple):
    """What is asked of a gate. ``floor``: the accuracy that each skill must reach by itself; ``early``: look after each wave."""

    margin: float = MARGIN
    floor: float | None = None
    early: bool = False
    compared: bool = True  # with a base

    @property
    def alpha(self) -> float:
        """What the verdict at the end may be wrong by."""
        return ALPHA - EARLY if self.early else ALPHA


class FieldTrials(NamedTuple):
    """What came of a field: the trials of both sides by the names of the head, and how many were planned on both together."""

    base: tuple[Trial, ...]
    head: tuple[Trial, ...]
    planned: int
    early: dict[str, Verdict]  # what was known before the end, by skill

    @property
    def made(self) -> int:
        """Trials of both sides."""
        return len(self.base) + len(self.head)


def base_runner(run: Run, ask: Ask, settings: Settings) -> Base:
    """The base tried as the head is."""

    async def base(pair: Pair, prompts: Sequence[Prompt]) -> tuple[Trial, ...]:
        then = pair.asked_then(prompts)
        return pair.as_now(await run(pair.base, then, settings, ask), prompts) if then else ()

    return base


async def run_field(
    pair: Pair, labels: Sequence[Labels], settings: Settings, base: Base | None, head: tuple[Run, Ask], plan: GatePlan
) -> FieldTrials:
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
            known |= _early_verdicts(labels, before, after, plan, settings.seed)
        now = [
            one for one in wave if not (plan.early and _is_decided(one.home, known, after, plan, pair, settings.seed))
        ]
        if now:
            one, other = await asyncio.gather(
                base(pair, now) if base else nothing(), run(pair.head, now, settings, ask)
            )
            before, after = before + one, after + other
    if plan.early:
        known |= _early_verdicts(labels, before, after, plan, settings.seed)
    return FieldTrials(before, after, planned, known)


def _waves(labels: Sequence[Labels], seed: int, plan: GatePlan) -> list[list[Prompt]]:
    """The prompts of all skills, a few clusters of each at a time; all at once where nobody looks before the end."""
    if not plan.early:
        return [[prompt for one in labels for prompt in one.prompts]]
    waves: list[list[Prompt]] = []
    for one in labels:
        clusters: dict[str, list[Prompt]] = {}
        for prompt in one.prompts:
            clusters.setdefault(prompt.cluster, []).append(prompt)
        for place, cluster in enumerate(sorted(clusters, key=lambda name: cluster_sort_key(seed, name))):
            while len(waves) <= place // WAVE:
                waves.append([])
            waves[place // WAVE] += clusters[cluster]
    return waves


def cluster_sort_key(seed: int, cluster: str) -> str:
    """Where a cluster stands in the order: by the seed and its name, so by nothing that comes out of it."""
    return hashlib.sha256(f"{seed}\0{cluster}".encode("utf-8", "surrogatepass")).hexdigest()


def _early_verdicts(
    labels: Sequence[Labels], base: Sequence[Trial], head: Sequence[Trial], plan: GatePlan, seed: int
) -> dict[str, Verdict]:
    said = {one.skill: early(one.skill, base, head, len(labels), plan.margin, seed) for one in labels}
    return {skill: verdict for skill, verdict in said.items() if verdict is not None}


def _is_decided(
    skill: str, known: dict[str, Verdict], head: Sequence[Trial], plan: GatePlan, pair: Pair, seed: int
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
    one, other = (accuracies(side, skill) for side in paired_trials(base, head))
    names = sorted(one.keys() & other.keys(), key=lambda name: cluster_sort_key(seed, name))
    changes = [other[name] - one[name] for name in names]
    if len(changes) < LEAST_CLUSTERS or (never_chosen(base, skill) and never_chosen(head, skill)):
        return None
    alpha = EARLY / skills
    bets = [(1 + change) / 2 for change in changes]
    if sequential_test(bets, 0.5, alpha).said == "below" and sum(changes) / len(changes) <= -margin:
        return "regression"
    return "fine" if sequential_test(bets, (1 - margin) / 2, alpha).said == "above" else None


def floor(skill: str, head: Sequence[Trial], rate: float, seed: int = 0) -> bool | None:
    """Whether a skill's accuracy is above a rate, as bets in the drawn order of its clusters say; None while they do not."""
    rates = accuracies(head, skill)
    said = sequential_test(
        [rates[name] for name in sorted(rates, key=lambda name: cluster_sort_key(seed, name))], rate, ALPHA
    ).said
    return None if said is None else said == "above"


def decide_skill(skill: str, done: FieldTrials, plan: GatePlan) -> Decision:
    """The verdict of one skill by itself. What was known early stands: that is what the trials were stopped for."""
    one, other = paired_trials(done.base, done.head)
    before, after = accuracies(one, skill), accuracies(other, skill)
    names = sorted(before.keys() & after.keys())
    found = verdict_of([after[name] - before[name] for name in names], plan.margin, plan.alpha)
    if skill in done.early:
        return found._replace(verdict=done.early[skill], why="decided before all prompts were tried")
    if never_chosen(one, skill) and never_chosen(other, skill):
        return found._replace(
            verdict="inconclusive", why="it was never chosen on either side, so there was nothing to lose"
        )
    return found


def usable_share(trials: Sequence[Trial], skill: str) -> float:
    """The share of a skill's trials that say something; 1 without any."""
    mine = [trial.usable for trial in trials if trial.prompt.home == skill]
    return sum(mine) / len(mine) if mine else 1.0


def is_measured(trials: Sequence[Trial], skill: str) -> bool:
    """Whether enough of them do."""
    return usable_share(trials, skill) >= LEAST_USABLE


SPLITS = 200  # of all trials of a self-test into halves
_WITHOUT = "it has no labels: run `plugin-eval triggers init` to draft some"


def rows_of(
    pair: Pair, labels: Sequence[Labels], done: FieldTrials | None, plan: GatePlan, seed: int = 0
) -> tuple[GateRow, ...]:
    """The skills of a field. ``done`` None: nothing was tried, for nothing changed."""
    have = {one.skill for one in labels}
    found = []
    for skill in pair.skills:
        name = pair.listed[skill.source.path]
        row = GateRow(name, skill.source.path, _change(pair, name, done is not None))
        if name not in have:
            row = row._replace(why=_WITHOUT)
        elif done is not None:
            compared = plan.compared and name in pair.then
            row = _row_with_trials(row, done, decide_skill(name, done, plan) if compared else None, plan, seed)
        found.append(row)
    return tuple(found)


def correct_for_many(rows: Sequence[GateRow]) -> tuple[GateRow, ...]:
    """With what so many verdicts together would show by chance."""
    told = {row.skill: row.decision for row in rows if row.decision is not None and not row.stopped}
    known = correct_together(told, {row.skill for row in rows if row.change in ("changed", "renamed")})
    return tuple(row._replace(decision=known.get(row.skill, row.decision)) for row in rows)


def placeholder_trial(prompt: Prompt, run: int, right: bool) -> Trial:
    """A trial of which only is known whether it was right."""
    chosen = prompt.expect[:1] if right else () if prompt.expect else (prompt.home,)
    return Trial(prompt, run, "chose" if chosen else "answered", chosen)


def self_test(rows: Sequence[GateRow], margin: float, seed: int = 0) -> SelfTest | None:
    """What one revision against itself shows: how often outcomes turn, and how often chance alone would be called a regression. None
    where nothing was measured."""
    rows = [row for row in rows if not row.failed]
    prompts = [one for row in rows for one in row.prompts if one.base and one.head]
    turned = [(sum(one.base) * 2 >= len(one.base)) != (sum(one.head) * 2 >= len(one.head)) for one in prompts]
    draw, alarms = random.Random(seed), 0
    if not prompts:
        return None
    for _ in range(SPLITS):
        verdicts = correct_together({row.skill: _split(row, margin, draw) for row in rows if row.prompts})
        alarms += any(one.verdict == "regression" for one in verdicts.values())
    return SelfTest(sum(turned) / len(turned), alarms / SPLITS, SPLITS)


def _split(row: GateRow, margin: float, draw: random.Random) -> Decision:
    """The verdict where the trials of each prompt are dealt to both sides anew."""
    clusters: dict[str, list[float]] = {}
    for one in row.prompts:
        trials = [*one.base, *one.head]
        draw.shuffle(trials)
        half = len(trials) // 2
        if half:
            change = sum(trials[half : 2 * half]) - sum(trials[:half])
            clusters.setdefault(one.cluster, []).append(change / half)
    return verdict_of([fsum(some) / len(some) for _, some in sorted(clusters.items())], margin)


def _row_with_trials(row: GateRow, done: FieldTrials, decision: Decision | None, plan: GatePlan, seed: int) -> GateRow:
    before, after = ([one for one in side if one.prompt.home == row.skill] for side in (done.base, done.head))
    row = row._replace(
        head=_mean(accuracies(after, row.skill)),
        prompts=_rights(before, after),
        above=None if plan.floor is None else floor(row.skill, after, plan.floor, seed),
        stopped=row.skill in done.early,
    )
    if not is_measured(after, row.skill) or not is_measured(before, row.skill):
        return row._replace(failed=True, head=None, prompts=(), above=None, why=_failure_summary([*before, *after]))
    if decision is None:
        return row._replace(why="it is new, so there is nothing to compare it with" if plan.compared else "")
    one, other = paired_trials(before, after)
    return row._replace(
        base=_mean(accuracies(one, row.skill)), head=_mean(accuracies(other, row.skill)), decision=decision
    )


def _failure_summary(trials: Sequence[Trial]) -> str:
    lost = [trial for trial in trials if not trial.usable]
    first = next((trial for trial in lost if trial.reason), lost[0])
    return f"{len(lost)} of {len(trials)} trials failed; the first: {first.result.replace('_', ' ')}: {first.reason}"


def _mean(rates: Accuracies) -> float | None:
    return fsum(rates.values()) / len(rates) if rates else None


def _rights(before: Sequence[Trial], after: Sequence[Trial]) -> tuple[PromptRights, ...]:
    sides = [_by_prompt(side) for side in (before, after)]
    prompts = {one.prompt.id: one.prompt for one in (*before, *after)}
    return tuple(
        PromptRights(
            name,
            prompts[name].cluster,
            _right(sides[0].get(name, ())),
            _right(sides[1].get(name, ())),
            (_unusable(sides[0].get(name, ())), _unusable(sides[1].get(name, ()))),
        )
        for name in sorted(prompts)
    )


def _by_prompt(trials: Sequence[Trial]) -> Mapping[str, Sequence[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in sorted(trials, key=lambda one: one.run):
        found.setdefault(trial.prompt.id, []).append(trial)
    return found


def _right(trials: Sequence[Trial]) -> tuple[bool, ...]:
    return tuple(trial.right for trial in trials if trial.usable)


def _unusable(trials: Sequence[Trial]) -> int:
    return sum(not trial.usable for trial in trials)


def _change(pair: Pair, name: str, tried: bool) -> Change:
    if name in pair.new:
        return "new"
    if not pair.changed:
        return "alone" if tried else "unchanged"
    if pair.then[name] != name:
        return "renamed"
    return "changed" if pair.altered(name) else "sibling"
