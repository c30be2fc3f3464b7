"""Scores of skills held against people's labels of the same texts: pure."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.evals.llm.prompt_templates import ANCHORS
from plugin_eval_ci.evals.trials.human_labels import LABELLED, HumanLabel
from plugin_eval_ci.stats.agreement import Agreement, agreement
from plugin_eval_ci.stats.agreement_with_labels import LabelAgreement, label_agreement
from plugin_eval_ci.stats.intervals import Estimate
from plugin_eval_ci.stats.prediction_powered import corrected_mean, corrected_share


class Result(NamedTuple):
    """One skill of a result. ``scores``: in [0, 1], by dimension and by what gave it. ``judges``: what each answer gave a dimension.

    ``sha256`` of its SKILL.md as it is now; empty where the file is not there.
    """

    path: str
    name: str
    sha256: str
    scores: dict[tuple[str, str], float]
    judges: dict[str, tuple[float, ...]]
    judged_by: str


class Row(NamedTuple):
    """One score of one dimension. ``mean`` and ``passed``: over all results, as the score says and as people would say."""

    dimension: str
    source: str
    accord: LabelAgreement
    mean: float
    corrected: Estimate | None
    passed: float
    corrected_passed: Estimate | None
    results: int


class Calibration(NamedTuple):
    """``people``: agreement of several people on a dimension, where there is any. ``stale``: labels of texts that no result is about."""

    rows: tuple[Row, ...]
    people: tuple[tuple[str, Agreement], ...]
    labels: int
    used: int
    stale: int
    threshold: float


def calibrate(results: Sequence[Result], labels: Sequence[HumanLabel], threshold: float, seed: int = 0) -> Calibration:
    """Every score that there is against the labels of the same text."""
    by_text = {result.sha256: result for result in results if result.sha256}
    used = [label for label in labels if label.sha256 in by_text]
    given = {name: _by_text(used, name) for name in LABELLED}
    sources = dict.fromkeys(key for result in results for key in sorted(result.scores))
    rows = []
    for dimension, source in sorted(
        sources, key=lambda key: (LABELLED.index(key[0]) if key[0] in LABELLED else 99, key)
    ):
        row = _row(dimension, source, list(by_text.values()), given.get(dimension, {}), threshold, seed)
        if row is not None:
            rows.append(row)
    people = [
        (name, agreement([[one.score for one in group] for group in texts.values()], seed))
        for name, texts in given.items()
    ]
    known = tuple((name, agreed) for name, agreed in people if agreed is not None)
    return Calibration(tuple(rows), known, len(labels), len(used), len(labels) - len(used), threshold)


def _row(
    dimension: str,
    source: str,
    results: Sequence[Result],
    given: Mapping[str, Sequence[HumanLabel]],
    threshold: float,
    seed: int,
) -> Row | None:
    scored = {one.sha256: score for one in results if (score := one.scores.get((dimension, source))) is not None}
    means = {text: sum(one.score for one in group) / len(group) for text, group in given.items() if text in scored}
    found = label_agreement([[(label, scored[text])] for text, label in sorted(means.items())], ANCHORS, seed)
    if found is None:
        return None
    # Only what was drawn at random stands for the rest: what was picked for being doubtful is not like the others.
    drawn = {text: label for text, label in means.items() if any(one.picked == "random" for one in given[text])}
    others = [score for text, score in sorted(scored.items()) if text not in means]
    return Row(
        dimension,
        source,
        found,
        sum(scored.values()) / len(scored),
        corrected_mean([(label, scored[text]) for text, label in sorted(drawn.items())], others),
        sum(score >= threshold for score in scored.values()) / len(scored),
        _passed([(label, scored[text]) for text, label in drawn.items()], others, threshold),
        len(scored),
    )


def _passed(pairs: Sequence[tuple[float, float]], others: Sequence[float], threshold: float) -> Estimate | None:
    good = [score >= threshold for label, score in pairs if label >= threshold]
    bad = [score < threshold for label, score in pairs if label < threshold]
    return corrected_share(
        sum(one >= threshold for one in others), len(others), sum(good), len(good), sum(bad), len(bad)
    )


def _by_text(labels: Sequence[HumanLabel], dimension: str) -> dict[str, list[HumanLabel]]:
    found: dict[str, list[HumanLabel]] = {}
    for label in labels:
        if label.dimension == dimension:
            found.setdefault(label.sha256, []).append(label)
    return found


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
