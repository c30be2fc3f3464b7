"""What the model is shown: who stands in the list, in which orders, and what was cut."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from skills_here import skill

import plugin_eval_ci.evals.trials
from plugin_eval_ci.evals.trials.catalogue import LEAST_DISTRACTORS, TWIN, _likeness, catalogue_of, shelf
from plugin_eval_ci.evals.trials.triggering.profile import profile
from plugin_eval_ci.evals.trials.values import Settings

SQL = "Rewrites slow SQL for PostgreSQL with indexes and window functions. Use when a query plan shows a full scan."
FIELD = [
    skill("sql-tuner", SQL),
    skill("pdf-forms", "Fills in form fields of PDF files and reads tables and text out of scanned pages."),
    skill("commit-words", "Writes commit messages with a short subject and the reasons in the body."),
]


def test_the_shelf_is_large_pinned_and_in_many_fields() -> None:
    file = Path(plugin_eval_ci.evals.trials.__file__).parent / "data" / "distractors.json"
    rows = json.loads(file.read_text("utf-8"))["skills"]
    assert len(rows) >= 60
    assert len({row["name"].rpartition(":")[2] for row in rows}) == len(rows)
    assert len({row["about"] for row in rows}) >= 10
    assert all(re.fullmatch(r"([a-z0-9-]+:)?[a-z0-9-]{1,64}", row["name"]) for row in rows)
    assert all(80 <= len(row["description"]) <= 400 and row["description"].endswith(".") for row in rows)
    assert len(shelf().entries) == len(rows)


@pytest.mark.parametrize(("many", "distractors"), [(1, 19), (3, 17), (12, 8), (30, 8)])
def test_siblings_and_distractors_fill_the_list_with_at_least_eight_distractors(many: int, distractors: int) -> None:
    field = [skill(f"own-{number}", f"Does the {number}th of our own odd jobs with care.") for number in range(many)]
    made = catalogue_of(field, {}, Settings())
    assert (len(made.skills), len(made.distractors)) == (many, distractors)
    assert len(made.entries) == many + distractors >= 20 or many + LEAST_DISTRACTORS >= 20
    assert {entry.name for entry in made.entries} == {*made.skills, *made.distractors}


def test_half_of_the_distractors_are_like_the_skills_and_half_are_not() -> None:
    made = catalogue_of([FIELD[0]], {}, Settings())
    likeness = _likeness([entry for entry in made.entries if entry.name in made.skills], shelf().entries)
    like = {name for name in made.distractors if likeness[name] > 0}
    assert {"data-kit:dbt-models", "container-images"} <= like
    assert (len(like), len(made.distractors)) == (10, 19)
    best = sorted((value for value in likeness.values() if value < TWIN), reverse=True)[:10]
    assert sorted((likeness[name] for name in like), reverse=True) == best


def test_a_distractor_that_does_the_same_or_is_called_the_same_is_left_out() -> None:
    ours = next(entry for entry in shelf().entries if entry.name == "release-notes")
    twin = catalogue_of([skill("changes", ours.text)], {}, Settings(catalogue=200))
    named = catalogue_of([skill("unit-tests", "Grows tomatoes.")], {}, Settings(catalogue=200))
    assert "release-notes" not in twin.distractors
    assert "test-kit:unit-tests" not in named.distractors
    assert "release-notes" in named.distractors and "test-kit:unit-tests" in twin.distractors


def test_the_order_in_which_skills_are_found_changes_nothing() -> None:
    one = catalogue_of(FIELD, {}, Settings())
    for number in range(5):
        mixed = list(FIELD)
        random.Random(number).shuffle(mixed)
        assert catalogue_of(mixed, {}, Settings()) == one
    assert catalogue_of(FIELD, {}, Settings(seed=1)).digest != one.digest


@pytest.mark.parametrize("orders", [1, 2, 4, 7])
def test_orders_are_rotations_evenly_apart_and_the_skill_is_not_always_at_one_end(orders: int) -> None:
    made = catalogue_of(FIELD, {}, Settings(orders=orders))
    first = made.orders[0]
    assert len(set(made.orders)) == orders
    for order in made.orders:
        assert sorted(order) == list(range(len(made.entries)))
        start = first.index(order[0])
        assert order == first[start:] + first[:start]
    places = [made.position("sql-tuner", number) for number in range(orders)]
    assert len(set(places)) == orders and None not in places
    if orders >= 4:
        thirds = Counter(place * 3 // len(made.entries) for place in places if place is not None)
        assert len(thirds) == 3, "each third of the list is seen"
    assert made.position("nobody", 0) is None


def test_what_is_cut_dropped_and_hidden_is_told() -> None:
    long = skill("long-winded", "Explains. " * 200)
    hidden = skill("by-hand", "Deploys.", "disable-model-invocation: true\n")
    made = catalogue_of([*FIELD, long, hidden], {}, Settings())
    assert (made.truncated, made.dropped) == (("long-winded",), ())
    assert "by-hand" not in made.skills
    (shown,) = [entry for entry in made.entries if entry.name == "long-winded"]
    assert len(shown.text) == 1_536
    assert "by-hand" not in {entry.name for entry in made.entries}
    crowd = [skill(f"wide-{number}", f"{number} " + "word " * 190) for number in range(12)]
    full = catalogue_of(crowd, {}, Settings())
    assert full.dropped and set(full.dropped) < set(full.skills)
    assert all(entry.text == "" for entry in full.entries if entry.name in full.dropped)
    assert catalogue_of(crowd, {}, Settings(window=1_000_000)).dropped == ()
    assert sum(len(entry.line) + 1 for entry in full.entries) <= 8_000


def test_distractors_give_way_before_a_skill_under_test() -> None:
    field = [skill(f"wide-{number}", "word " * 200) for number in range(7)]
    made = catalogue_of(field, {}, Settings())
    assert made.dropped == ()
    assert any(entry.text == "" for entry in made.entries if entry.name in made.distractors)


def test_two_revisions_may_stand_among_the_same_distractors() -> None:
    base = catalogue_of([FIELD[0]], {}, Settings())
    head = skill("sql-tuner", "Plants trees and bakes cakes for birthdays.")
    assert catalogue_of([head], {}, Settings()).distractors != base.distractors
    again = catalogue_of([head], {}, Settings(), base.distractors)
    assert (again.distractors, again.orders) == (base.distractors, base.orders)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("store:sql-tuner", "store:sql-tuner"),
        ("sql-tuner", "store:sql-tuner"),
        ("/sql-tuner", "store:sql-tuner"),
        (" /store:sql-tuner ", "store:sql-tuner"),
        ("dbt-models", "data-kit:dbt-models"),
        ("other:sql-tuner", None),
        ("tuner", None),
        ("", None),
        ("/", None),
        ("SQL-TUNER", None),
        ("twice", None),
        ("a:twice", "a:twice"),
    ],
)
def test_which_skill_a_name_means(written: str, meant: str | None) -> None:
    field = [
        skill("sql-tuner", SQL, plugin="/r/store"),
        skill("twice", "Does one thing.", plugin="/r/a"),
        skill("twice", "Does another thing.", plugin="/r/b"),
    ]
    assert catalogue_of(field, {}, Settings()).meant(written) == meant


def test_the_profile_is_ours_versioned_and_without_a_date_in_what_is_sent() -> None:
    shown = profile()
    assert shown.name == "claude-code-2.1" and len(shown.digest) == 16
    assert shown.skill.name == "Skill" and set(shown.skill.schema["properties"]) == {"skill", "args"}  # type: ignore[call-overload]
    assert shown.offered("agentic")[0] == shown.skill
    assert {tool.name for tool in shown.tools} == {"Bash", "Read", "Glob", "Grep", "Edit", "Write"}
    assert shown.offered("lean") == (shown.skill,) and shown.offered("router") == ()
    sent = shown.persona + shown.before + shown.after + "".join(tool.description for tool in shown.offered("agentic"))
    assert not re.search(r"20\d\d|\{root\}", sent)
    assert "{name}" in shown.asked_for
