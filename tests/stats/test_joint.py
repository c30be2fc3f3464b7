"""The joint interval: of one number it is that number's own, of several it knows what they share."""

from __future__ import annotations

import random
from math import sqrt

import numpy as np
import pytest
from jointly import joint
from scipy import stats as theirs

from plugin_eval_ci.stats import Source, clustered_wilson
from plugin_eval_ci.stats.intervals import Interval


def means(*names: str):
    def values(items):
        return {name: sum(one[place] for one in items) / len(items) for place, name in enumerate(names)}

    return values


def own(low: float, high: float) -> Interval:
    return Interval(low, high, "wilson", 10, 10.0)


def column(n: int, seed: int) -> list[tuple[float, ...]]:
    draw = random.Random(seed)
    return [(draw.random(),) for _ in range(n)]


def test_of_one_number_it_is_its_own() -> None:
    source = Source([column(30, 1)], means("x"), {"x": own(0.2, 0.6)})
    assert 0.2 < source.values(source.items)["x"] < 0.6
    got = joint([source], lambda values: values["x"], seed=1, resamples=4_000)
    assert got[:2] == pytest.approx((0.2, 0.6), abs=0.02)
    assert got.method == "joint_bootstrap"


def test_without_its_own_it_is_the_bootstrap_widened() -> None:
    items = column(12, 2)
    got = joint([Source([items], means("x"))], lambda values: values["x"], seed=1, resamples=8_000)
    plain = theirs.bootstrap(
        (np.array(items)[:, 0],), np.mean, n_resamples=8_000, method="percentile", rng=1
    ).confidence_interval
    middle = float(np.mean(items))
    wide = sqrt(12 / 11) * theirs.t.ppf(0.975, 11) / theirs.norm.ppf(0.975)
    assert got[:2] == pytest.approx(
        (middle + (plain.low - middle) * wide, middle + (plain.high - middle) * wide), abs=0.01
    )


@pytest.mark.parametrize("shared", [True, False])
def test_numbers_of_the_same_things_err_together(shared: bool) -> None:
    """Two means of the same things err twice as far as one; of different things, √2 times."""
    items = [(one[0], one[0]) for one in column(30, 3)]
    middle = sum(one[0] for one in items) / 30
    intervals = {name: own(middle - 0.1, middle + 0.1) for name in "xy"}
    if shared:
        sources = [Source([items], means("x", "y"), intervals)]
    else:
        sources = [Source([[one[:1] for one in items]], means(name), {name: intervals[name]}) for name in "xy"]
    got = joint(sources, lambda values: values["x"] + values["y"], seed=1, resamples=6_000)
    half = 0.2 if shared else 0.1 * sqrt(2)
    assert got[:2] == pytest.approx((2 * middle - half, 2 * middle + half), abs=0.015)


def test_where_no_draw_differs_the_interval_still_has_a_width() -> None:
    items = [(1.0,)] * 20
    wilson = clustered_wilson({str(n): list(one) for n, one in enumerate(items)})
    got = joint([Source([items], means("x"), {"x": wilson})], lambda values: values["x"], seed=1)
    assert got.low == pytest.approx(wilson.low, abs=0.02)
    assert got.high == 1.0


def test_both_ends_hold_the_value_where_many_numbers_stand_at_their_ceiling() -> None:
    """Each can only have been too high, so their sum can fall and not rise, and draws must not say that it has fallen."""
    wilson = clustered_wilson({str(n): [1.0] for n in range(10)})
    sources = [Source([[(1.0,)] * 10], means(name), {name: wilson}) for name in "abcdef"]
    got = joint(sources, lambda values: sum(values.values()) / 6, seed=1)
    assert got.high == 1.0
    assert got.low == pytest.approx(1 - (1 - wilson.low) / sqrt(6), abs=0.02)


def test_nothing_varies() -> None:
    assert joint([Source([[(1.0,)] * 5], means("x"))], lambda values: values["x"], seed=1) is None
    assert joint([], lambda values: 0.0, seed=1) is None


def test_strata_are_drawn_apart() -> None:
    """The number of right and wrong prompts is what the labels made it; only which of them they are is chance."""
    seen = []

    def values(items):
        seen.append(sum(one[0] for one in items))
        return {"x": seen[-1]}

    joint([Source([[(1.0,)] * 4, [(0.0,)] * 6], values)], lambda values: values["x"], seed=1, resamples=50)
    assert set(seen) == {4.0}


def test_few_judges_are_allowed_for_once() -> None:
    """Student's t of three things is 4.3; of a sum of ten such numbers it is allowed for as of twenty degrees of freedom."""
    draw = random.Random(11)
    sources = [Source([[(draw.gauss(0, 1),) for _ in range(3)]], means(f"x{n}")) for n in range(10)]
    errors = [float(np.std([one[0] for one in source.items], ddof=1)) / sqrt(3) for source in sources]
    got = joint(sources, lambda values: sum(values.values()), seed=1, resamples=8_000)
    df = sum(one**2 for one in errors) ** 2 / sum(one**4 / 2 for one in errors)
    half = theirs.t.ppf(0.975, df) * sqrt(sum(one**2 for one in errors))
    assert (got.high - got.low) / 2 == pytest.approx(half, rel=0.05)
    alone = joint(sources[:1], lambda values: values["x0"], seed=1, resamples=8_000)
    assert alone.high - alone.low > 3 * 1.5 * errors[0]


def test_the_same_seed_gives_the_same() -> None:
    sources = [Source([column(9, 4)], means("x"))]
    assert joint(sources, lambda values: values["x"], 5) == joint(sources, lambda values: values["x"], 5)
    assert joint(sources, lambda values: values["x"], 5) != joint(sources, lambda values: values["x"], 6)


def test_a_draw_that_says_nothing_counts_as_what_was_seen() -> None:
    def values(items):
        hits = [one[0] for one in items if one[0] > 0]
        return {"x": sum(hits) / len(hits)} if hits else {}

    got = joint([Source([[(0.0,), (0.5,), (0.7,)]], values)], lambda values: values["x"], seed=1)
    assert got.low < 0.6 < got.high
