"""What the numbers of the layers rest on, as ``stats.draws`` draws it again: prompts, tasks, and judges with their samples."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import fsum
from statistics import median
from typing import TypeVar

from plugin_eval_ci.stats import Estimate, Interval, Source, clustered_wilson, median_of
from plugin_eval_ci.trials.numbers import Triggering
from plugin_eval_ci.trials.rows import Row

_Name = TypeVar("_Name", bound=Hashable)


def of_prompts(measured: Triggering, f1: _Name, agreement: _Name) -> Source[_Name]:
    """Families of prompts, which F1 and the agreement of runs rest on; positive ones, negative ones and mixed ones apart."""
    clusters: dict[str, list[Row]] = {}
    for row in measured.rows:
        clusters.setdefault(row.prompt.cluster, []).append(row)
    strata: dict[tuple[bool, ...], list[tuple[float, ...]]] = {}
    for _, rows in sorted(clusters.items()):
        item = _sums(rows, measured.skill)
        strata.setdefault((item[1] > 0, item[3] > 0), []).append(item)

    def values(items: Sequence[Sequence[float]]) -> Mapping[_Name, float]:
        hits, positives, false, _, alike, pairs = (fsum(one) for one in zip(*items, strict=True))
        found = {}
        if measured.f1 is not None and positives:
            found[f1] = 2 * hits / (hits + false + positives)
        if measured.agreement is not None and pairs:
            found[agreement] = max(0.0, 2 * alike / pairs - 1)
        return found

    return Source(
        [strata[sides] for sides in sorted(strata)], values, _known({f1: measured.f1, agreement: measured.agreement})
    )


def of_tasks(
    tasks: Sequence[tuple[float, float]], share: _Name, tokens: _Name, score: Callable[[float], float], votes: int = 0
) -> Source[_Name]:
    """Tasks, each with its share of wins and what the skill costs more in tokens; ``score`` of the median cost, monotone. ``votes``: how
    many comparisons the shares come from."""

    def values(items: Sequence[Sequence[float]]) -> Mapping[_Name, float]:
        return {share: fsum(one[0] for one in items) / len(items), tokens: score(median(one[1] for one in items))}

    cost = median_of([one for _, one in tasks])
    intervals = _known({tokens: None if cost is None else cost.through(score)})
    wins = clustered_wilson({str(place): [one] for place, (one, _) in enumerate(sorted(tasks))}, votes)
    return Source([sorted(tasks)], values, intervals if wins is None else {**intervals, share: wins})


def of_judges(scores: Sequence[Sequence[float]], name: _Name) -> Source[_Name]:
    """Judges, each with the scores of its samples, at least one. The value is the mean of the judges' means.

    Judges are drawn whole: what differs from sample to sample makes their means differ too, and drawing samples as well would count it
    twice. Of a single judge the samples are drawn, and how far another judge would differ is not seen.
    """
    judges = [tuple(sorted(one)) for one in sorted(sorted(one) for one in scores)]
    items = [(one,) for one in judges[0]] if len(judges) == 1 else judges

    def values(items: Sequence[Sequence[float]]) -> Mapping[_Name, float]:
        return {name: fsum(fsum(one) / len(one) for one in items) / len(items)}

    return Source([items], values)


def _sums(rows: Sequence[Row], skill: str) -> tuple[float, ...]:
    """Of a cluster: rates and number of the positive prompts and of the negative ones; agreement and number of those that show it."""
    positive, negative = [row for row in rows if row.positive], [row for row in rows if not row.positive]
    alike = [row.alike for row in rows if row.alike is not None and (row.positive or row.prompt.home == skill)]
    return (
        fsum(row.rate for row in positive), len(positive),
        fsum(row.rate for row in negative), len(negative),
        fsum(alike), len(alike),
    )  # fmt: skip


def _known(estimates: Mapping[_Name, Estimate | None]) -> dict[_Name, Interval]:
    """The intervals that there are."""
    return {name: one.interval for name, one in estimates.items() if one is not None and one.interval is not None}
