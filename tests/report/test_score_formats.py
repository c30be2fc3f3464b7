"""Whole outputs, compared with what they were; `UPDATE_SNAPSHOTS=1 pytest` writes them anew."""

import json
import os
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from plugin_eval_ci.report import compare as compare_json
from plugin_eval_ci.report import compare as compare_markdown
from plugin_eval_ci.report import compare as compare_text
from plugin_eval_ci.report.score import json as score_json
from plugin_eval_ci.report.score import markdown as score_markdown
from plugin_eval_ci.report.score import text as score_text
from plugin_eval_ci.report.score.advice import first_changes
from plugin_eval_ci.scoring.comparison import compare

SNAPSHOTS = Path(__file__).parent / "snapshots"
NAMES = ("stock-report", "label-print", "counter", "broken", "shop")


def same(name: str, text: str) -> None:
    file = SNAPSHOTS / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOTS.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_text(reports, name):
    same(f"{name}.txt", score_text.render(reports[name], color=False, width=100))


@pytest.mark.parametrize("name", NAMES)
def test_markdown(reports, name):
    same(f"{name}.md", score_markdown.render(reports[name]))


@pytest.mark.parametrize("name", NAMES)
def test_json(reports, name):
    text = re.sub(r'"version": "[^"]+"', '"version": "X"', score_json.render(reports[name]))
    same(f"{name}.json", text)


def test_comparison(reports):
    comparison = compare(reports["stock-report"], reports["label-print"])
    same("compare.txt", compare_text.render_text(comparison, color=False, width=100))
    same("compare.md", compare_markdown.render_markdown(comparison))
    same("compare.json", re.sub(r'"version": "[^"]+"', '"version": "X"', compare_json.render_json(comparison)))


@pytest.mark.parametrize("name", NAMES)
def test_colour_only_adds_colour(reports, name):
    colored = score_text.render(reports[name], color=True)
    assert "\x1b[1m" in colored
    assert re.sub(r"\x1b\[\d+m", "", colored) == score_text.render(reports[name], color=False)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_hostile_comes_through(reports, name):
    text = score_text.render(reports[name], color=False)
    assert all(line.isprintable() for line in text.split("\n"))
    markdown = score_markdown.render(reports[name])
    assert "@octocat" not in markdown
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
    kinds = {child.type for token in tokens for child in token.children or []}
    assert not kinds & {"link_open", "image", "html_inline"}
    assert "html_block" not in {token.type for token in tokens}


def test_keys_are_those_of_the_contract(reports):
    document = json.loads(score_json.render(reports["label-print"]))
    assert list(document) == [
        "schema_version", "tool", "methodology", "kind", "path", "name", "depth", "layers", "composite", "elo",
        "context_cost", "host",
        "model_usage", "findings", "notes", "unmeasured", "internal_errors",
    ]  # fmt: skip
    assert list(document["layers"][0]) == ["layer", "score", "sub_scores", "anti_patterns"]
    assert list(document["layers"][0]["anti_patterns"][0]) == ["flag", "description", "severity"]
    assert list(document["composite"]["dimensions"][0]) == [
        "name",
        "weight",
        "score",
        "grade",
        "weighted_score",
        "reason",
    ]
    assert document["composite"]["ci_lower"] is document["composite"]["ci_upper"] is document["elo"] is None


def test_a_plugin_is_the_mean_of_its_members(reports):
    plugin = reports["shop"]
    scores = [member.layers[0].score for member in plugin.members if member.layers]
    assert len(scores) == 3
    mean = sum(scores) / 3
    flags = sum(len(member.anti_patterns) for member in plugin.members)
    assert plugin.layers[0].score == pytest.approx(mean)
    assert plugin.composite.score == pytest.approx(mean * 100 * (1 - 0.05 * flags))
    assert any("not measured" in note for note in plugin.notes)


def test_changes_are_ranked_and_true(reports):
    changes = first_changes(reports["label-print"], 100)
    order = [(change.rank, -change.points) for change in changes]
    assert order == sorted(order)
    assert all(change.points >= 0.05 for change in changes)
    assert any("Use when" in change.advice for change in changes[:3])


def test_a_perfect_skill_has_nothing_to_change(reports):
    report = reports["stock-report"]
    static = report.layers[0]
    full = tuple(
        score._replace(score=1.0, parts=tuple(part._replace(points=part.best) for part in score.parts))
        for score in static.sub_scores
    )
    assert first_changes(report._replace(layers=(static._replace(sub_scores=full),))) == ()


@pytest.mark.parametrize(
    ("value", "shown"), [(89.999999, "89.99"), (90.0, "90.00"), (0.29 * 100, "29.00"), (100.0, "100.00")]
)
def test_a_score_is_never_rounded_up(value, shown):
    assert score_text.points(value) == shown


@pytest.mark.parametrize(("score", "full"), [(0.0, 0), (0.5, 10), (0.95, 19), (1.0, 20)])
def test_bar(score, full):
    assert score_text.bar(score) == "█" * full + "░" * (20 - full)


HOSTILE = "\x1b[31m\u202e|`@octocat` <img src=x> [a](https://example.org)\n## forged"


def test_hostile_names_paths_and_messages(reports):
    plain = reports["label-print"]
    found = tuple(one._replace(path=HOSTILE, message=HOSTILE, fix=HOSTILE, target=HOSTILE) for one in plain.findings)
    evil = plain._replace(name=HOSTILE, path=HOSTILE, notes=(HOSTILE,), findings=found, anti_patterns=found)
    comparison = compare(evil, reports["stock-report"])
    plugin = reports["shop"]._replace(members=(evil,), name=HOSTILE)
    for text in (
        score_text.render(evil, False),
        score_text.render(plugin, False),
        compare_text.render_text(comparison, False),
    ):
        assert all(line.isprintable() for line in text.split("\n"))
        assert "\n## forged" not in text
    for text in (
        score_markdown.render(evil),
        score_markdown.render(plugin),
        compare_markdown.render_markdown(comparison),
    ):
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or []}
        assert not kinds & {"link_open", "image", "html_inline", "html_block", "code_block", "fence"}
        titles = {tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "heading_open"}
        assert "forged" not in titles
        assert "@octocat" not in text
    json.loads(score_json.render(evil))
    json.loads(compare_json.render_json(comparison))
