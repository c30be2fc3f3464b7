"""Small versions of the tables of trials in `make stats`. Bounds are three standard errors of a share of that many repetitions: a method
that holds the truth in 95 of 100 cases fails them once in a thousand, one that does so in 85 nearly always."""

from __future__ import annotations

import sys
from math import sqrt
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import stats_composite
import stats_gate
import stats_tables
import stats_trials
from simulated_plugin import Nature, Skills
from stats_gate import Change, Stop

from plugin_eval_ci.evals.trials.layer_values import draws_of
from plugin_eval_ci.scoring.measured import ends_of
from plugin_eval_ci.stats import ends

ONE = ("p:a",)
REPETITIONS = 150


def least(share: float, n: int = REPETITIONS) -> float:
    return share - 3 * sqrt(share * (1 - share) / n)


def most(share: float, n: int = REPETITIONS) -> float:
    return share + 3 * sqrt(share * (1 - share) / n)


@pytest.mark.parametrize(
    "design",
    [
        stats_trials.Trials("as usual", Skills(ONE)),
        stats_trials.Trials("near perfect", Skills(ONE, recall=0.97, false=0.02)),
        stats_trials.Trials("few", Skills(ONE, positives=8, negatives=8, recall=0.5, false=0.3)),
        stats_trials.Trials("families", Skills(ONE, family=2)),
        stats_trials.Trials("harder", Skills(ONE), 3, Nature(1.5, 0.3, 0.1)),
    ],
    ids=lambda design: design.what,
)
def test_the_numbers_of_triggering_hold_the_truth(design: stats_trials.Trials) -> None:
    row = stats_trials.simulate(design, REPETITIONS, 1)
    for name, held in zip(stats_trials.NUMBERS, row.shipped, strict=True):
        if held.n:
            assert held.coverage >= least(0.95, held.n), name
            assert held.width < 0.75


def test_what_is_usual_does_not() -> None:
    """Runs as if independent where prompts differ much; F1 of prompts drawn again where nearly every run agrees."""
    differ = stats_trials.simulate(stats_trials.Trials("", Skills(ONE, icc=0.6)), REPETITIONS, 1)
    assert differ.plain.coverage < least(0.95) < differ.shipped[0].coverage
    perfect = stats_trials.simulate(stats_trials.Trials("", Skills(ONE, recall=0.97, false=0.02)), REPETITIONS, 1)
    assert perfect.drawn.coverage < least(0.95) < perfect.shipped[2].coverage


def test_the_cells_of_a_matrix_hold_the_truth() -> None:
    row = stats_trials.simulate_matrix(stats_trials.FIELDS[0], 60, 1)
    assert sum(value for value, _ in row.cells) == pytest.approx(1)
    for value, held in row.cells:
        assert held.n == 60 * 5
        assert held.coverage >= least(0.95, held.n), value


@pytest.mark.parametrize("design", [stats_trials.Help(8, 3, 0.5, 0.2, 0.4), stats_trials.Help(12, 2, 0.75, 0.2, 0.4)])
def test_lift_holds_the_truth_by_tasks_and_not_by_pairs(design: stats_trials.Help) -> None:
    row = stats_trials.simulate_help(design, 500, 1)
    assert row.shipped.coverage >= least(0.95, 500)
    assert row.plain.coverage < row.shipped.coverage - 0.03


@pytest.mark.parametrize("design", stats_composite.WHOLES[1:], ids=lambda design: design.what)
def test_a_composite_holds_the_truth_and_is_no_wider_than_that_takes(design: stats_composite.Whole) -> None:
    row = stats_composite.simulate_whole(design, 60, 1)
    assert row.shipped.coverage >= least(0.95, 60)
    assert row.shipped.width < 14


def test_a_composite_is_the_straight_line_that_the_simulation_takes_it_for() -> None:
    values = stats_composite.true_values(stats_composite.WHOLES[0])
    slopes = stats_composite.slopes_at(values)
    other = {name: 0.3 + 0.05 * place for place, name in enumerate(values)}
    line = stats_composite.composite(values) + sum(slopes[name] * (other[name] - values[name]) for name in values)
    assert line == pytest.approx(stats_composite.composite(other), abs=0.03)


def test_the_interval_is_the_one_that_reports_show() -> None:
    """``ends_of`` computes every composite anew; the simulation takes the straight line."""
    design = stats_composite.WHOLES[1]
    drawn = draws_of(7, *stats_composite.draw_parts(design, "7"), 200)
    middle = stats_composite.true_values(design)
    slopes, truth = stats_composite.slopes_at(middle), stats_composite.composite(middle)
    line = ends(drawn, lambda values: truth + sum(slopes[name] * (values[name] - middle[name]) for name in middle))
    shown = ends_of(stats_composite.MEASURED, stats_composite.layers_of(drawn.seen), 0, drawn)
    assert shown == pytest.approx((line.low, line.high), abs=0.03)


@pytest.mark.parametrize("design", [Change(15), Change(40), Change(60), Change(40, moves=0.1)])
def test_the_gate_rarely_calls_what_did_not_change_a_regression(design: Change) -> None:
    row = stats_gate.simulate_change(design, 400, 1)
    assert row.regression <= most(0.05, 400)
    assert row.flips <= most(0.1, 200)


def test_that_the_mean_is_lower_is_no_test() -> None:
    assert stats_gate.simulate_change(Change(20), 400, 1).plain > most(0.05, 400)


@pytest.mark.parametrize("moves", [0.0, 0.1])
def test_the_gate_finds_a_drop_of_ten_points(moves: float) -> None:
    row = stats_gate.simulate_change(Change(40, mean=0.9, icc=0.5, drop=0.1, moves=moves), 400, 1)
    assert row.regression >= least(0.8, 400)
    assert row.fine <= 0.01


def test_what_the_gate_calls_detectable_it_detects() -> None:
    """Drops of the size that is printed are found in about four of five cases."""
    seen = stats_gate.simulate_change(Change(40, drop=0.11), 400, 1)
    assert seen.detectable == pytest.approx(0.11, abs=0.02)
    assert least(0.7, 400) <= seen.regression <= most(0.9, 400)


def test_many_unchanged_skills_are_rarely_a_regression_together() -> None:
    assert stats_gate.simulate_plugin(10, 100, 1) <= most(0.05, 100)


@pytest.mark.parametrize(("mean", "saved"), [(0.4, 0.6), (0.6, 0.35)])
def test_a_bad_skill_costs_little(mean: float, saved: float) -> None:
    row = stats_gate.simulate_stop(Stop(mean), REPETITIONS, 1)
    assert row.below >= 0.8
    assert row.above <= 0.01
    assert row.waves >= saved
    assert row.saved > row.waves


def test_at_the_threshold_bets_are_rarely_won() -> None:
    row = stats_gate.simulate_stop(Stop(0.8, prompts=400), REPETITIONS, 1)
    assert row.below <= most(0.05)
    assert row.above <= most(0.05)


def test_changes_have_the_mean_that_they_say() -> None:
    import random

    for design in stats_gate.CHANGES:
        draw = random.Random(1)
        sides = [stats_gate.draw_change(design._replace(clusters=4_000), draw) for _ in range(2)]
        drop = sum(sum(base.values()) - sum(head.values()) for base, head in sides) / 8_000
        assert drop == pytest.approx(design.drop, abs=0.025), design


def test_the_page_shows_the_tables_of_the_tool() -> None:
    import stats as tool

    page = tool.PAGE.read_text(encoding="utf-8")
    shown = page.split(tool.generated.BEGIN.format("trials"))[1].split(tool.generated.END.format("trials"))[0]
    assert (
        "2,000 repetitions of each row (500 of matrices, composites and the plugin), seed 20261130, by `make stats`."
        in shown
    )
    rows = [
        stats_trials.DESIGNS,
        stats_trials.FIELDS,
        stats_trials.HELPS,
        stats_composite.WHOLES,
        stats_gate.CHANGES,
        stats_gate.STOPS,
    ]
    assert sum(line.startswith("| ") for line in shown.splitlines()) == sum(map(len, rows)) + 2 * len(rows)
    for design in stats_trials.DESIGNS:
        assert f"| {design.what} |" in shown
    assert stats_tables.SKILLS == 10
