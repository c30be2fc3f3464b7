"""Depth measured in every format: the numbers that it brings, what is escaped, what follows from them."""

import json
import re

import pytest

from plugin_eval_ci.report.score import html as score_html
from plugin_eval_ci.report.score import json as score_json
from plugin_eval_ci.report.score import markdown as score_markdown
from plugin_eval_ci.report.score import text as score_text
from plugin_eval_ci.report.score.advice import first_changes
from plugin_eval_ci.report.trials.advice import f1_of
from plugin_eval_ci.report.trials.layout import Forest, Line, forests, row_name
from plugin_eval_ci.report.trials.text import drawn
from plugin_eval_ci.scoring.composite import Composite, composite_of
from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.scoring.layer_details import LiftDetails, Span
from plugin_eval_ci.scoring.measured import plugin_composite
from plugin_eval_ci.scoring.model_results import ModelResults
from tests.report import tried
from tests.report.test_html_pages import HOSTILE, Page
from tests.report.test_schemas import check

DAY = "2026-11-30"
FORMATS = {
    "text": lambda report: score_text.render(report, False, 100),
    "markdown": score_markdown.render,
    "html": lambda report: Page(score_html.render(report, DAY)).text,
}


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("output", FORMATS)
def test_a_skill(evaluation, output):
    words = flat(FORMATS[output](tried.one(evaluation)))
    for said in (
        "Measured", "95 %: 65.9 to 71.6, lower end: Bronze (sampling error only; not validity)", "62 % (41 to 80)", "points (-21 to",
        "label-print takes 25 % (11 to 47) of the prompts of stock-report", "drop of 13 points or more", "or of 31 in recall",
        "drops the descriptions of shop:label-print", "3 better, 1 even, 2 worse", "near misses", "not Claude Code",
        "which boxes are we out of", "sampling error only",
    ):  # fmt: skip
        assert said in words, said
    assert "Assessed" not in words


@pytest.mark.parametrize("output", FORMATS)
def test_a_plugin(evaluation, output):
    words = flat(FORMATS[output](tried.plugin(evaluation)))
    for said in (
        "mean of the composites of its skills",
        "Composites",
        "Bronze 60, Silver 70, Gold 80, Platinum 90",
        "False-trigger rate",
        "Lift",
        "no prompt was tried",
    ):
        assert said in words, said
    assert "mean of the static layer" not in words and "x 1.00" not in words


@pytest.mark.parametrize("output", FORMATS)
def test_a_static_score_shows_none_of_it(reports, output):
    for name in ("stock-report", "shop"):
        words = flat(FORMATS[output](reports[name]))
        for said in ("95 %", "takes whose", "Intervals", "lower end", "Lift"):
            assert said not in words, said


@pytest.mark.parametrize("output", FORMATS)
def test_what_was_not_measured_is_no_number(evaluation, output):
    report = tried.unmeasured(evaluation)
    words = flat(FORMATS[output](report))
    assert "40 of 72 trials failed" in words and "Estimated" in words and "95 %:" not in words
    assert report.composite.ci_lower is None and report.composite.badge_lower is None
    assert next(row for row in report.composite.dimensions if row.name == "robustness").score is None
    check("score", score_json.render(report))


def test_json(evaluation):
    report = tried.one(evaluation)
    check("score", score_json.render(report))
    document = json.loads(score_json.render(report))
    composite = document["composite"]
    assert (composite["ci_lower"], composite["ci_upper"]) == (report.composite.ci_lower, report.composite.ci_upper)
    assert composite["ci_lower"] < composite["score"] < composite["ci_upper"] and composite["badge_lower"] == "bronze"
    trials = document["layers"][2]["details"]["trials"]
    rates = {row["of"]: row for row in trials["triggering"]["rates"]}
    assert (rates["selection_recall"]["value"], rates["selection_recall"]["low"]) == (0.625, 0.41)
    assert (trials["triggering"]["detectable"], trials["help"]["lift"]["value"]) == (0.128, 0.083)
    assert document["confusion"]["taken"][0] == {
        "taker": tried.LABEL, "owner": tried.STOCK, "value": 0.25, "low": 0.11, "high": 0.47,
    }  # fmt: skip


def test_json_of_a_plugin_holds_its_members(evaluation):
    check("score", score_json.render(tried.plugin(evaluation)))
    document = json.loads(score_json.render(tried.plugin(evaluation)))
    skills = [member for member in document["members"] if member["kind"] == "skill"]
    assert all(member["composite"]["ci_lower"] is not None and len(member["layers"]) == 3 for member in skills)
    mean = sum(member["score"] for member in skills) / 2
    assert abs(document["composite"]["score"] - mean) < 1e-6
    assert "layers" not in next(member for member in document["members"] if member["kind"] == "agent")


def test_a_half_that_is_missing(evaluation):
    trials = tried.trialled(triggered=None, untriggered="no prompts", helped=None, unhelped="no tasks")
    report = tried.one(evaluation, trials)
    for output in FORMATS.values():
        words = flat(output(report))
        assert "triggering was not measured: no prompts" in words and "lift was not measured: no tasks" in words
    check("score", score_json.render(report))
    assert list(forests(report)) == []


def test_drafted_labels_cap_the_label(evaluation):
    drafted = tried.trialled(labels=tried.LABELS._replace(reviewed=False, drafted=True, file=""))
    report = tried.one(evaluation, drafted)
    assert (report.depth.name, report.composite.confidence_label) == ("measured", "Assessed")
    assert any("not reviewed by a person" in note for note in report.notes)
    reviewed = tried.one(evaluation)
    assert reviewed.composite.confidence_label == "Measured"
    assert not any("not reviewed by a person" in note for note in reviewed.notes)
    tasks = tried.one(evaluation, tried.trialled(helped=tried.HELPED._replace(drafted=True)))
    assert tasks.composite.confidence_label == "Assessed"


def test_a_part_of_the_depth_is_estimated():
    panel, trials = tried.layers(tried.trialled())
    measured = depth_named("measured")
    assert ModelResults(measured, (panel, trials)).ran.name == "measured"
    assert (
        ModelResults(measured, (panel,)).ran.name == "quick" and ModelResults(measured, (trials,)).ran.name == "quick"
    )


@pytest.mark.parametrize("name", [HOSTILE, "a|b`c<d>", "x" * 300])
def test_names_are_escaped(evaluation, name):
    names = (name, name + "2")
    page = Page(score_html.render(tried.plugin(evaluation, names), DAY))
    assert {tag for tag, _ in page.tags} & {"img", "iframe", "b\n"} == set() and len(page.all("script")) == 1
    text = score_text.render(tried.plugin(evaluation, names), False, 100)
    assert "\x1b" not in text and "\u202e" not in text
    markdown = score_markdown.render(tried.plugin(evaluation, names))
    assert not re.search(r"(?<!\\)<(?:script|img|d)\b", markdown)
    rows = [line for line in markdown.split("\n") if line.startswith("| 1 ")]
    assert len(rows) == 1 and len(re.findall(r"(?<!\\)\|", rows[0])) == 7


def test_a_page_draws_every_number(evaluation):
    page = Page(score_html.render(tried.one(evaluation), DAY))
    drawn = [one for one in page.all("svg") if one.get("preserveaspectratio")]
    assert len(drawn) == 7 and all(one["aria-hidden"] == "true" for one in drawn)
    assert [one["title"] for one in page.all("abbr")] == [tried.STOCK, tried.LABEL, "other", "no skill"]
    assert any("h3" in (one.get("class") or "") and "theft" in one["class"] for one in page.all("td"))
    assert any(one.get("role") == "region" and one.get("tabindex") == "0" for one in page.all("div"))


SCALE = Forest("t", "", 0, 1, ((0.5, "half"),), (Line("a", Span("a", 0.5), ""),))


@pytest.mark.parametrize(
    ("value", "low", "high", "picture"),
    [
        (0.0, None, None, "●" + "·" * 15 + "┊" + "·" * 16),
        (1.0, 0.5, 1.0, "·" * 16 + "├" + "─" * 15 + "●"),
        (0.5, 0.0, 1.0, "├" + "─" * 15 + "●" + "─" * 15 + "┤"),
        (0.25, 0.25, 0.25, "·" * 8 + "●" + "·" * 7 + "┊" + "·" * 16),
        (2.0, -1.0, 3.0, "├" + "─" * 31 + "●"),
    ],
)
def test_an_interval_in_characters(value, low, high, picture):
    assert drawn(SCALE, value, low, high) == picture


def test_what_to_change_first(evaluation):
    report = tried.one(evaluation)
    theft, false, miss = first_changes(report)
    assert theft.advice.startswith('shop:label-print takes 25 % of its prompts ("which boxes are we out of")')
    assert false.advice.startswith('It triggers on 12 % of the prompts that it is not for ("print labels')
    assert miss.advice.startswith('No skill is chosen for 12 % of its prompts ("do the till')
    # 8 prompts against 16: recall 0.625 and false triggers 0.125 give F1 0.666…; without the theft recall is 0.875.
    before = report.composite.score
    better = f1_of(0.875, 0.125, 2)
    trials = report.layers[2]
    values = tuple(
        one._replace(score=better) if one.name == "triggering_accuracy" else one for one in trials.dimensions
    )
    layers = {one.layer: one for one in report.layers} | {"trials": trials._replace(dimensions=values)}
    assert round(theft.points, 6) == round(composite_of(report.depth, layers, 0).score - before, 6)
    assert theft.line == 3


def test_a_skill_that_is_fine_has_nothing_of_it(evaluation):
    fine = tried.TRIGGERED._replace(
        rates=(Span("selection_recall", 1.0, 0.8, 1.0), Span("false_trigger_rate", 0.0, 0.0, 0.1)), lost=()
    )
    report = tried.one(evaluation, tried.trialled(triggered=fine))
    assert not any("takes" in one.advice or "chosen" in one.advice for one in first_changes(report, 20))


@pytest.mark.parametrize(("high", "said"), [(0.38, False), (0.05, True), (None, False)])
def test_no_help_is_said_where_the_interval_says_so(evaluation, high, said):
    helped: LiftDetails = tried.HELPED._replace(lift=Span("lift", -0.05, -0.2, high))
    report = tried.one(evaluation, tried.trialled(helped=helped))
    assert any("do not improve with it" in one.advice for one in first_changes(report, 20)) is said


def test_a_plugin_from_its_skills():
    one, other = Composite(80.0, "gold", "", 1, (), 70.0, 88.0), Composite(60.0, "bronze", "", 1, (), 50.0, 66.0)
    both = plugin_composite(depth_named("measured"), [one, other])
    assert (both.score, both.ci_lower, both.ci_upper, both.badge, both.badge_lower) == (70, 60, 77, "silver", "bronze")
    alone = plugin_composite(depth_named("measured"), [one, other._replace(ci_lower=None, ci_upper=None)])
    assert (alone.score, alone.ci_lower, alone.badge_lower) == (70, None, None)
    assert plugin_composite(depth_named("measured"), []).score is None


def test_names_lose_the_plugin_only_where_all_are_of_one(evaluation):
    found = tried.one(evaluation).confusion
    assert found is not None and row_name(found, tried.STOCK).endswith(" stock-report")
    mixed = found._replace(skills=(tried.STOCK, "depot:label-print"))
    assert row_name(mixed, tried.STOCK).endswith(" shop:stock-report")
    assert row_name(mixed, "depot:label-print").endswith(" depot:label-print")
