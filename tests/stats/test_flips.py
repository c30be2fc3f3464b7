"""The sign-flip test: against its definition, and what it promises."""

from __future__ import annotations

import itertools
import random

import pytest

from plugin_eval_ci.stats.hypothesis_tests import flips


def by_definition(differences: list[float]) -> float:
    """The share of all ways to give signs that sum to less than what was seen, and half of those that sum to the same."""
    seen = sum(differences)
    sums = [
        sum(sign * one for sign, one in zip(way, differences, strict=True))
        for way in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum((one < seen - 1e-9) + 0.5 * (abs(one - seen) <= 1e-9) for one in sums) / len(sums)


@pytest.mark.parametrize("seed", range(10))
def test_it_is_the_share_of_sign_flips(seed: int) -> None:
    draw = random.Random(seed)
    some = [draw.choice((-1, -2 / 3, -1 / 3, 0, 1 / 3)) for _ in range(9)]
    assert flips(some).p_fell == pytest.approx(by_definition(some))
    assert flips([-one for one in some]).p_rose == pytest.approx(by_definition(some))


def test_scipy_says_the_same_of_what_is_too_much_to_look_at() -> None:
    from scipy import stats

    draw = random.Random(5)
    some = [draw.gauss(-0.04, 0.2) for _ in range(40)]
    test = stats.permutation_test(
        (some,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", alternative="less", n_resamples=20_000
    )
    assert flips(some).p_fell == pytest.approx(test.pvalue, abs=0.02)


@pytest.mark.parametrize("size", [5, 8, 13, 14, 40])
def test_the_bound_and_the_test_say_the_same(size: int) -> None:
    draw = random.Random(size)
    below = 0
    for _ in range(60):
        found = flips([draw.gauss(-0.1, 0.2) for _ in range(size)])
        assert (found.high <= 0) == (found.p_fell <= 0.05)
        assert (found.low >= 0) == (found.p_rose <= 0.05)
        assert found.low <= found.mean <= found.high
        below += found.high <= 0
    assert 0 < below < 60


@pytest.mark.parametrize("size", [8, 13, 14, 30])
def test_raising_a_difference_lowers_nothing(size: int) -> None:
    draw = random.Random(size)
    for _ in range(60):
        some = [draw.choice((-1, -1 / 3, 0, 0, 1 / 3)) for _ in range(size)]
        place = draw.randrange(size)
        more = [*some[:place], some[place] + draw.choice((1 / 3, 2 / 3, 1.5)), *some[place + 1 :]]
        one, other = flips(some), flips(more)
        assert other.p_fell >= one.p_fell
        assert other.low >= one.low - 1e-9
        assert other.high >= one.high - 1e-9


def test_few_differences_bound_nothing() -> None:
    assert flips([-1.0] * 3).high == float("inf")
    assert flips([-1.0] * 5).high == -1.0


def test_nothing_moved() -> None:
    found = flips([0.0] * 20)
    assert (found.p_fell, found.p_rose, found.mean) == (0.5, 0.5, 0.0)


def test_no_differences() -> None:
    with pytest.raises(ValueError, match="no differences"):
        flips([])


@pytest.mark.parametrize("size", [12, 24])
def test_false_alarms_are_as_many_as_promised(size: int) -> None:
    draw, alarms, repetitions = random.Random(1), 0, 600
    for _ in range(repetitions):
        rates = [draw.betavariate(1.5, 0.8) for _ in range(size)]
        some = [
            sum(draw.random() < p for _ in range(3)) / 3 - sum(draw.random() < p for _ in range(3)) / 3 for p in rates
        ]
        alarms += flips(some).p_fell <= 0.05
    assert 0.02 <= alarms / repetitions <= 0.05 + 3 * (0.05 * 0.95 / repetitions) ** 0.5
