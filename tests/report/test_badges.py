"""Badges: their words, their colours, and that a plugin's name does no harm in any of their forms."""

import html
import json
from xml.etree import ElementTree

import pytest

from plugin_eval_ci.report import badge as badge_files
from plugin_eval_ci.report import badge as badge_shields
from plugin_eval_ci.report import badge as badge_svg
from plugin_eval_ci.report.badge import (
    LABEL_PAINT,
    PAINTS,
    badge_of_score,
    badge_of_survey,
    badge_of_target,
)
from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.survey.report import Survey, Target

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>\x1b[31m\u202e'\"&\ufffe\udc80\n"


def target(score: float | None = 74.9, kind: str = "plugin", name: str = "acme", path: str = "plugins/acme") -> Target:
    return Target(kind, path, name, None, score, None, None, "Estimated", None, (), None, None, (), ())  # type: ignore[arg-type]


def survey(*targets: Target, depth: str = "quick") -> Survey:
    return Survey("shop", "2026-11-30", depth_named(depth), targets, ())


def of(score: float | None, **words: str):
    return badge_of_target(target(score, **words), survey())


@pytest.mark.parametrize(
    ("score", "message", "tier"),
    [
        (100.0, "platinum 100, estimated", "platinum"),
        (90.0, "platinum 90, estimated", "platinum"),
        (89.9999, "gold 89, estimated", "gold"),
        (89.9999999999, "platinum 90, estimated", "platinum"),
        (74.9, "silver 74, estimated", "silver"),
        (60.0, "bronze 60, estimated", "bronze"),
        (59.99, "no badge 59, estimated", "no_badge"),
        (0.0, "no badge 0, estimated", "no_badge"),
        (None, "not measured", "not measured"),
    ],
)
def test_words(score, message, tier):
    badge = of(score)
    assert (badge.message, badge.tier) == (message, tier)


def test_the_tooltip_says_of_what_how_deep_and_when():
    assert of(74.9).detail == "plugin acme, 74.90 of 100, depth quick, 2026-11-30"
    assert of(None).detail == "plugin acme, depth quick, 2026-11-30"
    assert len(of(74.9, name="x" * 5000).detail) < 200


def test_a_repository_is_the_mean_of_its_plugins():
    skill = target(0.0, "skill", "low", "plugins/acme/skills/low/SKILL.md")
    both = survey(target(80.0), skill, target(70.0, path="plugins/b"), target(None, path="plugins/c"))
    assert both.mean() == 75.0
    assert badge_of_survey(both).message == "silver 75, estimated"
    assert survey(skill, target(50.0, "agent")).mean() == 0.0 and survey(target(50.0, "agent")).mean() == 50.0
    assert survey().mean() is None and badge_of_survey(survey()).message == "not measured"


def test_a_score_has_the_day_it_is_given(reports):
    badge = badge_of_score(reports["shop"], "2026-11-30")
    assert badge.detail.startswith("plugin shop, ") and badge.detail.endswith(", depth quick, 2026-11-30")
    assert badge_of_score(reports["broken"], "2026-11-30").message == "not measured"


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tier", [*PAINTS])
def test_every_text_and_medal_can_be_read(tier):
    paint = PAINTS[tier]
    assert contrast(paint.ground, paint.text) >= 4.5
    assert contrast(LABEL_PAINT.ground, LABEL_PAINT.text) >= 4.5
    assert contrast(LABEL_PAINT.ground, paint.medal) >= 3


def test_the_measure_of_contrast_knows_a_bad_pair():
    assert contrast("#ffffff", "#000000") == pytest.approx(21) and contrast("#777777", "#ffffff") < 4.5


@pytest.mark.parametrize("score", [95.0, 84.0, 74.0, 61.0, 42.0, None])
def test_the_picture_is_well_formed_and_read_aloud(score):
    root = ElementTree.fromstring(badge_svg.render_svg(of(score)))
    assert root.get("role") == "img" and root[0].tag == f"{SVG}title"
    assert (root[0].text or "").startswith(f"plugin eval: {of(score).message}")
    assert [text.text for text in root.iter(f"{SVG}text")] == ["plugin eval", of(score).message]
    assert {node.tag.removeprefix(SVG) for node in root.iter()} == {
        "svg",
        "title",
        "path",
        "rect",
        "circle",
        "g",
        "text",
    }
    width = int(root.get("width") or 0)
    texts = [*root.iter(f"{SVG}text")]
    assert all(int(text.get("x") or 0) + int(text.get("textLength") or 0) <= width for text in texts)
    assert int(texts[0].get("x") or 0) + int(texts[0].get("textLength") or 0) < int(texts[1].get("x") or 0)


def test_a_hostile_name_is_text_only():
    badge = of(74.9, name=HOSTILE)
    root = ElementTree.fromstring(badge_svg.render_svg(badge).encode())
    title = root[0].text or ""
    assert len(root[0]) == 0 and "</title><script>alert(1)</script>" in title
    assert title.isprintable() and "\\x1b[31m" in title and "\\u202e" in title and "\\ufffe" in title
    assert json.loads(badge_shields.render_shields(badge))["message"] == "silver 74, estimated"


@pytest.mark.parametrize("text", ["plain", "<b class='x' data-y=\"z\">&amp;</b>", "é 字 👩‍💻 'tis"])
def test_html_is_escaped_like_the_library_does(text):
    assert for_html(text) == html.escape(text, quote=True)


def test_widths_know_wide_and_combining_letters():
    width = badge_svg.width_of
    assert width("silver 74") == 48 and width("") == 0
    assert width("字") == 11 and width("e\u0301") == width("e") and width("é") == 8


def test_shields_document():
    document = json.loads(badge_shields.render_shields(of(84.0)))
    assert document == {
        "schemaVersion": 1,
        "label": "plugin eval",
        "message": "gold 84, estimated",
        "color": PAINTS["gold"].ground,
        "labelColor": LABEL_PAINT.ground,
    }


def test_files_of_a_report_have_names_that_every_system_takes():
    names = ["Acme", "acme", "acme-2", "../../etc/passwd", "con", ".git", "é/ü", "", "x" * 300]
    targets = [target(80.0, name=name, path=f"p/{at}") for at, name in enumerate(names)]
    found = badge_files.files(survey(*targets, target(1.0, "skill", "left-out")))
    stems = [name.removesuffix(".svg") for name, _ in found if name.endswith(".svg")]
    assert stems == [
        "badge", "plugin-acme", "plugin-acme-2", "plugin-acme-2-2", "plugin-etc-passwd", "plugin-con", "plugin-git",
        "plugin-unnamed", "plugin-unnamed-2", "plugin-" + "x" * 80,
    ]  # fmt: skip
    assert [name for name, _ in found] == [f"{stem}.{end}" for stem in stems for end in ("svg", "json")]
    assert all(text.startswith("<svg" if name.endswith(".svg") else "{") for name, text in found)


def test_a_report_without_plugins_has_one_badge():
    assert [name for name, _ in badge_files.files(survey(target(80.0, "skill")))] == ["badge.svg", "badge.json"]
