"""Did a change make a skill be chosen worse? Paired on the same prompts, in three words: regression, fine, inconclusive.

The unit is the cluster, never the single trial. Regression: the upper bound of the difference is below nothing, and it fell by the
margin at least. Fine: it did not fall by as much as the margin, as the lower bound says. Everything else is inconclusive, and so is
whatever rests on too few clusters.

The upper bound is that of a sign-flip test, exact when nothing changed. The lower bound is the same test's, and never better than what
so many clusters can show at all: where prompts are either lost or not, clusters that did not move say nothing about those not written.
Both only rise when a difference rises, so a better record never turns into a worse verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil, fsum, inf, sqrt
from statistics import NormalDist, stdev
from typing import Literal, NamedTuple

from plugin_eval_ci.evals.trials.values import Trial
from plugin_eval_ci.stats.hypothesis_tests import ALPHA, benjamini_hochberg, flips

Verdict = Literal["regression", "fine", "inconclusive"]
Accuracies = Mapping[str, float]  # cluster -> share of its trials that were right
MARGIN = 0.05
LEAST_CLUSTERS = 8
POWER = 0.8
_ONE_SIDED = NormalDist().inv_cdf(1 - ALPHA)
_POWER_AT = NormalDist().inv_cdf(POWER)


class Decision(NamedTuple):
    """``difference`` of accuracy, head less base, in [-1, 1]; ``low`` and ``high`` are one-sided 95 % bounds. ``p``: of no fall.
    ``detectable``: the smallest fall that would have been called a regression in 80 of 100 such comparisons, ``needed``: the clusters
    that a fall of twice the margin takes for that; None: not known."""

    verdict: Verdict
    difference: float
    low: float
    high: float
    p: float
    clusters: int
    detectable: float | None
    why: str
    needed: int | None = None


def verdict_of(differences: Sequence[float], margin: float = MARGIN, alpha: float = ALPHA) -> Decision:
    """The decision from head less base by cluster, in an order that does not depend on what came out. ``margin`` in (0, 1)."""
    count = len(differences)
    if not count:
        return Decision("inconclusive", 0.0, -1.0, 1.0, 1.0, 0, None, "no prompt has usable trials on both sides")
    tested = flips(differences, alpha)
    low, high = max(-1.0, min(tested.low, _floor(tested.mean, count))), min(1.0, tested.high)
    detectable, needed = _detectable(differences, margin)
    verdict, why = _verdict_and_reason(tested.mean, low, tested.p_fell <= alpha, margin, count)
    return Decision(verdict, tested.mean, low, high, tested.p_fell, count, detectable, why, needed)


def correct_together(decisions: Mapping[str, Decision], changed: Collection[str] = ()) -> dict[str, Decision]:
    """Those of several skills together: what would be a regression alone must hold among so many (Benjamini and Hochberg).

    Half of what may go wrong is spent on ``changed`` skills, where there are others too: neighbours that only might have lost
    prompts shall not hide what happened to the one that was edited.
    """
    names = sorted(decisions)
    edited = [name in changed for name in names]
    shares = {True: sum(edited), False: len(names) - sum(edited)}
    weights = [1 / shares[one] if all(shares.values()) else 1.0 for one in edited]
    found: dict[str, Decision] = {}
    for name, p in zip(names, benjamini_hochberg([decisions[name].p for name in names], weights), strict=True):
        one = decisions[name]._replace(p=p)
        if one.verdict == "regression" and p > ALPHA:
            why = f"it fell, but among {len(names)} skills a fall like this happens by chance too often"
            one = one._replace(verdict="inconclusive", why=why)
        found[name] = one
    return found


def accuracies(trials: Sequence[Trial], skill: str) -> dict[str, float]:
    """By cluster, of the prompts in the labels of ``skill``: how often what was chosen is what the label expects.

    Trials that say nothing take no part. Each prompt counts once in its cluster, however often it was tried.
    """
    prompts: dict[tuple[str, str], list[bool]] = {}
    for trial in trials:
        if trial.prompt.home == skill and trial.usable:
            prompts.setdefault((trial.prompt.cluster, trial.prompt.id), []).append(trial.right)
    clusters: dict[str, list[float]] = {}
    for (cluster, _), right in sorted(prompts.items()):
        clusters.setdefault(cluster, []).append(sum(right) / len(right))
    return {cluster: fsum(rates) / len(rates) for cluster, rates in clusters.items()}


def paired_trials(base: Sequence[Trial], head: Sequence[Trial]) -> tuple[tuple[Trial, ...], tuple[Trial, ...]]:
    """Those of the prompts that say something on both sides: an outage of one side must not change which prompts are compared."""
    ids = [{(one.prompt.home, one.prompt.id) for one in side if one.usable} for side in (base, head)]
    both = ids[0] & ids[1]
    kept = [tuple(one for one in side if (one.prompt.home, one.prompt.id) in both) for side in (base, head)]
    return kept[0], kept[1]


def never_chosen(trials: Sequence[Trial], skill: str) -> bool:
    """Whether no trial chose the skill although it was right for some: then nothing could be lost, and equal sides say nothing."""
    mine = [one for one in trials if one.usable and one.prompt.home == skill and skill in one.prompt.expect]
    return bool(mine) and not any(skill in one.chosen for one in mine)


def _verdict_and_reason(mean: float, low: float, fell: bool, margin: float, count: int) -> tuple[Verdict, str]:
    if count < LEAST_CLUSTERS:
        return "inconclusive", f"{count} clusters of prompts are too few (at least {LEAST_CLUSTERS} needed)"
    if fell and mean <= -margin:
        return "regression", "it fell by at least the margin, and by more than chance explains"
    if low > -margin:
        return "fine", "a fall as large as the margin can be ruled out"
    if fell:
        return "inconclusive", "it fell, but by less than the margin"
    return "inconclusive", "this many prompts can neither show nor rule out a fall as large as the margin"


def _floor(mean: float, count: int) -> float:
    """The lowest mean that ``count`` clusters with this mean do not contradict where each is lost as a whole or not at all: Wilson's bound
    for the share of lost ones, whose spread is taken from the bound and not from what was seen (which may be none)."""
    square = _ONE_SIDED * _ONE_SIDED / count
    # (mean + x)² = square · x(1 - x), for the share x that is lost: the larger root
    middle = square - 2 * mean
    root = middle * middle - 4 * (1 + square) * mean * mean
    return inf if root < 0 else -(middle + sqrt(root)) / (2 * (1 + square))


def _detectable(differences: Sequence[float], margin: float) -> tuple[float | None, int | None]:
    """From the spread that was seen: the smallest fall, and the clusters for twice the margin. None where no spread was seen."""
    count = len(differences)
    if count < LEAST_CLUSTERS or (spread := stdev(differences)) < 1e-9:
        return None, None
    error = spread / sqrt(count)
    # as below, solved for the count: the error may be what leaves room for the power above the margin and above the bound of chance
    least = margin / max(_POWER_AT, (_POWER_AT + _ONE_SIDED) / 2)
    return min(1.0, error * _POWER_AT + max(error * _ONE_SIDED, margin)), max(
        LEAST_CLUSTERS, ceil((spread / least) ** 2)
    )
