"""The subject whose behaviour is known: the same behind HTTP as in this process, and what it is said to be."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from fake_messages import KEY
from skills_here import skill

from plugin_eval_ci.evals.llm.anthropic import Options, open_ask
from plugin_eval_ci.evals.llm.request import Ask
from plugin_eval_ci.evals.trials.catalogue import catalogue_of
from plugin_eval_ci.evals.trials.report_values import Matrix, matrix_of
from plugin_eval_ci.evals.trials.triggering.numbers import Triggering, triggering_numbers
from plugin_eval_ci.evals.trials.triggering.run import controls, run
from plugin_eval_ci.evals.trials.values import Settings, Trial

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
from simulated_plugin import Habit, Nature, Skills, act, moved, plugin, trials_of, truth_of
from simulated_subject import Subject

NAMES = ("p:a", "p:b", "p:c")
FIELD = [skill(name[2:], f"Does what {name[2:]} does, and only that.", plugin="/r/p") for name in NAMES]
SETTINGS = Settings()
LIST = catalogue_of(FIELD, {}, SETTINGS)
NATURE = Nature(place=1.0, looks=0.3, refuses=0.1, stumbles=0.3, invents=0.2)


def world(seed: int):
    return plugin(Skills(NAMES, positives=6, negatives=4), seed)


def in_process(seed: int) -> tuple[Trial, ...]:
    prompts, habits = world(seed)
    return asyncio.run(run(LIST, prompts, SETTINGS, Subject(habits, NATURE, seed).ask))


def over_http(seed: int, cache: Path) -> tuple[Trial, ...]:
    prompts, habits = world(seed)

    async def whole(url: str) -> tuple[Trial, ...]:
        async with open_ask(Options(key=KEY, base_url=url, cache=str(cache), retries=2, timeout=10)) as client:
            return await run(LIST, prompts, SETTINGS, client.ask)

    with Subject(habits, NATURE, seed).serving() as url:
        return asyncio.run(whole(url))


def numbers(trials: tuple[Trial, ...]) -> tuple[list[Triggering], Matrix]:
    found = [triggering_numbers(trials, name) for name in NAMES]
    assert all(isinstance(one, Triggering) for one in found)
    return found, matrix_of(trials, NAMES)


def test_the_whole_road_over_http_gives_the_numbers_of_this_process(tmp_path: Path) -> None:
    """Catalogue, loop, client and numbers, with overloads, refusals, invented names and turns with other tools on the way."""
    there, here = over_http(1, tmp_path), in_process(1)
    assert len(there) == len(here) == 3 * 10 * 3
    assert numbers(there) == numbers(here)
    assert {one.result for one in here} >= {"chose", "answered", "refusal"}
    assert max(one.turns for one in here) == 3
    assert all(one.usage.total > 0 for one in there if one.usable)


def test_no_order_of_requests_changes_anything() -> None:
    prompts, habits = world(3)
    turned = asyncio.run(run(LIST, prompts[::-1], SETTINGS, Subject(habits, NATURE, 3).ask, at_once=1))
    assert numbers(turned) == numbers(in_process(3))


def test_a_prompt_that_names_a_skill_gets_it() -> None:
    ask: Ask = Subject({}).ask
    assert all(one.passed for one in asyncio.run(controls(LIST, NAMES, SETTINGS, ask)))


def test_other_purposes_are_answered_by_who_is_named_for_them() -> None:
    from plugin_eval_ci.evals.llm.request import Block, Request

    subject = Subject({})
    subject.others["judge:"] = lambda asked: f"{asked.purpose} {asked.prompt} {asked.number}"
    request = Request("judge:scope", "opus", (), (Block("what"),))
    said = [asyncio.run(subject.ask(request, sample)).text for sample in (0, 1)]
    assert said == ["judge:scope what 0", "judge:scope what 1"]


NATURES = [Nature(), Nature(looks=0.4), Nature(place=2.0), Nature(place=-2.0, looks=0.2, refuses=0.2, invents=0.5)]


@pytest.mark.parametrize("nature", NATURES)
def test_the_truth_is_what_many_trials_come_to(nature: Nature) -> None:
    """2,000 prompts of each kind, three runs; the bounds are some four standard errors."""
    skills = Skills(("p:a", "p:b"), positives=2_000, negatives=2_000, recall=0.7, false=0.1, icc=0.4)
    prompts, habits = plugin(skills, 5)
    trials = trials_of(prompts, habits, nature, 3, 3, 5)
    truth, usable = truth_of(skills, nature, 3), [one for one in trials if one.usable]
    right = [one for one in usable if one.prompt.expect == ("p:a",)]
    wrong = [one for one in usable if not one.prompt.expect and one.prompt.home == "p:a"]

    def share(part: list[Trial], name: str) -> float:
        return sum(name in one.chosen for one in part) / len(part)

    assert share(right, "p:a") == pytest.approx(truth.recall, abs=0.03)
    assert share(right, "p:b") == pytest.approx(truth.theft, abs=0.02)
    assert share(right, "q:stray") == pytest.approx(truth.strays, abs=0.01)
    assert share(wrong, "p:a") == pytest.approx(truth.false, abs=0.02)
    if not nature.place:
        agreement = triggering_numbers(tuple(right + wrong), "p:a").agreement
        assert agreement.value == pytest.approx(truth.agreement, abs=0.03)


def test_a_place_moves_the_first_chance_and_the_rest_make_room() -> None:
    habit = Habit((("a", 0.5), ("b", 0.2)))
    head, end = moved(habit, 2.0, 0.0), moved(habit, 2.0, 1.0)
    assert head[0][1] > 0.7 > 0.3 > end[0][1]
    for one in (head, end):
        assert one[1][1] / (1 - one[0][1]) == pytest.approx(0.4)
    assert moved(habit, 2.0, None) == moved(habit, 0.0, 0.3) == habit.chances
    assert moved(Habit((("a", 1.0),)), 2.0, 1.0) == (("a", 1.0),)


def test_what_it_does_follows_from_its_key() -> None:
    habit, nature = Habit((("a", 0.5),)), Nature(looks=0.3, refuses=0.1, invents=0.5)
    done = [act(habit, nature, None, 3, str(key)) for key in range(200)]
    assert done == [act(habit, nature, None, 3, str(key)) for key in range(200)]
    assert {one.result for one in done} == {"chose", "answered", "refusal", "invalid_name", "other_tools"}
    assert all(one.looks == 3 for one in done if one.result == "other_tools")
