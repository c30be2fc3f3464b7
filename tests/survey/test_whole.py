"""Shards put together: in any order and grouping; what does not belong together is refused; the trend goes on."""

import pytest
from surveys import finding, sample, survey, target

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.survey.merge_shards import MOST_PAST, complete_report, merge_shards, with_trend
from plugin_eval_ci.survey.report import Past, Shard

SKILL = "plugins/shop/skills/counting/SKILL.md"


def part(number, total, *targets, findings=(), **more):
    return (f"{number}.json", survey(*targets, findings=findings, shards=(Shard(number, total),), **more))


PARTS = [
    part(1, 3, target("plugins/shop", kind="plugin"), target(SKILL, plugin="plugins/shop")),
    part(2, 3, findings=[finding("NAME_DUPLICATE", SKILL), finding("MP_DUPLICATE", ".claude-plugin/marketplace.json")]),
    part(3, 3, target("skills/alone/SKILL.md"), target("plugins/a", kind="plugin")),
]


def test_any_order_and_any_grouping_gives_the_same():
    one, two, three = PARTS
    whole = merge_shards(PARTS)
    assert whole.shards == () and len(whole.targets) == 4
    assert merge_shards([three, one, two]) == whole
    assert merge_shards([("first", merge_shards([one, two])), three]) == whole
    assert merge_shards([one, ("last", merge_shards([three, two]))]) == whole


def test_findings_are_given_to_what_they_are_about_once_all_is_there():
    partly = merge_shards(PARTS[:2])
    assert [f.rule for f in partly.findings] == ["MP_DUPLICATE", "NAME_DUPLICATE"]
    assert all(one.findings == () for one in partly.targets)
    whole = merge_shards(PARTS)
    assert [f.rule for f in whole.findings] == ["MP_DUPLICATE"]
    assert [f.rule for one in whole.targets for f in one.findings] == ["NAME_DUPLICATE"]


def test_a_file_of_a_plugin_belongs_to_the_innermost_one():
    targets = [target(path, kind="plugin") for path in (".", "a", "a/b")]
    found = [finding(path=path) for path in ("a/b/hooks/hooks.json", "a/x.json", "ab/x.json", "x.json", ".")]
    whole = complete_report(survey(*targets, findings=found))
    assert {one.path: [f.path for f in one.findings] for one in whole.targets} == {
        ".": ["."],
        "a": ["a/x.json"],
        "a/b": ["a/b/hooks/hooks.json"],
    }
    assert [f.path for f in whole.findings] == ["ab/x.json", "x.json"]


def test_one_shard_of_one_is_all_of_it():
    assert merge_shards([part(1, 1, target(SKILL))]).shards == ()


def test_a_whole_report_alone_is_shown_as_it_is():
    assert merge_shards([("a", sample())]) == sample()


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (("x", sample()), "complete"),
        (part(1, 3, target("y")), "both contain shard 1 of 3"),
        (part(2, 4), "number of shards differs"),
        (part(2, 3, date="2026-12-07"), "date differs"),
        (part(2, 3, depth="deep"), "depth differs"),
        (part(2, 3, methodology="plugin-eval-ci/2"), "methodology differs"),
        (part(2, 3, version="0.0.9"), "version differs"),
        (part(2, 3, name="other"), "repository differs"),
        (part(2, 3, target(SKILL)), "1.json and 2.json both contain the skill plugins/shop/skills/counting/SKILL.md"),
        (part(2, 3, target("plugins/shop", kind="plugin")), "both contain the plugin plugins/shop"),
    ],
)
def test_what_does_not_belong_together_is_refused(other, words):
    with pytest.raises(UsageError, match=words):
        merge_shards([PARTS[0], other])


def test_the_trend_gets_the_earlier_report_as_its_last_point():
    before = survey(target("a", 60.0), date="2026-11-23", history=(Past("2026-11-16", 50.0, 0, 1, 0),))
    after = with_trend(survey(target("a", 70.0)), before)
    assert [(past.date, past.mean) for past in after.history] == [("2026-11-16", 50.0), ("2026-11-23", 60.0)]


def test_a_second_run_on_one_day_adds_no_point():
    before = survey(target("a", 60.0), history=(Past("2026-11-23", 50.0, 0, 1, 0),))
    assert [past.date for past in with_trend(survey(target("a")), before).history] == ["2026-11-23"]


def test_a_trend_of_other_numbers_begins_anew():
    before = survey(target("a"), date="2026-11-23", history=(Past("2026-11-16", 50.0, 0, 1, 0),))
    assert with_trend(survey(target("a")), before._replace(methodology="other")).history == ()


def test_a_part_is_no_point_and_the_trend_has_an_end():
    long = tuple(Past(f"20{year:02}-{month:02}-01", 1.0, 1, 1, 1) for year in range(10, 26) for month in range(1, 13))
    before = survey(target("a"), date="2026-11-23", history=long, shards=(Shard(1, 2),))
    history = with_trend(survey(target("a")), before).history
    assert len(history) == MOST_PAST and history[-1].date == "2025-12-01"
