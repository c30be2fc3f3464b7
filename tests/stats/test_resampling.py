"""The bootstraps against scipy's, and where there is nothing to learn from."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from plugin_eval_ci.stats import bca, bootstrap_mean

SKEWED = [round(random.Random(7).betavariate(5, 1), 3) * (1 if place % 4 else 0.5) for place in range(40)]
VARIED = [round(value, 3) for value in (lambda draw: [draw.betavariate(4, 1) for _ in range(40)])(random.Random(3))]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


@pytest.mark.parametrize("values", [SKEWED, VARIED], ids=["skewed", "varied"])
def test_percentiles_are_those_of_scipy(values: list[float]) -> None:
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=1).confidence_interval
    ours = bootstrap_mean(values, seed=1, resamples=20_000)
    width = theirs.high - theirs.low
    assert ours[:2] == pytest.approx((theirs.low, theirs.high), abs=0.03 * width)


@pytest.mark.parametrize("values", [SKEWED, VARIED], ids=["skewed", "varied"])
def test_bca_is_that_of_scipy(values: list[float]) -> None:
    theirs = stats.bootstrap((values,), np.mean, method="BCa", n_resamples=20_000, rng=1).confidence_interval
    ours = bca(values, mean, seed=1, resamples=20_000)
    width = theirs.high - theirs.low
    assert ours[:2] == pytest.approx((theirs.low, theirs.high), abs=0.04 * width)
    assert (ours.method, ours.n, ours.n_eff) == ("bca", 40, 40)


def test_bca_of_another_statistic() -> None:
    """Of a variance, which is biased in a resample: percentiles and BCa differ, and ours differs as scipy's does."""
    values = VARIED[:20]
    theirs = stats.bootstrap((values,), np.var, method="BCa", n_resamples=20_000, rng=2).confidence_interval
    ours = bca(values, lambda drawn: float(np.var(drawn)), seed=2, resamples=20_000)
    assert ours[:2] == pytest.approx((theirs.low, theirs.high), rel=0.06)


def test_a_seed_says_everything() -> None:
    assert bootstrap_mean(VARIED, 4) == bootstrap_mean(VARIED, 4)
    assert bootstrap_mean(VARIED, 4) != bootstrap_mean(VARIED, 5)
    # Python promises the same draws for a seed; a report made elsewhere must show the same interval.
    assert bootstrap_mean([0.0, 0.5, 1.0, 1.0], 0, 200)[:2] == pytest.approx((0.25, 1.0))


@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
def test_the_same_value_everywhere(value: float) -> None:
    assert bootstrap_mean([value] * 9, 1)[:2] == pytest.approx((value, value))  # documented, and of no width
    assert bca([value] * 9, mean, 1) is None


def test_one_or_none() -> None:
    assert bootstrap_mean([], 1) is None
    assert bootstrap_mean([0.3], 1)[:2] == (0.3, 0.3)
    assert bca([], mean, 1) is None
    assert bca([0.3], mean, 1) is None


def test_a_statistic_may_have_nothing_to_say() -> None:
    """Draws without a positive value say nothing of a share of them; what is left still gives an interval."""
    values = [0.0, 0.0, 0.0, 0.5, 1.0]

    def of_positive(drawn: Sequence[float]) -> float | None:
        positive = [value for value in drawn if value > 0]
        return mean(positive) if positive else None

    got = bca(values, of_positive, 1)
    assert 0.5 <= got.low < got.high <= 1
    assert bca(values, lambda drawn: None, 1) is None
