"""What changed between two reports, by reports made by hand."""

from surveys import finding, sample, sample_before, survey, target

from plugin_eval_ci.survey.report import Shard
from plugin_eval_ci.survey.since import since_of

A, B = "skills/a/SKILL.md", "skills/b/SKILL.md"


def paths(targets):
    return [one.path for one in targets]


def test_a_week_in_one_picture():
    since = since_of(sample_before(), sample())
    assert since.date == "2026-11-23" and since.why == ""
    assert paths(since.added) == ["skills/alone/SKILL.md"]
    assert paths(since.gone) == ["skills/old/SKILL.md"]
    assert [(c.before.path, c.after.path) for c in since.moved] == [
        ("plugins/shop/skills/tags/SKILL.md", "plugins/shop/skills/labels/SKILL.md")
    ]
    assert [(c.after.path, c.difference) for c in since.worse] == [
        ("plugins/shop/skills/counting/SKILL.md", -8.5),
        ("plugins/shop", -5.25),
    ]
    assert [c.difference for c in since.better] == [7.0, 3.0]
    assert [c.after.path for c in since.lost] == ["skills/broken/SKILL.md"]
    assert [f.rule for f in since.new] == ["LISTING_BUDGET", "MISSING_TRIGGER"]
    assert [f.rule for f in since.fixed] == ["BODY_TODO"]


def test_the_same_report_twice_changed_nothing():
    since = since_of(sample(), sample())
    assert len(since.changes) == len(sample().targets)
    for nothing in (
        since.added,
        since.gone,
        since.moved,
        since.better,
        since.worse,
        since.lost,
        since.new,
        since.fixed,
    ):
        assert nothing == ()


def test_a_moved_skill_brings_nothing_new():
    before = survey(target(A, 70.0, content="x", findings=[finding(path=A)]))
    since = since_of(before, survey(target(B, 70.0, content="x", findings=[finding(path=B)])))
    assert [(c.before.path, c.after.path) for c in since.moved] == [(A, B)]
    assert (since.added, since.gone, since.new, since.fixed) == ((), (), (), ())


def test_two_copies_are_not_guessed_to_have_moved():
    before = survey(target(A, content="x"), target(B, content="x"))
    after = survey(target("c/SKILL.md", content="x"), target("d/SKILL.md", content="x"))
    since = since_of(before, after)
    assert since.moved == () and len(since.added) == len(since.gone) == 2


def test_an_empty_text_moves_nowhere():
    before, after = target(A)._replace(content=""), target(B)._replace(content="")
    assert since_of(survey(before), survey(after)).moved == ()


def test_findings_are_counted_with_their_number():
    one, two = survey(target(A, findings=[finding(path=A)])), survey(target(A, findings=[finding(path=A, line=9)] * 2))
    assert len(since_of(one, two).new) == 1 and since_of(two, one).new == ()
    assert len(since_of(two, one).fixed) == 1


def test_findings_of_what_is_added_are_new_and_of_what_is_gone_are_not_fixed():
    before = survey(target(A, content="x", findings=[finding(path=A)]))
    after = survey(target(B, content="y", findings=[finding(path=B)]))
    since = since_of(before, after)
    assert [f.path for f in since.new] == [B] and since.fixed == ()


def test_findings_of_no_target_are_compared_too():
    before = survey(target(A), findings=[finding("MP_DUPLICATE", "marketplace.json")])
    since = since_of(before, survey(target(A), findings=[finding("MP_SOURCE_MISSING", "marketplace.json")]))
    assert [f.rule for f in since.new] == ["MP_SOURCE_MISSING"]
    assert [f.rule for f in since.fixed] == ["MP_DUPLICATE"]


def test_numbers_of_another_methodology_or_depth_are_not_compared():
    before = survey(target(A, 10.0))
    assert len(since_of(before, survey(target(A, 90.0))).better) == 1
    other = since_of(before._replace(methodology="plugin-eval-v2"), survey(target(A, 90.0)))
    assert other.better == () and "plugin-eval-v2" in other.why
    deeper = since_of(survey(target(A, 10.0), depth="deep"), survey(target(A, 90.0)))
    assert deeper.better == () and "depth deep" in deeper.why


def test_of_a_part_nothing_is_said_to_be_added_or_gone():
    part = survey(target(A), shards=(Shard(1, 2),))
    since = since_of(survey(target(B, findings=[finding(path=B)])), part)
    assert since.added == () == since.gone and since.new == ()


def test_two_plugins_in_one_folder_are_two():
    one, two = (target("kit", 60.0, "plugin", name=name) for name in ("first", "second"))
    since = since_of(survey(one, two), survey(one, two._replace(score=70.0)))
    assert [(c.after.name, c.difference) for c in since.better] == [("second", 10.0)]
