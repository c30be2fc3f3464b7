"""Which intervals hold what they promise where runs of a prompt resemble each other; the whole table is `make stats`."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from plugin_eval_ci.stats import bootstrap_mean

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import stats as tool

REPETITIONS = 200


def coverage(design: tool.Design) -> dict[str, float]:
    return dict(zip(tool.METHODS[design.what], tool.simulate(design, REPETITIONS, 1).coverage, strict=True))


@pytest.mark.parametrize(("runs", "mean"), [(50, 0.8), (50, 0.9), (100, 0.8)])
def test_a_plain_interval_of_repeated_prompts_is_too_short_and_a_clustered_one_is_not(runs: int, mean: float) -> None:
    held = coverage(tool.Design("rate", runs, mean, 0.5))
    assert held["Wilson (documented)"] < 0.90
    assert held["clustered Wilson"] >= 0.92


@pytest.mark.parametrize("mean", [0.8, 0.9])
def test_where_runs_are_independent_both_hold(mean: float) -> None:
    held = coverage(tool.Design("rate", 50, mean, 0.0))
    assert held["Wilson (documented)"] >= 0.92
    assert held["clustered Wilson"] >= 0.92


def test_quality_near_its_ceiling() -> None:
    held = coverage(tool.Design("quality", 50, 0.9, 0.5))
    assert held["bootstrap (documented)"] < held["clustered bootstrap"] < held["clustered Wilson"]
    assert held["clustered Wilson"] >= 0.92


def test_failures() -> None:
    assert coverage(tool.Design("failures", 100, 0.1, 0.5))["Clopper-Pearson (documented)"] < 0.8
    assert coverage(tool.Design("failures", 100, 0.1, 0.0))["Clopper-Pearson (documented)"] >= 0.92


def test_a_rating_of_comparisons_that_resemble_each_other() -> None:
    got = tool.simulate_rating(tool.Field(2, 1.0, 1.0, 0.5), REPETITIONS, 1)
    assert got.plain < 0.88
    assert got.clustered >= 0.88
    assert abs(got.error) < 40


def test_without_the_ridge_of_the_references_a_rating_is_too_high(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plugin_eval_ci.stats.bradley_terry.ANCHOR_RIDGE", 0.01)
    got = tool.simulate_rating(tool.Field(2, 1.0, 1.0, 0.5), REPETITIONS, 1)
    assert got.error > 50
    assert got.clustered < 0.88


def test_the_tool_draws_as_the_shipped_bootstrap_does() -> None:
    data = tool.draw_clusters(tool.Design("quality", 50, 0.6, 0.5), random.Random(2))
    shipped = bootstrap_mean(tool.pooled(data), 1, 4_000)
    assert tool.plain_bootstrap(data, 1) == pytest.approx(shipped[:2], abs=0.03 * 0.4 + 0.01)


def test_the_tool_draws_clusters_whole() -> None:
    """Ten prompts that always answer alike: repeating them must not narrow the interval; a larger cluster weighs more."""
    clusters = {str(number): [number / 10] for number in range(10)}
    repeated = {name: values * 5 for name, values in clusters.items()}
    low, high = tool.clustered_bootstrap(repeated, 1)
    assert (low, high) == pytest.approx(tool.clustered_bootstrap(clusters, 1))
    plain = tool.plain_bootstrap(repeated, 1)
    assert plain[1] - plain[0] < 0.6 * (high - low)
    assert tool.drawn_again([9.0, 0.0], [9, 1], 1) == (0.0, 1.0)


def test_designs() -> None:
    """15 prompts repeat to 50 and to 100 runs; what is drawn has the mean and the likeness that it says."""
    assert tool.Design("rate", 50, 0.8, 0.5).sizes == [4] * 5 + [3] * 10
    assert tool.Design("rate", 100, 0.8, 0.5).sizes == [7] * 10 + [6] * 5
    draw = random.Random(3)
    drawn = [list(tool.draw_clusters(tool.Design("rate", 50, 0.8, 0.5), draw).values()) for _ in range(400)]
    runs = [value for data in drawn for values in data for value in values]
    assert sum(runs) / len(runs) == pytest.approx(0.8, abs=0.015)
    pairs = [(values[0] - 0.8) * (values[1] - 0.8) for data in drawn for values in data]
    assert sum(pairs) / len(pairs) / (0.8 * 0.2) == pytest.approx(0.5, abs=0.06)


def test_the_page_shows_a_table_of_the_tool() -> None:
    page = tool.PAGE.read_text(encoding="utf-8")
    shown = page.split(tool.generated.BEGIN.format("coverage"))[1].split(tool.generated.END.format("coverage"))[0]
    assert "2,000 repetitions of each row, seed 20261130, by `make stats`." in shown
    for design in tool.DESIGNS:
        assert f"| {design.runs} | {design.mean:.2f} | {design.icc:g} |" in shown
    assert sum(line.startswith("| ") for line in shown.splitlines()) == len(tool.DESIGNS) + len(tool.FIELDS) + 2 * 4
