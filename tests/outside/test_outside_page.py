"""The pages in a real browser, with the network cut: silent, free of violations, usable by keyboard and on a phone; badges as pixels."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from surveys import finding, sample, sample_before, survey, target

from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Severity
from plugin_eval_ci.report import badge as badge_svg
from plugin_eval_ci.report.badge import PAINTS, Badge
from plugin_eval_ci.report.score import html as score_html
from plugin_eval_ci.report.survey import html as survey_html
from plugin_eval_ci.scoring.gather import score_all
from plugin_eval_ci.survey.report import Survey
from plugin_eval_ci.survey.since import since_of
from tests.report import tried
from tests.report.conftest import FILES

pytestmark = pytest.mark.outside

HERE = Path(__file__).resolve().parents[2]
DRIVER = Path(__file__).parent / "npm" / "page.mjs"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
Browse = Callable[..., Any]


def long_names() -> Survey:
    """What does not fit: names and paths without a place to break, in several scripts; many owners; every severity."""
    findings = [finding("X" * 60, "p/" + "y" * 200, line=at, severity=at, message="z" * 300) for at in Severity]
    names = ["n" * 200, "عنوان المهارة", "技能名稱" * 20, "<b>bold</b>", "a b c"]
    found = [
        target(
            f"plugins/{'d' * 80}/skills/{at}/SKILL.md",
            11.0 * at,
            name=name,
            findings=findings,
            owners=("@team/" + "o" * 60,) * 3,
        )
        for at, name in enumerate(names)
    ]
    return survey(*found, target("p/x", None, "plugin", reason="r" * 200), findings=findings, notes=("t" * 300,))


def measured_pages(folder: Path) -> dict[str, str]:
    """Depth measured: a skill, a plugin, and a plugin whose names do not fit."""
    for path, content in FILES.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = evaluate((str(folder),), Config())
    long = ("n" * 90 + ":" + "m" * 90, "技能名稱" * 20)
    return {
        "measured-skill": score_html.render(tried.one(found), "2026-11-30"),
        "measured-plugin": score_html.render(tried.plugin(found), "2026-11-30"),
        "measured-long": score_html.render(tried.plugin(found, long), "2026-11-30"),
    }


@pytest.fixture(scope="module")
def browse(node_modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Browse:
    """``browse({"name": "looks", …})``: what ``page.mjs`` answers about those jobs; unless ``silent`` is False it said nothing."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium)")
    folder = tmp_path_factory.mktemp("jobs")

    def call(*jobs: dict[str, object], silent: bool = True) -> Any:
        request = folder / "request.json"
        request.write_text(json.dumps({"browser": browser, "jobs": jobs}))
        done = subprocess.run(
            ["node", str(DRIVER), str(node_modules), str(request)], capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        if silent:
            assert answer["console"] == answer["errors"] == answer["requests"] == []
        return answer["results"] if silent else answer

    return call


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files by name."""
    folder = tmp_path_factory.mktemp("pages")
    reports = score_all(evaluate((str(HERE / "examples"),), Config()))
    many = survey(
        *(target(f"skills/s{at:03d}/SKILL.md", at / 3, kind="agent" if at % 2 else "skill") for at in range(300))
    )
    texts = {
        "later": survey_html.render(sample(), since_of(sample_before(), sample())),
        "long": survey_html.render(long_names(), since_of(survey(), long_names())),
        "empty": survey_html.render(survey()),
        "many": survey_html.render(many),
        "score-plugin": score_html.render(reports[-1], "2026-11-30"),
        "score-skill": score_html.render(next(report for report in reports if report.kind == "skill"), "2026-11-30"),
    }
    texts |= measured_pages(folder / "tried")
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: str(folder / f"{name}.html") for name in texts}


def test_no_violation_in_either_theme_and_no_sideways_scroll(browse: Browse, pages: dict[str, str]) -> None:
    """``PAGE_SHOTS=folder`` also keeps pictures, for looking at."""
    shots = os.environ.get("PAGE_SHOTS")
    for name, page in pages.items():
        if shots:
            Path(shots, name).mkdir(parents=True, exist_ok=True)
        (found,) = browse({"name": "looks", "page": page, "shots": shots and f"{shots}/{name}"})
        assert found == {"violations": [], "sideways": []}, name


def test_the_browser_would_tell(browse: Browse, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text(
        '<html><body style="background:#fff"><p style="color:#bbb;width:2000px">pale</p><img src="http://127.0.0.1:9/x.png">'
        '<script>console.log("said"); nothing()</script>'
    )
    answer = browse({"name": "looks", "page": str(bad)}, silent=False)
    text = " ".join(answer["results"][0]["violations"])
    assert "color-contrast" in text and "image-alt" in text and "html-has-lang" in text
    assert "light 360 folded" in answer["results"][0]["sideways"]
    assert "log: said" in answer["console"] and "nothing" in answer["errors"][0]
    assert answer["requests"][0] == "http://127.0.0.1:9/x.png"


def test_the_policy_stops_what_should_ever_come_in(browse: Browse, pages: dict[str, str], tmp_path: Path) -> None:
    text = Path(pages["later"]).read_text(encoding="utf-8")
    evil = tmp_path / "evil.html"
    evil.write_text(
        text.replace("</main>", '<img alt="" src="http://127.0.0.1:9/x"><script>document.title = "in"</script></main>')
    )
    answer = browse({"name": "skip", "page": str(evil)}, silent=False)
    assert answer["requests"] == [] and sum("Content Security Policy" in line for line in answer["console"]) == 2


def test_sorting_by_keyboard(browse: Browse, pages: dict[str, str]) -> None:
    (steps,) = browse({"name": "sorting", "page": pages["later"]})
    assert steps[0]["sorted"] == ["Score ascending"]
    heads = ["Name", "Score", "Change", "Tokens", "Owners", "Findings"]
    assert [step["head"] for step in steps[1:]] == [head for head in heads for _ in range(2)]
    scores = {one.name: one.score for one in sample().targets}
    for step in steps[1:]:
        assert len(step["sorted"]) == 1 and step["sorted"][0].startswith(step["head"])
        assert sorted(step["rows"]) == sorted(scores)
    of = {head: [step for step in steps[1:] if step["head"] == head] for head in heads}
    known = sorted(score for score in scores.values() if score is not None)
    for step, order, wanted in zip(of["Score"], ("ascending", "descending"), (known, known[::-1]), strict=True):
        assert step["sorted"] == [f"Score {order}"]
        assert [scores[name] for name in step["rows"]] == [*wanted, None, None]
    assert of["Name"][0]["rows"][1:] == sorted(of["Name"][0]["rows"][1:])  # the first begins with a sign
    assert of["Change"][0]["rows"][:2] == ["counting", "shop"]  # fell most, and second
    assert of["Findings"][0]["sorted"] == ["Findings descending"] and set(of["Findings"][0]["rows"][:2]) == {
        "counting",
        "shop",
    }


def test_the_first_key_leads_past_the_head(browse: Browse, pages: dict[str, str]) -> None:
    (found,) = browse({"name": "skip", "page": pages["later"]})
    assert found == {"first": ["Skip to the report", True], "hash": "#main"}


def test_filtering(browse: Browse, pages: dict[str, str]) -> None:
    later, many = pages["later"], pages["many"]
    by_owner, by_rule, by_two, by_kind, nothing, large, agents = browse(
        {"name": "filtering", "page": later, "words": "@ACME/shop"},
        {"name": "filtering", "page": later, "words": "listing_budget"},
        {"name": "filtering", "page": later, "words": "skill counting"},
        {"name": "filtering", "page": later, "kind": "agent"},
        {"name": "filtering", "page": later, "words": "no such words"},
        {"name": "filtering", "page": many},
        {"name": "filtering", "page": many, "words": "s29", "kind": "agent"},
    )
    assert by_owner["rows"] == ["counting", "shop"] and by_rule["rows"] == ["shop"]
    assert "counting" in by_two["rows"] and by_kind == {"said": "1 shown", "rows": ["counter"]}
    assert nothing == {"said": "0 shown", "rows": []}
    assert large["said"] == "100 of 300 shown" and len(large["rows"]) == 100
    assert agents["rows"] == [f"s29{digit}" for digit in (1, 3, 5, 7, 9)]


def test_links_lead_to_an_unfolded_row(browse: Browse, pages: dict[str, str]) -> None:
    (found,) = browse({"name": "following", "page": pages["later"], "link": ".card a"})
    place = found["hash"][1:]
    assert found["clicked"] == ["summary", place, True, True] and found["arrived"] == ["summary", place]


def test_without_javascript(browse: Browse, pages: dict[str, str]) -> None:
    (found,) = browse({"name": "bare", "page": pages["many"]})
    assert found["rows"] == found["visible"] == 300 and found["tools"] == found["buttons"] == 0


def test_eleven_thousand_targets(browse: Browse, tmp_path: Path) -> None:
    found = []
    for at in range(3000):
        root = f"plugins/acme-{at:04d}"
        found.append(target(root, at % 1000 / 10, "plugin", findings=[finding("MANIFEST_NAME", root)]))
        for number in range(8 if at % 3 == 0 else 0):
            path = f"{root}/skills/skill-{number}/SKILL.md"
            findings = [finding("REF_DEAD", path, line) for line in range(number % 5)]
            found.append(
                target(path, (at * 7 + number) % 1000 / 10, plugin=root, findings=findings, owners=("@acme/docs",))
            )
    text = survey_html.render(survey(*found))
    assert len(found) == 11_000 and len(text.encode()) < 15_000_000
    page = tmp_path / "large.html"
    page.write_text(text, encoding="utf-8")
    (answer,) = browse({"name": "large", "page": str(page)})
    assert answer["shown"] == 100 and answer["more"] == 500 and answer["said"] == "500 of 11,000 shown"
    assert answer["elements"] < 50_000  # 500 rows; what is not shown is not in the document
    print(len(text.encode()), answer)
    assert max(answer["times"].values()) < 10_000, answer  # ms; seconds on a busy machine, far less on a free one


@pytest.mark.parametrize("name", ["later", "long", "empty", "score-skill"])
def test_valid_html(node_modules: Path, pages: dict[str, str], name: str) -> None:
    assert validate(node_modules, Path(pages[name])) == []


def test_the_validator_would_tell(node_modules: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.html").write_text("<!DOCTYPE html><title>x</title><p><div></p>")
    assert validate(node_modules, tmp_path / "bad.html")


# CSS that browsers know and the validator does not yet.
YOUNG = re.compile(r"CSS: .*(paint-order|container-type)|CSS: .width.: Parse Error.*100cqw", re.DOTALL)


def validate(node_modules: Path, file: Path) -> list[str]:
    if shutil.which("java") is None:
        pytest.skip("java is not installed, which the HTML validator needs (Debian: apt install default-jre-headless)")
    jar = next(node_modules.glob("vnu-jar/**/vnu.jar"))
    words = ["java", "-jar", str(jar), "--format", "json", "--stdout", "--exit-zero-always", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    rows = [row for row in json.loads(done.stdout)["messages"] if row["type"] == "error"]
    return [said for row in rows if not YOUNG.search(said := f"{row['message']} | {row.get('extract', '')}")]


BADGES = [
    Badge(words, tier, "plugin acme, depth quick, 2026-11-30")
    for tier in PAINTS
    for words in (tier, f"{tier} 74, certified+")
]


@pytest.mark.parametrize("badge", BADGES, ids=lambda badge: badge.message)
def test_badges_are_pictures(badge: Badge, tmp_path: Path) -> None:
    converter = shutil.which("rsvg-convert")
    if converter is None:
        pytest.skip("rsvg-convert is not installed (Debian: apt install librsvg2-bin)")
    (tmp_path / "badge.svg").write_text(text := badge_svg.render_svg(badge), encoding="utf-8")
    subprocess.run(
        [converter, "-z", "2", "-o", str(tmp_path / "badge.png"), str(tmp_path / "badge.svg")], check=True, timeout=60
    )
    width = int(text.split('width="')[1].split('"')[0])
    assert struct.unpack(">II", (tmp_path / "badge.png").read_bytes()[16:24]) == (2 * width, 40)


def test_the_widths_of_letters_are_those_of_the_font(browse: Browse, pages: dict[str, str]) -> None:
    (found,) = browse({"name": "widths", "page": pages["empty"], "font": "DejaVu Sans"})
    if found is None:
        pytest.skip("the font DejaVu Sans is not installed (Debian: apt install fonts-dejavu-core)")
    assert found == list(badge_svg._WIDTHS)
