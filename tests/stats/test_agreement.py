"""Alpha against the package `krippendorff`, which others wrote."""

from __future__ import annotations

import random

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plugin_eval_ci.stats import agreement, ordinal_alpha

ANCHORS = (0.0, 0.25, 0.5, 0.75, 1.0)


def theirs(units: list[list[float | None]]) -> float:
    data = np.array([[np.nan if score is None else score for score in unit] for unit in units]).T
    return float(krippendorff.alpha(reliability_data=data, level_of_measurement="ordinal"))


def judged(things: int, judges: int, noise: float, seed: int) -> list[list[float | None]]:
    draw = random.Random(seed)
    rows = []
    for _ in range(things):
        truth = draw.randrange(5)
        row = [min(4, max(0, truth + draw.choice((-1, 1)))) if draw.random() < noise else truth for _ in range(judges)]
        rows.append([ANCHORS[place] for place in row])
    return rows


@pytest.mark.parametrize("noise", [0.1, 0.5, 1.0])
@pytest.mark.parametrize(("things", "judges"), [(4, 2), (30, 3), (60, 5)])
def test_it_is_theirs(noise: float, things: int, judges: int) -> None:
    units = judged(things, judges, noise, things + judges)
    assert ordinal_alpha(units) == pytest.approx(theirs(units), abs=1e-12)


def test_with_gaps_it_is_theirs() -> None:
    units = judged(40, 4, 0.5, 9)
    draw = random.Random(2)
    units = [[None if draw.random() < 0.3 else score for score in unit] for unit in units]
    assert ordinal_alpha(units) == pytest.approx(theirs(units), abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from((*ANCHORS, None)), min_size=3, max_size=3), min_size=2, max_size=10))
def test_whatever_was_said(units: list[list[float | None]]) -> None:
    pairable = [unit for unit in units if sum(score is not None for score in unit) > 1]
    said = {score for unit in pairable for score in unit if score is not None}
    assume(len(said) > 1)
    assert ordinal_alpha(units) == pytest.approx(theirs(units), abs=1e-9)


def test_by_hand() -> None:
    """Two things, two judges: (0, 1) and (1, 1). Ranks: 0 at 0.5, 1 at 2.5, distance² 4. Observed 2·4/4 = 2, expected 2·1·3·4/(4·3)
    = 2: as by chance."""
    assert ordinal_alpha([(0.0, 1.0), (1.0, 1.0)]) == pytest.approx(0)


def test_one_step_apart_is_not_far() -> None:
    """Why ordinal: where judges differ by one step, a nominal measure says that they hardly agree."""
    units = judged(60, 3, 0.6, 5)
    data = np.array(units).T
    assert ordinal_alpha(units) > 0.7
    assert krippendorff.alpha(reliability_data=data, level_of_measurement="nominal") < 0.4


@pytest.mark.parametrize("units", [[(0.5, 0.5), (0.5, 0.5)], [(1.0, 1.0, None)]])
def test_all_equal_agree_by_convention(units) -> None:
    assert ordinal_alpha(units) == 1.0
    assert agreement(units).interval is None  # nothing that varies


@pytest.mark.parametrize("units", [[], [()], [(0.5,)], [(0.5, None), (None, 1.0)]])
def test_nothing_scored_twice_says_nothing(units) -> None:
    assert ordinal_alpha(units) is None
    assert agreement(units) is None


def test_the_interval_holds_alpha_and_narrows() -> None:
    few, many = agreement(judged(20, 3, 0.5, 1)), agreement(judged(200, 3, 0.5, 1))
    for said in (few, many):
        assert said.interval.low < said.alpha < said.interval.high <= 1
    assert few.interval.high - few.interval.low > 1.5 * (many.interval.high - many.interval.low)
    assert (few.units, few.judges, few.enough) == (20, 3, True)
    assert not agreement(judged(19, 3, 0.5, 1)).enough
    assert agreement(judged(20, 3, 0.5, 1)) == few


def test_no_order_of_judges_or_things_matters() -> None:
    units = judged(12, 3, 0.5, 4)
    turned = [unit[::-1] for unit in reversed(units)]
    assert ordinal_alpha(turned) == pytest.approx(ordinal_alpha(units), abs=1e-12)
