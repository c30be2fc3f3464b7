"""Does a skill fire when it should, and is it left alone when it should not: the numbers, with intervals, of its trials.

Each prompt counts once, however many runs it had; prompts of one family are one cluster. Precision and F1 depend on how many prompts of
each sort there are, so ``positives`` and ``negatives`` are reported with them; balanced accuracy and Youden's J do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.evals.llm.request import FailureKind
from plugin_eval_ci.evals.trials.values import LEAST_USABLE, Prompt, Trial, Unmeasurable
from plugin_eval_ci.stats import Estimate, available, clustered_wilson, icc_and_design_effect, ratio, total

NONE = "none"  # no skill was chosen, or none that exists
NOT_MADE: tuple[FailureKind, ...] = (
    "budget",
    "not_recorded",
    "cancelled",
)  # nothing that happened, only something missing


class Row(NamedTuple):
    """A prompt and its usable runs. ``positive``: the skill is right for it; ``hits``: runs that chose the skill, or of a positive
    prompt any that is right; ``served``: runs that did what the label expects, be it of another skill.

    A run that chose several skills is in ``chosen`` once for each, and in ``taken`` in equal parts.
    """

    prompt: Prompt
    positive: bool
    hits: int
    served: int
    runs: int
    chosen: tuple[tuple[str, int], ...]  # skills by name, ``NONE`` for runs without one
    taken: tuple[tuple[str, float], ...]  # of the runs that are no hits: who has them
    alike: float | None  # share of the pairs of runs that chose the same; None with fewer than two runs

    @property
    def rate(self) -> float:
        """Of the runs that are hits."""
        return self.hits / self.runs

    @property
    def mixed(self) -> bool:
        """Whether the runs went both ways about this skill."""
        return 0 < self.hits < self.runs


def expected_side(prompt: Prompt, skill: str) -> bool | None:
    """True where the skill is right for the prompt, False where it is wrong, None where the prompt does not say.

    What a sibling's labels expect of no skill was not written about this one. Of several that are right, the skill in whose labels the
    prompt stands is served by any of them, and nothing follows for the others.
    """
    home = prompt.home == skill
    if skill in prompt.expect:
        return True if home or len(prompt.expect) == 1 else None
    return False if home or prompt.expect else None


def trials_about(trials: Iterable[Trial], skill: str) -> list[Trial]:
    """The trials of prompts that say something about the skill, in one order whatever theirs was."""
    return sorted((one for one in trials if expected_side(one.prompt, skill) is not None), key=_place)


def trials_made(trials: Iterable[Trial]) -> list[Trial]:
    """Those that were made: a call that was never sent is missing, not failed."""
    return [one for one in trials if one.result not in NOT_MADE]


def rows_of(trials: Iterable[Trial], skill: str) -> tuple[Row, ...]:
    """The prompts about the skill that have a usable run, by home and id."""
    return tuple(_row(group, skill) for group in by_prompt(one for one in trials_about(trials, skill) if one.usable))


def by_prompt(trials: Iterable[Trial]) -> list[list[Trial]]:
    """The trials of each prompt."""
    groups: dict[tuple[str, str], list[Trial]] = {}
    for one in sorted(trials, key=_place):
        groups.setdefault((one.prompt.home, one.prompt.id), []).append(one)
    return list(groups.values())


def rate_of(values: Sequence[tuple[str, float]], runs: int) -> Estimate | None:
    """The mean of the values of prompts, each with its cluster; ``runs`` behind all of them. None without a prompt."""
    if not values:
        return None
    clusters: dict[str, list[float]] = {}
    for cluster, value in values:
        clusters.setdefault(cluster, []).append(value)
    mean = fsum(value for _, value in values) / len(values)
    return Estimate(mean, clustered_wilson(clusters, runs) if available() else None)


def tally(results: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """How often each, by name."""
    return tuple(sorted(Counter(results).items()))


def shares(weights: Mapping[str, Sequence[float]]) -> tuple[tuple[str, float], ...]:
    """The sum of each name's weights, the largest first."""
    return tuple(sorted(((name, fsum(parts)) for name, parts in weights.items()), key=lambda one: (-one[1], one[0])))


def _row(runs: Sequence[Trial], skill: str) -> Row:
    prompt = runs[0].prompt
    positive = expected_side(prompt, skill) is True
    wanted = set(prompt.expect) if positive else {skill}
    missed = [one for one in runs if not wanted & set(one.chosen)]
    taken: dict[str, list[float]] = {}
    for one in missed:
        for name in one.chosen or (NONE,):
            taken.setdefault(name, []).append(1 / max(1, len(one.chosen)))
    pairs = [one.chosen == other.chosen for one, other in combinations(runs, 2)]
    return Row(
        prompt,
        positive,
        len(runs) - len(missed),
        sum(bool(set(one.chosen) & set(prompt.expect)) if prompt.expect else not one.chosen for one in runs),
        len(runs),
        tally(name for one in runs for name in one.chosen or (NONE,)),
        shares(taken),
        sum(pairs) / len(pairs) if pairs else None,
    )


def _place(trial: Trial) -> tuple[str, str, int]:
    return trial.prompt.home, trial.prompt.id, trial.run


_THIRDS = ("first", "middle", "last")


class Third(NamedTuple):
    """The skill's place in the list. ``recall``: of the positive prompts that were tried with it there; None without any."""

    place: str
    recall: Estimate | None
    runs: int


class Triggering(NamedTuple):
    """The numbers of one skill, shares in [0, 1]. A number is None where the prompts it is made of are missing.

    ``lost``: which other skill, or none, took what share of the positive prompts. ``routed``: of the negative prompts that another skill is
    right for, the share that chose it. ``passed``: of all prompts, those where at least half of the runs are right.
    """

    skill: str
    rows: tuple[Row, ...]
    recall: Estimate | None
    false_triggers: Estimate | None
    specificity: Estimate | None
    precision: Estimate | None
    f1: Estimate | None
    balanced_accuracy: Estimate | None
    youden: Estimate | None
    agreement: Estimate | None  # 2·P(two runs of a prompt choose the same) - 1, not below 0
    routed: Estimate | None
    lost: tuple[tuple[str, float], ...]
    flaky: float  # share of prompts whose runs went both ways
    passed: float
    thirds: tuple[Third, ...]
    icc: float | None  # how much runs of a cluster resemble each other
    design_effect: float | None  # runs that are worth one independent run
    usable: float  # of the trials that were made
    outcomes: tuple[tuple[str, int], ...]

    @property
    def positives(self) -> int:
        """Prompts that the skill is right for."""
        return sum(row.positive for row in self.rows)

    @property
    def negatives(self) -> int:
        """Prompts that it is wrong for, its own and those of its siblings."""
        return len(self.rows) - self.positives

    @property
    def clusters(self) -> int:
        """Families of prompts."""
        return len({row.prompt.cluster for row in self.rows})


def triggering_numbers(trials: Iterable[Trial], skill: str) -> Triggering | Unmeasurable:
    """The numbers of a skill from the trials of its field; trials of prompts that say nothing about it are left out."""
    own = trials_about(trials, skill)
    tried = trials_made(own)
    outcomes = tally(one.result for one in own)
    if not tried:
        return Unmeasurable("no trial was made" if own else "no prompt covers it", outcomes)
    usable = sum(one.usable for one in tried) / len(tried)
    if usable < LEAST_USABLE:
        lost = len(tried) - sum(one.usable for one in tried)
        reason = f"{lost} of {len(tried)} trials failed; nothing is measured when more than {1 - LEAST_USABLE:.0%} fail"
        return Unmeasurable(reason, outcomes)
    return _numbers(skill, tried, usable, outcomes)


def f1_of(recall: Estimate, false_triggers: Estimate, mix: float) -> Estimate:
    """F1 on expected counts; ``mix``: negative prompts for each positive one. F1 is 2q/(q+1) of q = recall/(1 + mix·false triggers)."""
    part = ratio(recall, false_triggers.scaled(mix, 1.0))
    return part.through(lambda q: 2 * q / (q + 1))


def precision_of(recall: Estimate, false_triggers: Estimate, mix: float) -> Estimate | None:
    """The share of all firings that are right, on expected counts; None where the skill never fired."""
    wrong = false_triggers.scaled(mix)
    if recall.value > 0:
        return ratio(wrong, recall).through(lambda q: 1 / (1 + q))
    if wrong.value > 0:
        return ratio(recall, wrong).through(lambda q: q / (1 + q))
    return None


def _numbers(skill: str, tried: Sequence[Trial], usable: float, outcomes: tuple[tuple[str, int], ...]) -> Triggering:
    rows = rows_of(tried, skill)
    positive, negative = [row for row in rows if row.positive], [row for row in rows if not row.positive]
    recall, false = _rate(positive), _rate(negative)
    f1 = precision = youden = None
    specificity = None if false is None else false.scaled(-1, 1)
    if recall is not None and false is not None and specificity is not None:
        mix = len(negative) / len(positive)
        f1, precision = f1_of(recall, false, mix), precision_of(recall, false, mix)
        youden = total([recall, specificity]).scaled(1, -1)
    icc, effect = icc_and_design_effect(_right(rows))
    return Triggering(
        skill,
        rows,
        recall,
        false,
        specificity,
        precision,
        f1,
        None if youden is None else youden.scaled(0.5, 0.5),
        youden,
        _agreement([row for row in rows if row.positive or row.prompt.home == skill]),
        _routed([row for row in negative if row.prompt.expect]),
        _lost(positive),
        sum(row.mixed for row in rows) / len(rows),
        sum((row.rate if row.positive else 1 - row.rate) >= 0.5 for row in rows) / len(rows),
        _thirds(tried, skill),
        icc,
        effect,
        usable,
        outcomes,
    )


def _rate(rows: Sequence[Row]) -> Estimate | None:
    return rate_of([(row.prompt.cluster, row.rate) for row in rows], sum(row.runs for row in rows))


def _agreement(rows: Sequence[Row]) -> Estimate | None:
    repeated = [(row.prompt.cluster, row.alike, row.runs) for row in rows if row.alike is not None]
    alike = rate_of([(cluster, share) for cluster, share, _ in repeated], sum(runs for _, _, runs in repeated))
    return None if alike is None else alike.through(lambda same: max(0.0, 2 * same - 1))


def _routed(rows: Sequence[Row]) -> Estimate | None:
    return rate_of([(row.prompt.cluster, row.served / row.runs) for row in rows], sum(row.runs for row in rows))


def _lost(rows: Sequence[Row]) -> tuple[tuple[str, float], ...]:
    parts: dict[str, list[float]] = {}
    for row in rows:
        for name, weight in row.taken:
            parts.setdefault(name, []).append(weight / row.runs / len(rows))
    return shares(parts)


def _right(rows: Sequence[Row]) -> dict[tuple[bool, str], list[float]]:
    """Whether each run was right about the skill, by label and cluster."""
    groups: dict[tuple[bool, str], list[float]] = {}
    for row in rows:
        right = row.hits if row.positive else row.runs - row.hits
        values = [1.0] * right + [0.0] * (row.runs - right)
        groups.setdefault((row.positive, row.prompt.cluster), []).extend(values)
    return groups


def _thirds(tried: Sequence[Trial], skill: str) -> tuple[Third, ...]:
    """By where the skill stood in the list; only trials of its own prompts say so."""
    placed = [one for one in tried if one.usable and one.position is not None and one.prompt.home == skill]
    longest = max((one.position + 1 for one in placed if one.position is not None), default=1)
    parts: dict[int, list[Trial]] = {0: [], 1: [], 2: []}
    for one in placed:
        if expected_side(one.prompt, skill) and one.position is not None:
            parts[min(2, 3 * one.position // (one.listed or longest))].append(one)
    return tuple(Third(_THIRDS[place], _rate(rows_of(part, skill)), len(part)) for place, part in parts.items())
