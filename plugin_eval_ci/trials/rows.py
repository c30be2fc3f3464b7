"""The prompts that say something about a skill, one row each: what became of its runs. The order of the trials means nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.ask import FailureKind
from plugin_eval_ci.stats import Estimate, available, clustered_wilson
from plugin_eval_ci.trials.values import Prompt, Trial

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


def side(prompt: Prompt, skill: str) -> bool | None:
    """True where the skill is right for the prompt, False where it is wrong, None where the prompt does not say.

    What a sibling's labels expect of no skill was not written about this one. Of several that are right, the skill in whose labels the
    prompt stands is served by any of them, and nothing follows for the others.
    """
    home = prompt.home == skill
    if skill in prompt.expect:
        return True if home or len(prompt.expect) == 1 else None
    return False if home or prompt.expect else None


def about(trials: Iterable[Trial], skill: str) -> list[Trial]:
    """The trials of prompts that say something about the skill, in one order whatever theirs was."""
    return sorted((one for one in trials if side(one.prompt, skill) is not None), key=_place)


def made(trials: Iterable[Trial]) -> list[Trial]:
    """Those that were made: a call that was never sent is missing, not failed."""
    return [one for one in trials if one.result not in NOT_MADE]


def rows_of(trials: Iterable[Trial], skill: str) -> tuple[Row, ...]:
    """The prompts about the skill that have a usable run, by home and id."""
    return tuple(_row(group, skill) for group in by_prompt(one for one in about(trials, skill) if one.usable))


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
    positive = side(prompt, skill) is True
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
