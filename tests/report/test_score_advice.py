"""What to change first: honest, one line for one change, and what each line says can be followed."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.report.score import markdown as score_markdown
from plugin_eval_ci.report.score import text as score_text
from plugin_eval_ci.report.score.advice import Change, first_changes
from plugin_eval_ci.report.score.layout import also, columns, wrap
from plugin_eval_ci.scoring.composite import composite_of
from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.scoring.gather import score_all
from plugin_eval_ci.scoring.measurement import Rank
from plugin_eval_ci.scoring.report import ScoreReport

BROKEN = "---\nname: tills\ndescription: Counts: tills.\n---\n\n# Tills\n"
GOOD = "---\nname: {}\ndescription: Counts {} in the shop. Use when counting in the shop, or at the till.\n---\n\n# Count\n\n{}"
LONG = GOOD.format("shelves", "shelves", "".join(f"Shelf {'x' * (n % 97)}{n}.\n" for n in range(900)))
FILES = {
    ".claude-plugin/plugin.json": '{"name": "shop"}',
    ".codex-plugin/plugin.json": '{"name": "shop"}',
    "skills/tills/SKILL.md": BROKEN,
    "skills/shelves/SKILL.md": LONG,
    "skills/boxes/SKILL.md": GOOD.format("boxes", "boxes", "MUST go.\n" * 3),
    "skills/labels/SKILL.md": GOOD.format("labels", "labels", "").replace("Use when counting in", "It is in"),
    "agents/worker.md": "---\nname: worker\ndescription: Use proactively to count what is on the shelves of the shop."
    "\ntools: Read\nmodel: haiku\n---\n\nCount.\n",
}


@pytest.fixture
def shop(repo: Callable[..., Path]) -> dict[str, ScoreReport]:
    return {report.name: report for report in score_all(evaluate((str(repo(FILES)),), Config()))}


def test_the_frontmatter_is_repaired_first(shop):
    for name in ("tills", "shop"):
        first = first_changes(shop[name])[0]
        assert first.rank is Rank.FIRST and "Fix the frontmatter" in first.advice
        error = next(finding for finding in shop["tills"].findings if finding.rule == "FM_INVALID_YAML")
        assert error.fix in first.advice and (first.path, first.line) == (error.path, error.line)
    rest = " ".join(change.advice for change in first_changes(shop["tills"], 100)[1:])
    assert "description" not in rest and "name" not in rest.replace("name the", "")


def test_no_member_is_asked_for_what_it_does_not_need(shop):
    (move,) = [change for change in first_changes(shop["shop"], 100) if "references/" in change.advice]
    assert (move.path, move.others) == ("skills/shelves/SKILL.md", ())
    assert move.points == move.most


@pytest.mark.parametrize("name", ["shop", "shelves", "boxes", "labels", "worker"])
def test_what_is_right_for_some_only_stands_behind(shop, name):
    changes = first_changes(shop[name], 100)
    assert [change.rank for change in changes] == sorted(change.rank for change in changes)
    for change in changes:
        assert change.advice.startswith("If ") is (change.rank >= Rank.IF_MEANT)
    assert len({change.advice for change in changes}) == len(changes)


def test_a_plugin_names_who_gains_most(shop):
    shared = [change for change in first_changes(shop["shop"], 100) if change.others]
    assert shared
    for change in shared:
        assert change.path.split("/")[-2] not in change.others
        assert 0 < change.most < change.points


def test_a_long_list_of_members_is_cut():
    assert also(Change(3.0, "a", "p", others=("a", "b", "c", "d", "e"), most=1.0)).endswith("also a, b, c and 2 more")


def test_the_composite_of_a_plugin_can_be_followed(shop):
    text, report = score_text.render(shop["shop"], False, 400), shop["shop"]
    layers = [member.layers[0].score for member in report.members]
    assert all(f"{layer:.4f}" in text for layer in layers)
    assert f"Composite {score_text.points(report.composite.score)} = mean" in text
    assert f"({sum(layers) / len(layers):.4f}) x 100" in text and "Each flag counts twice" in text
    assert text.lower().count("static layer score\n") == 0
    skill = score_text.render(shop["boxes"], False, 400)
    assert skill.lower().count("static layer score") == 1


@pytest.mark.parametrize("render", [lambda report: score_text.render(report, False, 400), score_markdown.render])
def test_errors_and_agents_explain_themselves(shop, render):
    text = render(shop["shop"])
    assert text.index("Errors\n") < text.index("Anti-patterns\n")
    assert re.search(r"tills .*error FM_INVALID_YAML", text)
    assert re.search(r"skills/tills/SKILL.md:3:\d+", text)
    assert "2 portability findings do not change an agent's score" in text
    assert "does not change" not in text and shop["worker"].composite.score == 100
    assert "do not change an agent's score" in render(shop["worker"])


def test_what_a_depth_does_not_give():
    reasons = {row.name: row.reason for row in composite_of(depth_named("quick"), {}, 0).dimensions}
    assert reasons["output_quality"] == "needs the judge layer, depth standard or deeper"
    assert reasons["robustness"] == "needs the Monte Carlo layer, depth deep or deeper"
    assert reasons["code_template_quality"] == "only measured at depth measured"


@pytest.mark.parametrize("name", ["shop", "tills", "worker", "shelves"])
@pytest.mark.parametrize("width", [60, 80, 100])
def test_lines_fit(shop, name, width):
    for line in score_text.render(shop[name], True, width).split("\n"):
        words = re.sub("\x1b\\[[0-9;]*m", "", line)
        table = "%" in words or re.match(r" +[\d.—]+ +[\d.—]+  (skill|agent)|What to|  composite", words)
        assert table or columns(line) <= width


def test_wrapping():
    assert wrap("  a: ", "one two three", 10) == "  a: one\n     two\n     three"
    assert wrap("  ", "one two", 6, 4) == "  one\n    two"
    assert wrap("  name  ", "seven", 10, 4) == "  name  \n    seven"
    assert wrap("", "x" * 30 + " y", 10) == "x" * 30 + "\ny"
    assert wrap("> ", "", 10) == "> "
    assert columns("\x1b[1m库存\x1b[0m a") == 6
