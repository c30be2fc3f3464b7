"""How far judges agree. Anchored scores are ranks, so agreement is the ordinal alpha of Krippendorff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import fsum
from typing import NamedTuple, TypeVar

from plugin_eval_ci.stats.intervals import Interval
from plugin_eval_ci.stats.resampling import bca

Unit = Sequence[float | None]  # what each judge said of one thing; None: nothing
LEAST_UNITS = 20  # with fewer things, alpha is a number about these few


class Agreement(NamedTuple):
    """``alpha``: 1 all agree, 0 as by chance, below 0 worse. ``units`` are things that two judges or more scored."""

    alpha: float
    interval: Interval | None
    units: int
    judges: int

    @property
    def enough(self) -> bool:
        """Whether there are enough things to say it of the judges, and not only of these things."""
        return self.units >= LEAST_UNITS


def ordinal_alpha(units: Sequence[Unit]) -> float | None:
    """Krippendorff's alpha with the ordinal distance; None when no thing was scored twice.

    Where every score is the same no chance agreement exists to compare with; by convention they agree: 1.
    """
    scored = [Counter(score for score in unit if score is not None) for unit in units]
    pairable = [counts for counts in scored if counts.total() > 1]
    if not pairable:
        return None
    totals: Counter[float] = Counter()
    for counts in pairable:
        totals.update(counts)
    ranks = _ranks(totals)
    n = totals.total()
    observed = fsum(_disagreement(counts, ranks) / (counts.total() - 1) for counts in pairable) / n
    expected = _disagreement(totals, ranks) / (n * (n - 1))
    return 1 - observed / expected if expected else 1.0


def agreement(units: Sequence[Unit], seed: int = 0, resamples: int = 1_000) -> Agreement | None:
    """Alpha with an interval over the things that were scored; None when no thing was scored twice.

    The interval is None where drawing the things again never changes alpha.
    """
    pairable = [unit for unit in units if sum(score is not None for score in unit) > 1]
    alpha = ordinal_alpha(pairable)
    if alpha is None:
        return None
    judges = max(sum(score is not None for score in unit) for unit in pairable)
    return Agreement(alpha, bca(pairable, ordinal_alpha, seed, resamples), len(pairable), judges)


def _ranks(totals: Counter[float]) -> dict[float, float]:
    """The mean rank of each score: the ordinal distance of two scores is how far apart these are."""
    ranks, below = {}, 0.0
    for score in sorted(totals):
        ranks[score] = below + totals[score] / 2
        below += totals[score]
    return ranks


def _disagreement(counts: Counter[float], ranks: dict[float, float]) -> float:
    """The squared distances of all ordered pairs."""
    return fsum(counts[one] * counts[other] * (ranks[one] - ranks[other]) ** 2 for one in counts for other in counts)


_Stratum = TypeVar("_Stratum", bound=Hashable)


def icc_and_design_effect(groups: Mapping[tuple[_Stratum, str], Sequence[float]]) -> tuple[float | None, float | None]:
    """The intraclass correlation (by analysis of variance, not below 0) and the design effect: observations worth an independent one.

    ``groups`` by stratum and cluster: a difference between strata does not count as similarity. None for both where no cluster
    has two observations, no stratum
    two clusters, or nothing varies.
    """
    strata: dict[_Stratum, list[Sequence[float]]] = {}
    for (stratum, _), values in groups.items():
        if values:
            strata.setdefault(stratum, []).append(values)
    clusters = [values for parts in strata.values() for values in parts]
    n = sum(len(values) for values in clusters)
    between_df, within_df = len(clusters) - len(strata), n - len(clusters)
    if between_df < 1 or within_df < 1:
        return None, None
    between = fsum(_between(parts) for parts in strata.values()) / between_df
    within = fsum((one - _mean(values)) ** 2 for values in clusters for one in values) / within_df
    size = (n - fsum(_squares(parts) for parts in strata.values())) / between_df
    if between + (size - 1) * within <= 0:
        return None, None
    icc = max(0.0, (between - within) / (between + (size - 1) * within))
    return icc, 1 + (size - 1) * icc


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _between(parts: Sequence[Sequence[float]]) -> float:
    """Squares of what the clusters of a stratum differ from its mean, each as often as it was observed."""
    middle = fsum(one for values in parts for one in values) / sum(len(values) for values in parts)
    return fsum(len(values) * (_mean(values) - middle) ** 2 for values in parts)


def _squares(parts: Sequence[Sequence[float]]) -> float:
    """The mean size of the cluster of an observation of a stratum."""
    return sum(len(values) ** 2 for values in parts) / sum(len(values) for values in parts)
