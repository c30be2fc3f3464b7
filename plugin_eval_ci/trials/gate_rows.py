"""From the trials of both sides to what is said of each skill."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import fsum

from plugin_eval_ci.trials.gate import Accuracies, Decision, accuracies, paired, several, verdict_of
from plugin_eval_ci.trials.gated import Change, Rights, Row, SelfTest
from plugin_eval_ci.trials.gating import Plan, Tried, floor, is_measured, judged
from plugin_eval_ci.trials.sides import Pair
from plugin_eval_ci.trials.values import Labels, Prompt, Trial

SPLITS = 200  # of all trials of a self-test into halves
_WITHOUT = "it has no labels: `plugin-eval triggers init` writes some"


def rows_of(pair: Pair, labels: Sequence[Labels], done: Tried | None, plan: Plan, seed: int = 0) -> tuple[Row, ...]:
    """The skills of a field. ``done`` None: nothing was tried, for nothing changed."""
    have = {one.skill for one in labels}
    found = []
    for skill in pair.skills:
        name = pair.listed[skill.source.path]
        row = Row(name, skill.source.path, _change(pair, name, done is not None))
        if name not in have:
            row = row._replace(why=_WITHOUT)
        elif done is not None:
            compared = plan.compared and name in pair.then
            row = _tried(row, done, judged(name, done, plan) if compared else None, plan, seed)
        found.append(row)
    return tuple(found)


def settled(rows: Sequence[Row]) -> tuple[Row, ...]:
    """With what so many verdicts together would show by chance."""
    told = {row.skill: row.decision for row in rows if row.decision is not None and not row.stopped}
    known = several(told, {row.skill for row in rows if row.change in ("changed", "renamed")})
    return tuple(row._replace(decision=known.get(row.skill, row.decision)) for row in rows)


def stand_in(prompt: Prompt, run: int, right: bool) -> Trial:
    """A trial of which only is known whether it was right."""
    chosen = prompt.expect[:1] if right else () if prompt.expect else (prompt.home,)
    return Trial(prompt, run, "chose" if chosen else "answered", chosen)


def self_test(rows: Sequence[Row], margin: float, seed: int = 0) -> SelfTest | None:
    """What one revision against itself shows: how often outcomes turn, and how often chance alone would be called a regression. None
    where nothing was measured."""
    rows = [row for row in rows if not row.failed]
    prompts = [one for row in rows for one in row.prompts if one.base and one.head]
    turned = [(sum(one.base) * 2 >= len(one.base)) != (sum(one.head) * 2 >= len(one.head)) for one in prompts]
    draw, alarms = random.Random(seed), 0
    if not prompts:
        return None
    for _ in range(SPLITS):
        verdicts = several({row.skill: _split(row, margin, draw) for row in rows if row.prompts})
        alarms += any(one.verdict == "regression" for one in verdicts.values())
    return SelfTest(sum(turned) / len(turned), alarms / SPLITS, SPLITS)


def _split(row: Row, margin: float, draw: random.Random) -> Decision:
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


def _tried(row: Row, done: Tried, decision: Decision | None, plan: Plan, seed: int) -> Row:
    before, after = ([one for one in side if one.prompt.home == row.skill] for side in (done.base, done.head))
    row = row._replace(
        head=_mean(accuracies(after, row.skill)),
        prompts=_rights(before, after),
        above=None if plan.floor is None else floor(row.skill, after, plan.floor, seed),
        stopped=row.skill in done.early,
    )
    if not is_measured(after, row.skill) or not is_measured(before, row.skill):
        return row._replace(failed=True, head=None, prompts=(), above=None, why=_lost([*before, *after]))
    if decision is None:
        return row._replace(why="it is new: there is nothing to compare it with" if plan.compared else "")
    one, other = paired(before, after)
    return row._replace(
        base=_mean(accuracies(one, row.skill)), head=_mean(accuracies(other, row.skill)), decision=decision
    )


def _lost(trials: Sequence[Trial]) -> str:
    lost = [trial for trial in trials if not trial.usable]
    first = next((trial for trial in lost if trial.reason), lost[0])
    return f"{len(lost)} of {len(trials)} trials came to nothing; the first: {first.result.replace('_', ' ')}: {first.reason}"


def _mean(rates: Accuracies) -> float | None:
    return fsum(rates.values()) / len(rates) if rates else None


def _rights(before: Sequence[Trial], after: Sequence[Trial]) -> tuple[Rights, ...]:
    sides = [_by_prompt(side) for side in (before, after)]
    prompts = {one.prompt.id: one.prompt for one in (*before, *after)}
    return tuple(
        Rights(
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
