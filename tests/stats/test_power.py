"""Power, many tests and betting, against scipy and by what they promise."""

from __future__ import annotations

import random
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as theirs

from plugin_eval_ci.stats import (
    BettingState,
    benjamini_hochberg,
    clusters_needed,
    detectable,
    difference_sd,
    median_of,
    sequential_test,
)

UNIT = st.floats(0, 1)


@pytest.mark.parametrize(("sd", "clusters"), [(0.25, 15), (0.2, 40), (0.3, 99)])
def test_the_power_is_what_it_says(sd: float, clusters: int) -> None:
    """By the noncentral t distribution: the drop that is called detectable is found in 80 of 100 cases."""
    shift = detectable(sd, clusters) * np.sqrt(clusters) / sd
    assert theirs.nct.sf(theirs.t.ppf(0.95, clusters - 1), clusters - 1, shift) == pytest.approx(0.8, abs=0.01)


def test_needed_is_the_smallest_that_sees_it() -> None:
    assert detectable(0.2, clusters_needed(0.2, 0.05)) <= 0.05 < detectable(0.2, clusters_needed(0.2, 0.05) - 1)
    assert clusters_needed(0.2, 0.001) == 100_000
    assert clusters_needed(0.2, 5.0) == 2
    assert detectable(0.2, 1) == inf
    with pytest.raises(ValueError):
        clusters_needed(0.2, 0.0)


def test_the_spread_of_differences_from_one_revision() -> None:
    """Beta levels, three runs, a change that differs from prompt to prompt: the difference of two revisions has that spread."""
    draw = np.random.default_rng(5)
    level = draw.beta(6, 2, 200_000)
    moved = np.clip(level + draw.normal(0, 0.02, level.size), 0, 1)
    base, head = draw.binomial(3, level) / 3, draw.binomial(3, moved) / 3
    found = difference_sd([(float(one), 3) for one in base[:20_000]], change=0.02)
    assert found == pytest.approx(float(np.std(head - base)), rel=0.02)
    assert difference_sd([(1.0, 1), (0.0, 1)]) is None
    assert difference_sd([(1.0, 3)] * 5) == pytest.approx(0.1)  # that nothing varied is not that nothing will


@given(st.lists(UNIT, min_size=1, max_size=12))
def test_false_discoveries_are_theirs(ps: list[float]) -> None:
    assert benjamini_hochberg(ps) == pytest.approx(theirs.false_discovery_control(ps))


def test_nothing_to_adjust() -> None:
    assert benjamini_hochberg([]) == ()


@pytest.mark.parametrize(("n", "low", "high"), [(6, 1, 6), (8, 1, 8), (9, 2, 8), (20, 6, 15), (25, 8, 18)])
def test_a_median_lies_between_the_values_of_the_tables(n: int, low: int, high: int) -> None:
    """Ranks as tables of the sign test give them."""
    got = median_of([float(one) for one in range(n, 0, -1)])
    assert got.interval[:2] == (low, high)
    outside = 2 * theirs.binom.cdf(low - 1, n, 0.5)
    assert outside <= 0.05 < outside + 2 * theirs.binom.pmf(low, n, 0.5)


def test_few_values_have_a_median_and_no_interval() -> None:
    assert median_of([]) is None
    assert median_of([3.0, 1.0, 2.0]) == (2.0, None)
    assert median_of([1.0] * 5).interval is None


def test_bets_by_hand() -> None:
    """Threshold ½: the stake is capped at 1, so a 1 makes 1·(1 + ½) above and ½ below; the next the same again."""
    state = BettingState(0.5).after(1.0)
    assert (state.above, state.below, state.said) == (1.5, 0.5, None)
    assert state.after(1.0).above == pytest.approx(2.25)
    sure = sequential_test([1.0] * 50, 0.5)
    assert (sure.said, sure.seen) == ("above", 8)  # 1.5^8 is the first above 20
    assert sequential_test([0.0] * 50, 0.5).said == "below"
    assert sequential_test([0.0, 1.0] * 50, 0.5).said is None


def test_what_was_said_stays_said() -> None:
    state = sequential_test([1.0] * 50, 0.5)
    for _ in range(100):
        state = state.after(0.0)
    assert state.said == "above"
    for wrong in (1.1, -0.1):
        with pytest.raises(ValueError):
            state.after(wrong)


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.95])
def test_bets_on_a_mean_at_the_threshold_are_rarely_won(threshold: float) -> None:
    """At most 5 in 100 each, whatever the spread, looking after each of 60: the bound of a binomial of 500 at 5 % is 8 %."""
    draw = random.Random(8)
    ends = [sequential_test([float(draw.random() < threshold) for _ in range(60)], threshold).said for _ in range(500)]
    assert ends.count("above") <= 40
    assert ends.count("below") <= 40


@pytest.mark.parametrize(("rate", "said"), [(0.2, "below"), (0.5, "below"), (1.0, None)])
def test_bets_far_from_the_threshold_are_won_soon(rate: float, said: str | None) -> None:
    draw = random.Random(9)
    ends = [
        sequential_test([sum(draw.random() < rate for _ in range(3)) / 3 for _ in range(40)], 0.8) for _ in range(50)
    ]
    if said:
        assert sum(one.said == said for one in ends) >= 48
        assert sorted(one.seen for one in ends)[25] < 12
    else:
        assert {one.said for one in ends} <= {"above", None}
