"""Which skill has whose prompts: what was chosen, by the skill that is right. Siblings' prompts serve as each other's negatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.stats import Estimate
from plugin_eval_ci.trials.rows import NONE, by_prompt, made, rate_of
from plugin_eval_ci.trials.values import LEAST_USABLE, Prompt, Trial

OTHER = "other"  # a skill that is none of the plugin's


class Line(NamedTuple):
    """The prompts of one skill. ``cells``: the share that each column has, in the order of ``Matrix.columns``; the shares sum to 1.

    Without a prompt, or with too few usable trials, ``cells`` is empty and ``reason`` says why.
    """

    skill: str
    cells: tuple[Estimate, ...]
    prompts: int
    runs: int
    reason: str = ""


class Share(NamedTuple):
    """``taker`` has this share of the prompts of ``owner``."""

    taker: str
    owner: str
    share: Estimate


class Matrix(NamedTuple):
    """A line for each skill, and one for the prompts that no skill is right for; ``columns``: the skills, ``other`` and ``none``."""

    skills: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    unexpected: Line

    @property
    def taken(self) -> tuple[Share, ...]:
        """Who takes whose prompts, the largest share first; what went to no skill is not taken."""
        found = [
            Share(column, line.skill, cell)
            for line in self.lines
            for column, cell in zip(self.columns, line.cells, strict=False)
            if cell.value > 0 and column not in (line.skill, NONE)
        ]
        return tuple(sorted(found, key=lambda one: (-one.share.value, one.owner, one.taker)))


def matrix_of(trials: Iterable[Trial], skills: Sequence[str]) -> Matrix:
    """What was chosen, by what is right. A run that chose several skills counts for each of them in equal parts.

    A prompt that several skills are right for stands in the line of its home, where any of them counts as the home itself.
    """
    columns = (*skills, OTHER, NONE)
    groups: dict[str, list[list[Trial]]] = {name: [] for name in (*skills, NONE)}
    for group in by_prompt(made(trials)):
        owner = _owner(group[0].prompt)
        if owner in groups:
            groups[owner].append(group)
    lines = tuple(_line(name, groups[name], columns) for name in skills)
    return Matrix(tuple(skills), columns, lines, _line(NONE, groups[NONE], columns))


def _owner(prompt: Prompt) -> str | None:
    """In whose line a prompt stands."""
    if not prompt.expect:
        return NONE
    if len(prompt.expect) == 1:
        return prompt.expect[0]
    return prompt.home if prompt.home in prompt.expect else None


def _line(owner: str, groups: Sequence[Sequence[Trial]], columns: Sequence[str]) -> Line:
    tried = sum(len(group) for group in groups)
    kept = [usable for group in groups if (usable := [one for one in group if one.usable])]
    runs = sum(len(group) for group in kept)
    if not tried:
        return Line(owner, (), 0, 0, "no prompt was tried")
    if runs / tried < LEAST_USABLE:
        return Line(owner, (), len(kept), runs, f"{tried - runs} of {tried} trials failed")
    weighed = [(group[0].prompt.cluster, [_weights(one, owner, columns) for one in group]) for group in kept]
    cells = []
    for place in range(len(columns)):
        means = [(cluster, fsum(one[place] for one in each) / len(each)) for cluster, each in weighed]
        cell = rate_of(means, runs)
        assert cell is not None  # there is a usable trial
        cells.append(cell)
    return Line(owner, tuple(cells), len(kept), runs)


def _weights(trial: Trial, owner: str, columns: Sequence[str]) -> list[float]:
    """What part of one run each column has."""
    parts = [0.0] * len(columns)
    for name in trial.chosen or (NONE,):
        column = owner if owner != NONE and name in trial.prompt.expect else name
        parts[columns.index(column if column in columns else OTHER)] += 1 / max(1, len(trial.chosen))
    return parts
