"""Which skills a person should label next: half drawn at random, half where a label tells most.

What is picked for being doubtful is not like the rest, so it may train a correction and not estimate a share: each item says how it was
picked. A label tells most where judges differ, and where a score is close to the threshold that decides.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import NamedTuple

from plugin_eval_ci.trials.calibrating import Result

NEAR = 0.25  # one anchor: a score further away from the threshold is clear


class Item(NamedTuple):
    """A dimension of a skill. ``judge``: mean of the judges, None without any; ``spread`` between the highest and the lowest."""

    path: str
    sha256: str
    dimension: str
    judge: float | None
    judged_by: str
    spread: float
    distance: float | None  # of the score from the threshold
    picked: str = "random"

    @property
    def tells(self) -> float:
        """How much a label would tell: the spread, and how close to the threshold."""
        return self.spread + (0.0 if self.distance is None else max(0.0, NEAR - self.distance))


def items_of(
    results: Sequence[Result],
    dimensions: Collection[str],
    done: Collection[tuple[str, str]],
    threshold: float,
) -> tuple[Item, ...]:
    """What can be labelled and is not yet; a text that stands in several places is one."""
    found: dict[tuple[str, str], Item] = {}
    for result in results:
        for dimension in dict.fromkeys([*result.judges, *(name for name, _ in sorted(result.scores))]):
            key = result.sha256, dimension
            if not result.sha256 or dimension not in dimensions or key in done or key in found:
                continue
            judges = result.judges.get(dimension, ())
            score = result.scores.get((dimension, "score"))
            judged = result.scores.get((dimension, "judge"))
            found[key] = Item(
                result.path,
                result.sha256,
                dimension,
                judged,
                result.judged_by if judged is not None else "",
                max(judges) - min(judges) if judges else 0.0,
                None if score is None else abs(score - threshold),
            )
    return tuple(found[key] for key in sorted(found))


def pick(items: Sequence[Item], number: int, seed: int) -> tuple[Item, ...]:
    """So many of them, in an order that does not tell why."""
    draw = random.Random(seed)
    drawn = draw.sample(items, min(len(items), (number + 1) // 2))
    left = [item for item in items if item not in drawn]
    telling = sorted(left, key=lambda item: (-item.tells, item.sha256, item.dimension))[: max(0, number - len(drawn))]
    chosen = [*drawn, *(item._replace(picked="informative") for item in telling)]
    draw.shuffle(chosen)
    return tuple(chosen)
