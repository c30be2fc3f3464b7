"""What is listed, what it takes, and which descriptions are dropped."""

import os
import subprocess
import sys

import pytest

from plugin_eval_ci.analysis.listing import Entry, entries_of, is_listed, listing_of, listing_text, simulate_listing
from plugin_eval_ci.parse.documents import Location, parse_skill
from plugin_eval_ci.parse.source import decode


def skill(header, plugin=None, name="stock-report"):
    place = Location(f"/r/skills/{name}/SKILL.md", f"skills/{name}/SKILL.md", "/r", plugin)
    return parse_skill(place, decode(f"---\n{header}\n---\n\nText.\n".encode(), place.file, place.path))


def entry(name, characters):
    """An entry whose line has so many characters."""
    return Entry(name, "d" * (characters - len(f"- {name}: ")))


@pytest.mark.parametrize(
    ("header", "listed"),
    [
        ("description: x", True),
        ("description: x\ndisable-model-invocation: true", False),
        ("description: x\ndisable-model-invocation: 'Yes'", False),
        ("description: x\ndisable-model-invocation: false", True),
        ("description: x\nuser-invocable: false", True),
        ("description: x\npaths: 'src/**'", False),
        ("description: x\npaths: ['src/**']", False),
        ("description: x\npaths: []", True),
        ("description: x\npaths:", True),
        ("description: [", True),
    ],
)
def test_who_is_listed(header, listed):
    assert is_listed(skill(header)) is listed
    assert bool(entries_of([skill(header)], {})) is listed


def test_a_plugin_stands_before_the_name():
    header = "name: stock-report\ndescription: Counts."
    (plain,) = entries_of([skill(header)], {})
    (named,) = entries_of([skill(header, "/r/p")], {"/r/p": "store"})
    (folder,) = entries_of([skill(header, "/r/p")], {})
    assert (plain.line, plain.bare) == ("- stock-report: Counts.", "- stock-report")
    assert (named.name, folder.name) == ("store:stock-report", "p:stock-report")


def test_both_texts_are_joined_and_cut():
    whole = skill(f"description: {'a' * 1000}\nwhen_to_use: {'b' * 533}")
    assert listing_text(whole) == (f"{'a' * 1000} - {'b' * 533}", "")
    shown, lost = listing_text(skill(f"description: {'a' * 1000}\nwhen_to_use: {'b' * 600}"))
    assert len(shown) == 1_536 and shown.endswith("b…")
    assert lost == "b" * (600 - 532)
    assert listing_text(skill("when_to_use: Always.")) == ("Always.", "")
    assert listing_text(skill("name: x")) == ("", "")
    assert entries_of([skill("name: x")], {})[0].line == "- x"


def test_everything_fits_up_to_the_last_character():
    skills = [entry("one", 3_999), entry("two", 3_999)]
    full = simulate_listing(skills, 2_000)
    assert (full.used, full.budget, full.kept, full.dropped) == (8_000, 8_000, ("one", "two"), ())
    assert not full.overflows
    over = simulate_listing([*skills, entry("six", 100)], 2_000)
    assert over.overflows and over.dropped == ("two",) and over.kept == ("one", "six")


def test_a_shorter_one_still_has_its_place():
    assert simulate_listing([entry("big", 500), entry("small", 100)], 30) == (602, 120, ("small",), ("big",))


def test_names_that_are_too_many_keep_no_description():
    skills = [entry(f"skill-{number}", 300) for number in range(10)]
    done = simulate_listing(skills, 5)
    assert done.kept == () and len(done.dropped) == 10


def test_a_skill_without_a_description_loses_none():
    assert simulate_listing([Entry("bare", ""), entry("big", 500)], 25) == (508, 100, ("bare",), ("big",))
    assert simulate_listing([], 0) == (0, 0, (), ())


def test_more_room_never_drops_more():
    skills = [entry(f"skill-{number}", 60 + number * 37 % 400) for number in range(50)]
    counts = [len(simulate_listing(skills, budget).dropped) for budget in range(0, 4_000, 500)]
    assert counts == sorted(counts, reverse=True) and counts[-1] == 0


def test_a_listing_has_two_context_windows_and_an_estimate():
    listing = listing_of([entry("one", 4_999), entry("two", 4_999)])
    assert (listing.skills, listing.characters, listing.tokens) == (2, 10_000, 2_500)
    assert [(window, one.budget, one.dropped) for window, one in listing.budgets] == [
        (200_000, 8_000, ("two",)),
        (1_000_000, 40_000, ()),
    ]


def test_the_rules_load_neither_budget_nor_host():
    code = "import sys, plugin_eval_ci.rules; print([m for m in sys.modules if '.analysis.listing' in m or '.host_needs' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.strip() == "[]", done.stderr
