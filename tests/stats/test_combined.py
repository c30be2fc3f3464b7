"""Sums and ratios of rates, and how much runs resemble each other."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_eval_ci.stats import Estimate, clustered_wilson, icc_and_design_effect, ratio, total, wilson
from plugin_eval_ci.stats.intervals import Interval


def rate(hits: int, n: int) -> Estimate:
    return Estimate(hits / n, wilson(hits, n))


def test_a_difference_is_newcombes() -> None:
    """The example of Newcombe's paper on differences: 56/70 and 48/80 give 0.0524 to 0.3339."""
    got = total([rate(56, 70), rate(48, 80).scaled(-1)])
    assert got.value == pytest.approx(0.2)
    assert got.interval[:2] == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_a_ratio_of_large_samples_is_the_delta_method() -> None:
    got = ratio(rate(4_000, 10_000), rate(5_000, 10_000))
    half = 1.96 * 0.8 * np.sqrt(0.6 / 4_000 + 0.5 / 5_000)
    assert got.interval[:2] == pytest.approx((0.8 - half, 0.8 + half), abs=1e-3)


@given(st.integers(0, 30), st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
def test_a_ratio_holds_its_value(above: int, n: int, below: int, m: int) -> None:
    got = ratio(rate(min(above, n), n), rate(min(below, m), m))
    assert 0 <= got.interval.low <= got.value * (1 + 1e-9) + 1e-12
    assert got.value <= got.interval.high * (1 + 1e-9) + 1e-12


def test_what_has_no_interval_gives_none() -> None:
    bare = Estimate(0.5, None)
    for got in (total([bare, rate(1, 2)]), ratio(bare, rate(1, 2)), bare.scaled(-1, 1)):
        assert got.interval is None
    assert bare.scaled(-1, 1).value == 0.5


def test_through_a_falling_curve() -> None:
    one = Estimate(0.5, Interval(0.25, 0.8, "wilson", 3, 3.0)).through(lambda value: 1 / value)
    assert (one.value, one.interval.low, one.interval.high) == (2.0, 1.25, 4.0)


def test_means_of_runs_are_worth_their_runs() -> None:
    """Three runs of each prompt, given as runs or as the prompt's mean: the same interval."""
    draw = random.Random(4)
    runs = {str(n): [float(draw.random() < 0.7) for _ in range(3)] for n in range(20)}
    means = {name: [sum(values) / 3] for name, values in runs.items()}
    assert clustered_wilson(means, 60)[:2] == pytest.approx(clustered_wilson(runs)[:2])
    assert clustered_wilson(means).n_eff <= 20


def drawn(clusters: int, size: int, icc: float, mean: float, seed: int) -> dict[tuple[str, str], list[float]]:
    draw = np.random.default_rng(seed)
    weight = 1 / icc - 1
    levels = draw.beta(mean * weight, (1 - mean) * weight, clusters)
    return {("", str(n)): [float(draw.random() < level) for _ in range(size)] for n, level in enumerate(levels)}


@pytest.mark.parametrize("icc", [0.1, 0.3, 0.6])
def test_likeness_is_found(icc: float) -> None:
    found, effect = icc_and_design_effect(drawn(3_000, 4, icc, 0.7, 1))
    assert found == pytest.approx(icc, abs=0.03)
    assert effect == pytest.approx(1 + 3 * found)


def test_that_strata_differ_is_no_likeness() -> None:
    low, high = drawn(800, 3, 0.2, 0.2, 1), drawn(800, 3, 0.2, 0.8, 2)
    apart = {("low", name): values for (_, name), values in low.items()} | {
        ("high", name): values for (_, name), values in high.items()
    }
    pooled = {("", f"{stratum} {name}"): values for (stratum, name), values in apart.items()}
    assert icc_and_design_effect(apart)[0] == pytest.approx(0.2, abs=0.04)
    assert icc_and_design_effect(pooled)[0] > 0.4


@pytest.mark.parametrize(
    "groups",
    [{}, {("", "a"): [1.0, 0.0]}, {("", "a"): [1.0], ("", "b"): [0.0]}, {("", "a"): [1.0, 1.0], ("", "b"): [1.0, 1.0]}],
)
def test_nothing_to_learn_likeness_from(groups) -> None:
    assert icc_and_design_effect(groups) == (None, None)


def test_unlike_runs_are_not_less_than_independent() -> None:
    assert icc_and_design_effect({("", str(n)): [1.0, 0.0] for n in range(5)}) == (0.0, 1.0)
