"""The text, Markdown and JSON of a report, over reports made by hand; `UPDATE_SNAPSHOTS=1 pytest` writes the snapshots anew."""

import json
import os
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from surveys import finding, sample, sample_before, survey, target

from plugin_eval_ci.model import Severity
from plugin_eval_ci.report.survey import json as survey_json
from plugin_eval_ci.report.survey import markdown as survey_markdown
from plugin_eval_ci.report.survey import text as survey_text
from plugin_eval_ci.survey.report import Shard
from plugin_eval_ci.survey.since import since_of

jsonschema = pytest.importorskip("jsonschema")
SNAPSHOTS = Path(__file__).parent / "snapshots"
SCHEMA = json.loads((Path(survey_json.__file__).parents[2] / "schemas" / "report.schema.json").read_text("utf-8"))
HOSTILE = "</details><script>x</script> @octocat #1 `a` | [l](http://e.org) \x1b[31m \u202e ![i](x.png)\n# H"
FORMATS = {"json": survey_json, "md": survey_markdown, "txt": survey_text}


def since():
    return since_of(sample_before(), sample())


def large(count=3_000):
    """As many plugins with two skills each, owners and findings, half of which fell since last week."""
    targets = []
    for n in range(count):
        place = f"plugins/plugin-number-{n:05}"
        owners = (f"@acme/team-{n % 90}",)
        targets.append(target(place, 40 + n % 60, "plugin", owners=owners))
        for name in ("counting-boxes", "writing-labels"):
            path = f"{place}/skills/{name}/SKILL.md"
            targets.append(target(path, 40 + n % 60, plugin=place, owners=owners, findings=[finding(path=path)]))
        targets.append(target(f"{place}/agents/broken.md", None, "agent", plugin=place))
    return survey(*targets)


def fallen(whole):
    higher = [one._replace(score=one.score + 1, findings=()) if one.score is not None else one for one in whole.targets]
    return whole._replace(targets=tuple(higher), date="2026-11-23")


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("name", ["report", "report-first"])
def test_snapshot(ending, name):
    text = FORMATS[ending].render(sample(), since() if name == "report" else None)
    text = re.sub(r'"version": "[^"]*"', '"version": "0"', text)
    file = SNAPSHOTS / f"{name}.{ending}"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "one", [sample(), survey(), sample()._replace(shards=(Shard(1, 3), Shard(3, 3)), notes=("a note",))]
)
def test_json_is_as_its_schema_says(one):
    for changes in (None, since()):
        document = json.loads(survey_json.render(one, changes))
        jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_json_has_one_line_a_target():
    lines = survey_json.render(sample()).splitlines()
    assert sum(line.startswith('{"kind"') for line in lines) == len(sample().targets)


def test_counts_are_derived():
    summary = json.loads(survey_json.render(sample()))["summary"]
    assert summary["plugins"] == 3 and summary["skills"] == 4 and summary["agents"] == 1
    assert summary["unmeasured"] == 2 and summary["badges"]["silver"] == 1
    assert summary["rules"] == {"LISTING_BUDGET": 1, "MISSING_TRIGGER": 1}


@pytest.mark.parametrize("limit", [survey_markdown.SUMMARY, survey_markdown.ISSUE, 5_000])
def test_markdown_of_a_large_report_stays_within_its_limit(limit):
    whole = large()
    text = survey_markdown.render(whole, since_of(fallen(whole), whole), limit)
    assert len(text.encode()) <= limit
    assert text.count("<details>") == text.count("</details>")
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("| --- "):
            assert lines[number + 1].count("|") == line.count("|")
    if limit < survey_markdown.SUMMARY:
        assert re.search(r"… [\d,]+ more plugins\.", text)


def test_a_large_report_shows_everything_that_a_reader_looks_for():
    whole = large()
    text = survey_markdown.render(whole, since_of(fallen(whole), whole), survey_markdown.ISSUE)
    for title in ("Worse since 2026-11-23", "Plugins, worst first", "Skills and agents, worst first", "Findings by rule", "Not measured"):  # fmt: skip
        assert title in text


def test_the_worst_comes_first_and_what_is_not_measured_is_in_no_ranking():
    text = survey_markdown.render(sample())
    places = [text.index(f"`{path}`") for path in ("plugins/odd", "plugins/shop")]
    assert places == sorted(places)
    ranking = text[text.index("## Plugins") : text.index("## Findings")]
    assert "plugins/till" not in ranking and "plugins/till" in text


def test_only_the_worst_skills_stand_open():
    one = survey(*(target(f"skills/s{n:02}/SKILL.md", 50.0 + n) for n in range(25)))
    text = survey_markdown.render(one)
    shown, folded = text[text.index("## Skills") :].split("<details><summary>The other 5</summary>")
    assert shown.count("| skill `") == 20 and folded.count("| skill `") == 5
    assert "`skills/s00/" in shown and "`skills/s24/" in folded
    assert "<summary>The other" not in survey_markdown.render(survey(*one.targets[:20]))


def test_new_findings_are_told_errors_first_and_with_their_fix():
    path = "skills/b/SKILL.md"
    found = [finding("A_NOTICE", path, severity=Severity.NOTICE), finding("AN_ERROR", path, severity=Severity.ERROR)]
    before, after = survey(target(path)), survey(target(path, findings=found))
    text = survey_markdown.render(after, since_of(before, after))
    told = [line for line in text.splitlines() if line.startswith("- **")]
    assert [line.split()[2] for line in told] == ["AN_ERROR", "A_NOTICE"]
    assert all(line.endswith("<br>**Fix:** Say it.") for line in told)
    fixed = survey_markdown.render(before, since_of(after, before))
    assert "**Fix:**" not in fixed and fixed.index("AN_ERROR") < fixed.index("A_NOTICE")


def test_hostile_words_stay_words():
    odd = target(f"skills/{HOSTILE}/SKILL.md", 50.0, name=HOSTILE, owners=(HOSTILE,), findings=[finding(HOSTILE, HOSTILE, message=HOSTILE)])  # fmt: skip
    gone = target("x", None, name=HOSTILE, reason=HOSTILE)
    one = survey(odd, gone, findings=[finding(message=HOSTILE)])._replace(name=HOSTILE, notes=(HOSTILE,))
    changes = since_of(survey(target(HOSTILE, 1.0, content=odd.content), date="2026-11-23"), one)
    text = survey_markdown.render(one, changes)
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    for evil in ("<script", "<img", "<a ", "@octocat", "\x1b", "\u202e"):
        assert evil not in html
    assert html.count("</details>") == text.count("<details>")
    plain = survey_text.render(one, changes)
    assert "\x1b" not in plain and "\u202e" not in plain
    assert survey_json.render(one, changes).isascii()


def test_very_long_words_leave_room_for_others():
    long = "x" * 70_000
    odd = [target(f"{long}/{n}", 1.0, "plugin", name=long, owners=(long,), findings=[finding(path=long, message=long)]) for n in range(2)]  # fmt: skip
    one = survey(*odd, target("plugins/shop", 70.0, "plugin"), target("y", None, reason=long))._replace(name=long, notes=(long,))  # fmt: skip
    before = survey(target("plugins/shop", 80.0, "plugin"), date="2026-11-23")
    for changes in (None, since_of(before, one), since_of(before._replace(methodology=long), one)):
        text = survey_markdown.render(one, changes, survey_markdown.ISSUE)
        assert "plugins/shop" in text and len(text.encode()) < 20_000
        assert len(survey_text.render(one, changes)) < 300_000


def test_columns_that_say_nothing_are_left_out():
    text = survey_markdown.render(survey(target("plugins/a", kind="plugin"), target("skills/b/SKILL.md")))
    assert "Owners" not in text and "Since" not in text and "Weakest" not in text
    assert "| Owners |" in survey_markdown.render(sample())


def test_a_change_too_small_for_two_decimals_is_still_seen():
    before = survey(target("a", 70.0), date="2026-11-23")
    after = survey(target("a", 70.001))
    assert "+<0.01" in survey_markdown.render(after, since_of(before, after))


def test_an_empty_report_and_one_that_is_not_complete():
    assert "not measured · nothing" in survey_markdown.render(survey())
    part = sample()._replace(shards=(Shard(1, 3), Shard(3, 3)))
    for module in (survey_markdown, survey_text):
        assert "incomplete: 2 of 3 shards; missing: 2" in module.render(part)


def test_scores_of_another_methodology_are_not_compared():
    before = sample_before()._replace(methodology="plugin-eval-ci/0")
    for module in (survey_markdown, survey_text):
        text = module.render(sample(), since_of(before, sample()))
        assert "Scores are not compared" in text and "Worse" not in text
