"""Do the numbers of trials hold what they promise: intervals of a subject whose chances are known, by the functions that are shipped."""

from __future__ import annotations

import random
from functools import cache
from math import fsum, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from simulated_plugin import Nature, Skills, beta, plugin, trials_of, truth_of

from plugin_eval_ci.config import Config
from plugin_eval_ci.evals.trials.lift.numbers import LiftResult, Pair, lift_of
from plugin_eval_ci.evals.trials.lift.tasks import Tasks
from plugin_eval_ci.evals.trials.report_values import OTHER, matrix_of
from plugin_eval_ci.evals.trials.triggering.numbers import NONE, Triggering, triggering_numbers
from plugin_eval_ci.evals.trials.values import Settings, Trial
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Skill
from plugin_eval_ci.stats import Estimate, wilson

ROOT = Path(__file__).resolve().parent.parent
TURNS = 3
ONE = ("p:a",)
NO_TASKS = Tasks("a", "", "", ())  # of the pairs of a simulation nobody wrote the tasks


class Trials(NamedTuple):
    """A design: what the labels are like, how the subject is, runs of each prompt."""

    what: str
    skills: Skills
    runs: int = 3
    nature: Nature = Nature()


DESIGNS = [
    Trials("good skill", Skills(ONE)),
    Trials("good skill, runs independent", Skills(ONE, icc=0.0)),
    Trials("good skill, prompts differ much", Skills(ONE, icc=0.6)),
    Trials("few prompts", Skills(ONE, positives=10, negatives=10)),
    Trials("fewest prompts", Skills(ONE, positives=8, negatives=8)),
    Trials("near perfect", Skills(ONE, recall=0.97, false=0.02)),
    Trials("shy skill", Skills(ONE, recall=0.3, false=0.03)),
    Trials("greedy skill", Skills(ONE, recall=0.9, false=0.4)),
    Trials("families of two", Skills(ONE, family=2)),
    Trials("place matters, 10 % refusals, other tools first", Skills(ONE), 3, Nature(1.5, 0.3, 0.1)),
    Trials("one run of each", Skills(ONE), 1),
]
NUMBERS = ("recall", "false triggers", "F1", "balanced accuracy", "agreement")


class Held(NamedTuple):
    """Of intervals: the share that held the truth, their mean width, and how many there were."""

    coverage: float
    width: float
    n: int

    @property
    def error(self) -> float:
        """What chance does to the coverage: its standard error."""
        return sqrt(max(self.coverage * (1 - self.coverage), 0.25 / max(self.n, 1)) / max(self.n, 1))


class Tally:
    """Counts which intervals hold their truth."""

    def __init__(self) -> None:
        self.held, self.n, self.width = 0, 0, 0.0

    def add(self, estimate: Estimate | None, truth: float) -> None:
        """An estimate without an interval does not count."""
        if estimate is not None and estimate.interval is not None:
            self.span(estimate.interval.low, estimate.interval.high, truth)

    def span(self, low: float, high: float, truth: float) -> None:
        """From low to high."""
        self.n += 1
        self.held += low - 1e-12 <= truth <= high + 1e-12
        self.width += high - low

    @property
    def result(self) -> Held:
        """What came of it."""
        return Held(self.held / self.n, self.width / self.n, self.n) if self.n else Held(0.0, 0.0, 0)


class TrialsRow(NamedTuple):
    """Of a design: the shipped numbers in the order of ``NUMBERS``; recall with runs as if independent; F1 by drawing prompts again."""

    design: Trials
    shipped: tuple[Held, ...]
    plain: Held
    drawn: Held


def simulate(design: Trials, repetitions: int, seed: int) -> TrialsRow:
    """Draw a plugin and its trials, compute, see what holds the truth."""
    truth = truth_of(design.skills, design.nature, TURNS)
    mix = design.skills.negatives / design.skills.positives
    wanted = (truth.recall, truth.false, truth.f1(mix), (truth.recall + 1 - truth.false) / 2, truth.agreement)
    tallies, plain, drawn = [Tally() for _ in NUMBERS], Tally(), Tally()
    for repetition in range(repetitions):
        got, _ = _once(design, f"{seed} {repetition}")
        if not isinstance(got, Triggering):
            continue
        found = (got.recall, got.false_triggers, got.f1, got.balanced_accuracy, got.agreement)
        for tally, estimate, value, name in zip(tallies, found, wanted, NUMBERS, strict=True):
            if name != "agreement" or not (design.nature.place or design.nature.looks):
                tally.add(estimate, value)
        positive = [row for row in got.rows if row.positive]
        plain.span(*wilson(sum(row.hits for row in positive), sum(row.runs for row in positive))[:2], truth.recall)
        drawn.span(*_drawn_f1(got, seed + repetition), wanted[2])
    return TrialsRow(design, tuple(one.result for one in tallies), plain.result, drawn.result)


def _once(design: Trials, seed: str) -> tuple[object, list[Trial]]:
    prompts, habits = plugin(design.skills, seed)
    trials = trials_of(prompts, habits, design.nature, design.runs, TURNS, seed)
    return triggering_numbers(trials, "p:a"), trials


def _drawn_f1(got: Triggering, seed: int) -> tuple[float, float]:
    """Percentiles of F1 of prompts drawn again, the usual way."""
    sides = [np.array([row.rate for row in got.rows if row.positive is positive]) for positive in (True, False)]
    draw = np.random.RandomState(seed)
    hits, false = (side[draw.randint(0, len(side), (500, len(side)))].mean(1) for side in sides)
    f1 = 2 * hits / (hits + 1 + len(sides[1]) / len(sides[0]) * false)
    low, high = np.percentile(f1, (2.5, 97.5))
    return float(low), float(high)


FIELDS = [
    Trials("five skills, 10 prompts each", Skills(positives=10, negatives=5, recall=0.7)),
    Trials("five skills, 20 prompts each", Skills(positives=20, negatives=10, recall=0.7)),
]
CELLS = ("own prompts", "taken by a sibling", "gone to another plugin", "to no skill")


class MatrixRow(NamedTuple):
    """Of a design: kinds of cells in the order of ``CELLS``, over all skills, and F1 of one skill with siblings' prompts as negatives."""

    design: Trials
    cells: tuple[tuple[float, Held], ...]  # with their true share


def simulate_matrix(design: Trials, repetitions: int, seed: int) -> MatrixRow:
    """All cells of a kind are alike, so they are counted together."""
    truth = truth_of(design.skills, design.nature, TURNS)
    wanted = (truth.recall, truth.theft, truth.strays, 1 - truth.recall - truth.theft - truth.strays)
    tallies = [Tally() for _ in CELLS]
    names = design.skills.names
    for repetition in range(repetitions):
        _, trials = _once(design, f"{seed} {repetition}")
        got = matrix_of(trials, names)
        for at, line in enumerate(got.lines):
            columns = (names[at], names[(at + 1) % len(names)], OTHER, NONE)
            for tally, column, value in zip(tallies, columns, wanted, strict=True):
                tally.add(line.cells[got.columns.index(column)], value)
    return MatrixRow(design, tuple((value, tally.result) for value, tally in zip(wanted, tallies, strict=True)))


class Help(NamedTuple):
    """A design: tasks with so many pairs of answers each, won with the skill with a mean chance; a share of pairs ties."""

    tasks: int
    pairs: int
    wins: float
    ties: float
    icc: float

    @property
    def truth(self) -> float:
        """The share of wins that endless tasks would give, ties by half."""
        return self.wins * (1 - self.ties) + self.ties / 2


HELPS = [
    Help(tasks, pairs, wins, 0.2, 0.4) for tasks, pairs in ((8, 1), (8, 3), (12, 2), (20, 2)) for wins in (0.5, 0.75)
] + [Help(12, 2, 0.95, 0.1, 0.3)]


@cache
def any_skill() -> Skill:
    """Pairs belong to a skill; which one matters for none of the numbers."""
    return evaluate((str(ROOT / "examples" / "exemplary"),), Config()).collection.skills[0]


class HelpRow(NamedTuple):
    """Coverage of the share of wins, which is lift plus a half; and by pairs as if they were independent."""

    design: Help
    shipped: Held
    plain: Held


def draw_pairs(design: Help, draw: random.Random) -> list[Pair]:
    """The pairs of one run of the trials of help."""
    pairs = []
    for task in range(design.tasks):
        level = beta(draw, design.wins, design.icc)
        for run in range(design.pairs):
            score = 0.5 if draw.random() < design.ties else float(draw.random() < level)
            pairs.append(Pair(f"task {task:02}", run, score, "grader", tokens_with=1_500, tokens_without=1_000))
    return pairs


def simulate_help(design: Help, repetitions: int, seed: int) -> HelpRow:
    """As for the numbers of triggering."""
    draw = random.Random(f"{seed} {design}")
    shipped, plain = Tally(), Tally()
    for _ in range(repetitions):
        pairs = draw_pairs(design, draw)
        got = lift_of(any_skill(), NO_TASKS, Settings(), "opus", pairs, (), ())
        assert isinstance(got, LiftResult)
        shipped.add(Estimate(got.share, got.interval), design.truth)
        share, n = fsum(pair.score or 0.0 for pair in pairs) / len(pairs), len(pairs)
        half = 1.96 * sqrt(share * (1 - share) / n)
        plain.span(share - half, share + half, design.truth)
    return HelpRow(design, shipped.result, plain.result)
