"""Composite, badge and label for every combination of layers: all numbers worked out by hand."""

import asyncio

import pytest

from plugin_eval_ci.evals.layers import model_layers
from plugin_eval_ci.evals.llm.request import Failure
from plugin_eval_ci.scoring.composite import composite_of
from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.scoring.layer_details import Details
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults, nothing_measured, reasons_of
from plugin_eval_ci.scoring.report import skill_report
from tests.evals.layers.conftest import full


def layer(name, complete=True, **scores):
    values = tuple(DimensionValue(key, value) for key, value in scores.items())
    return Measurement(name, 0.5, (), values, details=Details(complete=complete))


STATIC = layer(
    "static", triggering_accuracy=0.8, orchestration_fitness=0.6, progressive_disclosure=0.5, token_efficiency=0.9,
    structural_completeness=0.7, ecosystem_coherence=0.4,
)  # fmt: skip
JUDGE = layer("judge", triggering_accuracy=0.6, orchestration_fitness=0.75, output_quality=0.5, scope_calibration=1.0)
RUNS = layer("monte_carlo", triggering_accuracy=0.9, output_quality=0.8, token_efficiency=0.7, robustness=0.95)


@pytest.mark.parametrize("depth", ["standard", "deep", "thorough"])
@pytest.mark.parametrize(
    ("layers", "score", "badge", "with_two_flags", "badge_then"),
    [
        ((STATIC,), 68.636364, "bronze", 61.772727, "bronze"),  # 0.453 / 0.66
        ((STATIC, JUDGE), 69.139785, "bronze", 62.225806, "bronze"),  # 0.643 / 0.93
        ((STATIC, RUNS), 73.70155, "silver", 66.331395, "bronze"),  # 0.633833 / 0.86
        ((STATIC, JUDGE, RUNS), 75.977891, "silver", 68.380102, "bronze"),  # 0.744583 / 0.98
        ((JUDGE,), 68.75, "bronze", 61.875, "bronze"),  # 0.495 / 0.72
        ((RUNS,), 85.196078, "gold", 76.676471, "silver"),  # 0.4345 / 0.51
        ((JUDGE, RUNS), 80.053154, "gold", 72.047838, "silver"),  # 0.664441 / 0.83
        ((), None, "no_badge", None, "no_badge"),
    ],
)
def test_every_combination(depth, layers, score, badge, with_two_flags, badge_then):
    by_name = {one.layer: one for one in layers}
    result = composite_of(depth_named(depth), by_name, 0)
    assert (None if result.score is None else round(result.score, 6), result.badge) == (score, badge)
    result = composite_of(depth_named(depth), by_name, 2)
    assert (None if result.score is None else round(result.score, 6), result.badge) == (with_two_flags, badge_then)
    assert result.ci_lower is None and result.ci_upper is None


@pytest.mark.parametrize(
    ("missing", "score"),
    [
        ("triggering_accuracy", 72.5),  # T falls back to static: 0.2 instead of 0.16875: 0.67425 / 0.93
        ("orchestration_fitness", 66.317204),  # 0.12 instead of 0.14625: 0.61675 / 0.93
        ("output_quality", 72.820513),  # 0.568 / 0.78
        ("scope_calibration", 64.567901),  # 0.523 / 0.81
    ],
)
def test_a_judge_that_is_silent_about_one_dimension(missing, score):
    left = JUDGE._replace(dimensions=tuple(value for value in JUDGE.dimensions if value.name != missing))
    result = composite_of(depth_named("standard"), {"static": STATIC, "judge": left}, 0)
    assert round(result.score, 6) == score


@pytest.mark.parametrize(
    ("score", "badge"),
    [(0.9, "platinum"), (0.89999, "gold"), (0.8, "gold"), (0.7, "silver"), (0.6, "bronze"), (0.59, "no_badge")],
)
@pytest.mark.parametrize("depth", ["quick", "standard", "deep", "thorough"])
def test_badges_at_every_depth(depth, score, badge):
    names = [[value.name for value in one.dimensions] for one in (STATIC, JUDGE, RUNS)]
    layers = {
        one.layer: layer(one.layer, **dict.fromkeys(mine, score))
        for one, mine in zip((STATIC, JUDGE, RUNS), names, strict=True)
    }
    wanted = {name: one for name, one in layers.items() if name in depth_named(depth).layers}
    assert composite_of(depth_named(depth), wanted, 0).badge == badge


NO_JUDGE, NO_RUNS = Unmeasured("judge", "no key"), Unmeasured("monte_carlo", "no run ended well")


@pytest.mark.parametrize(
    ("depth", "layers", "label"),
    [
        ("quick", (), "Estimated"),
        ("standard", (JUDGE,), "Assessed"), ("standard", (NO_JUDGE,), "Estimated"),
        ("standard", (layer("judge", complete=False, output_quality=1.0),), "Estimated"),
        ("deep", (JUDGE, RUNS), "Certified"), ("deep", (JUDGE, NO_RUNS), "Assessed"),
        ("deep", (NO_JUDGE, RUNS), "Estimated"), ("deep", (NO_JUDGE, NO_RUNS), "Estimated"),
        ("deep", (JUDGE, RUNS._replace(details=Details(complete=False))), "Assessed"),
        ("thorough", (JUDGE, RUNS), "Certified+"), ("thorough", (JUDGE, NO_RUNS), "Assessed"),
        ("thorough", (NO_JUDGE, RUNS), "Estimated"),
    ],
)  # fmt: skip
def test_labels_name_what_really_ran(depth, layers, label):
    asked = ModelResults(depth_named(depth), layers)
    assert asked.ran.label == label
    assert asked.complete == (asked.ran.name == depth)


def test_reasons_name_the_layer_and_why():
    silent = JUDGE._replace(dimensions=JUDGE.dimensions[:2], silent=(("output_quality", "refusal: no"),))
    reasons = reasons_of(ModelResults(depth_named("deep"), (silent, NO_RUNS)))
    assert (
        reasons["output_quality"]
        == "the judge layer: refusal: no; the Monte Carlo layer did not measure: no run ended well"
    )
    assert reasons["robustness"] == "the Monte Carlo layer did not measure: no run ended well"
    assert "scope_calibration" not in reasons and "progressive_disclosure" not in reasons
    assert set(reasons_of(nothing_measured("standard", "no key"))) == {
        "triggering_accuracy", "orchestration_fitness", "output_quality", "scope_calibration",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("depth", "label", "calls"),
    [("standard", "Assessed", 4), ("deep", "Certified", 55), ("thorough", "Certified+", 105)],
)
def test_a_whole_depth(skill, depth, label, calls):
    ask, one = full(), skill()
    asked = asyncio.run(model_layers(one, depth, ask))
    report = skill_report(one, (), asked)
    assert report.composite.confidence_label == label and report.depth.name == depth
    assert len(ask.asked) == calls and report.unmeasured == ()


def test_an_outage_gives_the_static_score(skill):
    one, ask = skill(), full()
    for purpose in ("triggering_accuracy", "orchestration_fitness", "output_quality", "scope_calibration"):
        ask.say(f"judge:{purpose}", Failure("infra_error", "overloaded"))
    ask.say("monte_carlo:run", Failure("infra_error", "overloaded"))
    report, alone = skill_report(one, (), asyncio.run(model_layers(one, "deep", ask))), skill_report(one, ())
    assert report.composite.score == alone.composite.score and report.composite.confidence_label == "Estimated"
    assert [layer.layer for layer in report.unmeasured] == ["judge", "monte_carlo"]
    row = next(row for row in report.composite.dimensions if row.name == "robustness")
    assert row.score is None and "overloaded" in row.reason
