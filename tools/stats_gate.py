"""How often the gate is wrong, and how much an early stop saves, on revisions whose difference is known; by the functions that are shipped."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt
from statistics import median
from typing import NamedTuple

from simulated_plugin import beta

from plugin_eval_ci.evals.trials.gate.decision import MARGIN, Decision, correct_together, verdict_of
from plugin_eval_ci.evals.trials.gate.run import WAVE
from plugin_eval_ci.stats import sequential_test

ALPHA = 0.05
SKILLS = 10  # of a plugin of which nothing changed


def decide(base: dict[str, float], head: dict[str, float], margin: float = MARGIN) -> Decision:
    """The verdict on the prompts that both sides have."""
    return verdict_of([head[name] - base[name] for name in sorted(base.keys() & head.keys())], margin)


class Change(NamedTuple):
    """A design: clusters with ``runs`` each, right with a mean chance, and a true ``drop`` of that mean.

    ``lumpy``: the drop is some prompts that are lost altogether; else all lose in proportion. ``moves``: standard deviation of what the
    change does to a prompt beside that.
    """

    clusters: int
    runs: int = 3
    mean: float = 0.85
    icc: float = 0.3
    drop: float = 0.0
    lumpy: bool = False
    moves: float = 0.0


UNCHANGED = [Change(m) for m in (8, 15, 20, 40, 60)] + [
    Change(40, icc=0.0),
    Change(40, mean=0.97),
    Change(40, moves=0.1),
]
DROPS = [
    Change(40, mean=0.9, icc=0.5, drop=0.1),
    Change(40, mean=0.9, icc=0.5, drop=0.1, moves=0.1),
    *(Change(40, drop=drop) for drop in (0.05, 0.1, 0.15)),
    Change(40, drop=0.1, lumpy=True),
    *(Change(m, drop=0.1) for m in (15, 20, 60)),
    Change(40, 5, drop=0.1),
    Change(60, drop=0.05),
]
CHANGES = [*UNCHANGED, *DROPS]


class ChangeRow(NamedTuple):
    """Shares of the verdicts; ``flips``: how often of two comparisons of the same revisions only one is a regression; ``plain``: how often the
    head's mean is lower by the margin; ``detectable``: the median of what was printed, None where nothing was."""

    design: Change
    regression: float
    fine: float
    inconclusive: float
    flips: float
    plain: float
    detectable: float | None
    n: int


def draw_change(design: Change, draw: random.Random) -> tuple[dict[str, float], dict[str, float]]:
    """The accuracy of each cluster at base and at head."""
    base, head = {}, {}
    for number in range(design.clusters):
        level = beta(draw, design.mean, design.icc)
        lost = design.drop / design.mean
        kept = float(draw.random() >= lost) if design.lumpy else 1 - lost
        after = level * kept
        if design.moves:
            step = min(design.moves, after, 1 - after)  # as far up as down, so that the mean stays
            after += draw.choice((-step, step))
        name = f"{number:03}"
        base[name] = sum(draw.random() < level for _ in range(design.runs)) / design.runs
        head[name] = sum(draw.random() < after for _ in range(design.runs)) / design.runs
    return base, head


def simulate_change(design: Change, repetitions: int, seed: int) -> ChangeRow:
    """Compare again and again."""
    draw = random.Random(f"{seed} {design}")
    verdicts, plain, said = [], 0, []
    for _ in range(repetitions):
        base, head = draw_change(design, draw)
        got = decide(base, head, MARGIN)
        verdicts.append(got.verdict)
        plain += got.difference <= -MARGIN + 1e-9
        if got.detectable is not None:
            said.append(got.detectable)
    failed = [one == "regression" for one in verdicts]
    flips = sum(one != other for one, other in zip(failed[::2], failed[1::2], strict=False))
    counts = Counter(verdicts)
    shares = [counts[name] / repetitions for name in ("regression", "fine", "inconclusive")]
    return ChangeRow(
        design, *shares, flips / (repetitions // 2), plain / repetitions, median(said) if said else None, repetitions
    )


def simulate_plugin(skills: int, repetitions: int, seed: int) -> float:
    """How often at least one of so many unchanged skills is called a regression."""
    draw = random.Random(f"{seed} plugin")
    wrong = 0
    for _ in range(repetitions):
        found = correct_together({f"s{n}": decide(*draw_change(Change(40), draw), MARGIN) for n in range(skills)})
        wrong += any(one.verdict == "regression" for one in found.values())
    return wrong / repetitions


class Stop(NamedTuple):
    """A design: prompts with ``runs`` each and a true mean, against a threshold."""

    mean: float
    threshold: float = 0.8
    prompts: int = 40
    runs: int = 3
    icc: float = 0.3


STOPS = [*(Stop(mean) for mean in (0.4, 0.6, 0.8, 0.95)), Stop(0.8, icc=0.0), Stop(0.8, prompts=400)]


class StopRow(NamedTuple):
    """How often it was said that the mean is below or above; prompts until then in the middle case; share of calls that were saved, when
    one looks after every prompt and after every wave as the gate does."""

    design: Stop
    below: float
    above: float
    prompts: float
    saved: float
    waves: float
    n: int


def simulate_stop(design: Stop, repetitions: int, seed: int) -> StopRow:
    """Prompt after prompt until it is decided."""
    draw = random.Random(f"{seed} {design}")
    ends = []
    for _ in range(repetitions):
        levels = [beta(draw, design.mean, design.icc) for _ in range(design.prompts)]
        ends.append(
            sequential_test(
                (sum(draw.random() < level for _ in range(design.runs)) / design.runs for level in levels),
                design.threshold,
                ALPHA,
            )
        )
    said = Counter(one.said for one in ends)
    seen = [one.seen for one in ends]
    waves = [min(design.prompts, -(-one // WAVE) * WAVE) for one in seen]
    return StopRow(
        design,
        said["below"] / repetitions,
        said["above"] / repetitions,
        median(seen),
        1 - sum(seen) / repetitions / design.prompts,
        1 - sum(waves) / repetitions / design.prompts,
        repetitions,
    )


def error_of(share: float, n: int) -> float:
    """The standard error of a share of so many repetitions."""
    return sqrt(share * (1 - share) / n)
