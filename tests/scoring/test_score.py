"""Blending, renormalising, badges and grades: numbers worked out by hand."""

import pytest

from plugin_eval_ci.scoring.composite import composite_of, composite_without_dimensions
from plugin_eval_ci.scoring.dimensions import (
    BADGES,
    DEPTHS,
    DIMENSIONS,
    GRADES,
    STATIC_SUB_SCORES,
    badge_named,
    badge_of,
    depth_named,
    grade_of,
    penalty_of,
    round_score,
)
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement

QUICK, STANDARD, DEEP, MEASURED = (depth_named(name) for name in ("quick", "standard", "deep", "measured"))


def layer(name: str, **scores: float) -> Measurement:
    return Measurement(name, 0.0, (), tuple(DimensionValue(key, value) for key, value in scores.items()))


def test_the_tables_add_up():
    assert round_score(sum(row.weight for row in DIMENSIONS)) == 1
    assert round_score(sum(row.weight for row in STATIC_SUB_SCORES)) == 1
    names = {row.name for row in DIMENSIONS}
    assert {row.dimension for row in STATIC_SUB_SCORES if row.dimension} <= names
    assert [depth.label for depth in DEPTHS] == ["Estimated", "Assessed", "Certified", "Certified+", "Measured"]


def test_a_dimension_measured_by_no_layer_takes_no_part():
    result = composite_of(QUICK, {"static": layer("static", triggering_accuracy=0.8, token_efficiency=0.4)}, 0)
    assert result.score == round_score((0.25 * 0.8 + 0.06 * 0.4) / 0.31 * 100)
    row = next(row for row in result.dimensions if row.name == "output_quality")
    assert (row.score, row.grade, row.weighted_score) == (None, None, None)
    assert row.reason
    assert len(result.dimensions) == 10


def test_layers_are_blended_and_renormalised():
    layers = {"static": layer("static", triggering_accuracy=0.4), "judge": layer("judge", triggering_accuracy=0.8)}
    assert composite_of(STANDARD, layers, 0).score == round_score((0.15 * 0.4 + 0.25 * 0.8) / 0.40 * 100)
    layers["monte_carlo"] = layer("monte_carlo", triggering_accuracy=1.0)
    assert composite_of(DEEP, layers, 0).score == round_score((0.15 * 0.4 + 0.25 * 0.8 + 0.60) * 100)


def test_a_layer_says_nothing_where_the_table_has_a_dash():
    layers = {
        "static": layer("static", progressive_disclosure=0.5),
        "judge": layer("judge", progressive_disclosure=1.0),
    }
    assert composite_of(STANDARD, layers, 0).score == 50
    assert composite_of(STANDARD, {"judge": layer("judge", robustness=1.0)}, 0).score is None


def test_code_templates_are_measured_at_measured_only():
    layers = {"static": layer("static", code_template_quality=1.0), "judge": layer("judge", code_template_quality=0.5)}
    assert composite_of(STANDARD, layers, 0).score is None
    assert composite_of(MEASURED, layers, 0).score == 65


def test_the_order_of_layers_is_of_no_account():
    one = {"static": layer("static", triggering_accuracy=0.1), "judge": layer("judge", triggering_accuracy=0.7)}
    assert composite_of(STANDARD, one, 3) == composite_of(STANDARD, dict(reversed(one.items())), 3)


def test_nothing_measured_is_no_number():
    result = composite_of(QUICK, {}, 2)
    assert result.score is None
    assert result.badge == "no_badge"
    assert result.confidence_label == "Estimated"
    assert (result.ci_lower, result.ci_upper) == (None, None)


@pytest.mark.parametrize(
    ("flags", "left"), [(0, 1.0), (1, 0.95), (3, 0.85), (9, 0.55), (10, 0.5), (11, 0.5), (100, 0.5)]
)
def test_penalty(flags, left):
    assert penalty_of(flags) == left
    assert composite_without_dimensions(QUICK, 0.8, flags).score == round_score(80 * left)


def test_a_given_reason_is_kept():
    result = composite_of(STANDARD, {}, 0, reasons={"output_quality": "the judge did not answer"})
    assert next(row.reason for row in result.dimensions if row.name == "output_quality") == "the judge did not answer"


@pytest.mark.parametrize(
    ("score", "badge"),
    [
        (100, "platinum"), (90, "platinum"), (89.99999999999999, "platinum"), (89.999, "gold"), (80, "gold"),
        (79.99999999999999, "gold"),
        (79.99, "silver"), (70, "silver"), (69.99, "bronze"), (60, "bronze"), (59.999, "no_badge"), (0, "no_badge"),
        (None, "no_badge"),
    ],
)  # fmt: skip
def test_badges(score, badge):
    assert badge_of(score).name == badge


@pytest.mark.parametrize(
    ("score", "elo", "badge"),
    [(95, 1600, "platinum"), (95, 1599, "gold"), (95, 1299, "no_badge"), (75, 1700, "silver"), (95, None, "platinum")],
)
def test_a_known_rating_holds_a_badge_back(score, elo, badge):
    assert badge_of(score, elo).name == badge


def test_stars():
    assert [badge.stars for badge in BADGES] == ["★★★★★", "★★★★", "★★★", "★★"]
    assert badge_named("no_badge").stars == "—"


@pytest.mark.parametrize(("letter", "floor"), GRADES)
def test_grades(letter, floor):
    assert grade_of(floor) == letter
    assert grade_of(floor - 1e-11) == letter
    assert grade_of(floor - 1e-6) != letter


def test_the_lowest_grade():
    assert grade_of(59.9) == "F"
    assert grade_of(0) == "F"


def test_0_9_of_everything_is_platinum():
    scores = {row.dimension: 0.9 for row in STATIC_SUB_SCORES if row.dimension}
    result = composite_of(QUICK, {"static": layer("static", **scores)}, 0)
    assert result.score == 90.0
    assert result.badge == "platinum"


def test_rounding():
    assert round_score(89.99999999999999) == 90
    assert str(round_score(-0.0)) == "0.0"
