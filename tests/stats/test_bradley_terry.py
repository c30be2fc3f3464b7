"""Ratings against the package `choix`, planted strengths, and what an order must not change."""

from __future__ import annotations

import random
from math import exp, log10

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin_eval_ci.stats import Duel, fit
from plugin_eval_ci.stats.bradley_terry import POINTS

TRUE = {"a": 1.0, "b": 0.4, "c": 0.0, "d": -0.5, "e": -0.9}


def played(tasks: int, position: float = 0.0, seed: int = 1, tie: float = 0.0) -> list[Duel]:
    """Everybody against everybody, both ways round, on each task."""
    draw = random.Random(seed)
    duels = []
    for task in range(tasks):
        for one in TRUE:
            for other in TRUE:
                if one != other:
                    chance = 1 / (1 + exp(-(TRUE[one] - TRUE[other] + position)))
                    outcome = 0.5 if draw.random() < tie else float(draw.random() < chance)
                    duels.append(Duel(one, other, outcome, f"task {task}"))
    return duels


def test_it_is_theirs() -> None:
    duels = played(40)
    names = sorted(TRUE)
    won = [(one, other) if outcome else (other, one) for one, other, outcome, _ in duels]
    theirs = choix.ilsr_pairwise(5, [(names.index(one), names.index(other)) for one, other in won], alpha=0.0)
    ours = fit(duels)
    assert [one.rating for one in ours.standings] == pytest.approx([1500 + POINTS * value for value in theirs], abs=2)


def test_a_position_is_found_and_taken_out() -> None:
    found = fit(played(200, position=0.6))
    assert found.position == pytest.approx(0.6 * POINTS, abs=25)
    for standing in found.standings:
        assert standing.rating == pytest.approx(1500 + POINTS * TRUE[standing.name], abs=30)
        assert standing.low < standing.rating < standing.high
    assert fit(played(200)).position == pytest.approx(0, abs=25)


def test_by_hand() -> None:
    """Three wins of four, both ways round alike: odds of three to one are 400·log10(3) = 190.8 points between them; the ridge takes
    a little off."""
    duels = [Duel("a", "b", 1, "1"), Duel("a", "b", 0.5, "2"), Duel("b", "a", 0, "1"), Duel("b", "a", 0.5, "2")] * 10
    found = fit(duels)
    assert found.of("a").rating - found.of("b").rating == pytest.approx(400 * log10(3), abs=1)
    assert found.position == pytest.approx(0, abs=1e-6)
    assert (found.of("a").wins, found.of("a").ties, found.of("a").losses) == (20, 20, 0)
    assert (found.of("b").wins, found.of("b").ties, found.of("b").losses) == (0, 20, 20)


@settings(deadline=None, max_examples=25)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_duels_changes_not_a_digit(shuffled: random.Random) -> None:
    duels = played(3, position=0.3, tie=0.2)
    expected = fit(duels)
    shuffled.shuffle(duels)
    assert fit(duels) == expected


def test_only_ties_are_all_alike() -> None:
    for standing in fit(played(4, tie=1.0)).standings:
        assert standing.rating == pytest.approx(1500)


def test_who_never_lost_has_a_finite_rating() -> None:
    found = fit(
        [Duel("a", "b", 1.0, str(task)) for task in range(9)] + [Duel("b", "a", 0.0, str(task)) for task in range(9)]
    )
    assert 1700 < found.of("a").rating < 3000
    assert found.of("a").rating + found.of("b").rating == pytest.approx(3000)


def test_the_middle_is_that_of_the_anchors() -> None:
    duels = played(30)
    free, anchored = fit(duels), fit(duels, frozenset("bcde"))
    assert np.mean([one.rating for one in anchored.standings if one.name in "bcde"]) == pytest.approx(1500)
    gap = free.of("a").rating - free.of("e").rating
    assert anchored.of("a").rating - anchored.of("e").rating == pytest.approx(gap, abs=15)


def test_an_anchor_that_lost_its_few_duels_does_not_move_the_middle() -> None:
    """Three that were met even, and one that lost all of its four: without being drawn to the middle it would lie a thousand below,
    and everybody else hundreds above."""
    wins = {"x": (1.0, 0.0), "y": (1.0, 0.0), "z": (1.0, 0.0), "w": (1.0, 1.0)}
    duels = []
    for task, (one, won) in enumerate((one, won) for one, outcomes in wins.items() for won in outcomes):
        duels += [Duel("subject", one, won, str(task)), Duel(one, "subject", 1 - won, str(task))]
    alone, anchored = fit(duels), fit(duels, frozenset("wxyz"))
    others = np.mean([alone.of(one).rating for one in "wxyz"])
    assert alone.of("subject").rating - others > 200
    assert 1520 < anchored.of("subject").rating < 1620


def test_clusters_widen_the_interval() -> None:
    """The same verdict on both ways round and five times over: forty rows of each pair, but eight tasks."""
    draw = random.Random(5)
    rows = [(str(task), float(draw.random() < 0.7)) for task in range(16)]
    together = [duel for task, won in rows for duel in [Duel("a", "b", won, task), Duel("b", "a", 1 - won, task)] * 5]
    apart = [duel._replace(task=f"{duel.task} {number}") for number, duel in enumerate(together)]
    one, other = fit(together).of("a"), fit(apart).of("a")
    assert one.rating == pytest.approx(other.rating)
    assert one.high - one.low > 2 * (other.high - other.low)


def test_one_task_gives_no_interval() -> None:
    found = fit(played(1))
    assert found.tasks == 1
    assert {(one.low, one.high) for one in found.standings} == {(None, None)}


def test_groups_that_never_met() -> None:
    duels = [Duel("a", "b", 1.0, "1"), Duel("b", "a", 1.0, "2"), Duel("x", "y", 1.0, "1"), Duel("y", "x", 0.5, "2")]
    found = fit(duels)
    assert found.groups == (("a", "b"), ("x", "y"))
    for group in found.groups:  # each has its own middle
        assert np.mean([found.of(name).rating for name in group]) == pytest.approx(1500)
    assert fit([*duels, Duel("b", "x", 0.5, "3")]).groups == (("a", "b", "x", "y"),)


@pytest.mark.parametrize("duels", [[], [Duel("a", "a", 1.0, "1")]])
def test_no_duel_and_one_with_itself(duels: list[Duel]) -> None:
    with pytest.raises(ValueError, match="needs duels"):
        fit(duels)
