"""Intervals of a rate against scipy's, and where observations cluster."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from plugin_eval_ci.stats import clopper_pearson, clustered_wilson, wilson

TRIALS = [(0, 1), (1, 1), (0, 50), (50, 50), (1, 50), (43, 50), (60, 100), (99, 100), (3, 7)]


@pytest.mark.parametrize(("hits", "n"), TRIALS)
@pytest.mark.parametrize(("ours", "theirs"), [(wilson, "wilson"), (clopper_pearson, "exact")])
def test_the_plain_ones_are_those_of_scipy(ours, theirs: str, hits: int, n: int) -> None:
    expected = binomtest(hits, n).proportion_ci(0.95, method=theirs)
    got = ours(hits, n)
    assert (got.low, got.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert (got.n, got.n_eff) == (n, n)


def test_by_hand() -> None:
    """No failure in 50 runs: at most 1 - 0.025^(1/50)."""
    assert clopper_pearson(0, 50)[:2] == pytest.approx((0, 1 - 0.025 ** (1 / 50)))


@pytest.mark.parametrize("ours", [wilson, clopper_pearson])
def test_nothing_seen_is_no_interval(ours) -> None:
    assert ours(0, 0) is None


def test_clusters_by_hand() -> None:
    """Two prompts of two runs, one all right and one half: rate 3/4, sums of deviations +1/2 and -1/2, v = 2·(1/2)/16 = 1/16,
    n_eff = (3/16)/(1/16) = 3."""
    got = clustered_wilson({"a": [True, True], "b": [True, False]})
    assert got.n_eff == pytest.approx(3)
    assert got.n == 4
    assert got.method == "clustered_wilson"
    # The ends are where (rate - p)² = t²·p(1-p)/n_eff; Student's t with one degree of freedom is 12.7062.
    for end in (got.low, got.high):
        assert (0.75 - end) ** 2 == pytest.approx(12.7062**2 * end * (1 - end) / 3, rel=1e-4)


@pytest.mark.parametrize("said", [True, False])
def test_at_the_end_each_cluster_counts_once(said: bool) -> None:
    got = clustered_wilson({str(number): [said] * 3 for number in range(15)})
    assert (got.n, got.n_eff) == (45, 15)
    assert (got.low == 0) is not said
    assert (got.high == 1) is said
    plain = wilson(45 if said else 0, 45)
    assert got.high - got.low > plain.high - plain.low


@pytest.mark.parametrize("clusters", [{}, {"a": [True, False]}, {"a": [True], "b": []}])
def test_fewer_than_two_clusters_say_nothing(clusters) -> None:
    assert clustered_wilson(clusters) is None


def test_identical_clusters_leave_no_spread() -> None:
    """v = 0: the runs of each prompt sum to the same, which must not become an interval without width."""
    got = clustered_wilson({"a": [True, False], "b": [False, True], "c": [True, False]})
    assert got.n_eff == 3
    assert got.low < 0.5 < got.high


def test_runs_that_do_not_cluster_are_worth_about_their_number() -> None:
    draw = random.Random(1)
    got = clustered_wilson({str(number): [draw.random() < 0.8 for _ in range(4)] for number in range(300)})
    assert 900 < got.n_eff <= 1200
    plain = wilson(round(0.8 * 1200), 1200)
    assert got.high - got.low == pytest.approx(plain.high - plain.low, rel=0.25)


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=2, max_size=12))
def test_an_interval_holds_its_rate_and_no_order_matters(groups: list[list[bool]]) -> None:
    got = clustered_wilson({str(number): group for number, group in enumerate(groups)})
    turned = clustered_wilson({str(number): group[::-1] for number, group in enumerate(reversed(groups))})
    rate = sum(map(sum, groups)) / sum(map(len, groups))
    assert 0 <= got.low <= rate <= got.high <= 1
    assert 0 < got.n_eff <= got.n
    assert turned[:2] == pytest.approx(got[:2], abs=1e-12)
