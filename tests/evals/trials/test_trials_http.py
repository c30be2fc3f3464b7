"""Whole runs of trials through the client and the vendor's SDK against a service of our own: what is paid, kept and played back."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from fake_messages import Fail, FakeMessages, Say, Seen
from killed_trials import CONCURRENCY, FIELD, PROMPTS, SETTINGS, options, trials
from skills_here import BODY

from plugin_eval_ci.evals.trials.catalogue import catalogue_of
from plugin_eval_ci.evals.trials.triggering.run import controls, run_order
from plugin_eval_ci.evals.trials.values import Settings
from plugin_eval_ci.scoring.spending import Rate

DRIVER = Path(__file__).with_name("killed_trials.py")
CHEAP = (("claude-haiku-4-5", Rate(1, 5)), ("claude-haiku-5-5", Rate(1, 5)))


@pytest.fixture
def fake():
    with FakeMessages() as running:
        yield running


def model(seen: Seen) -> Say:
    """Decides by what it was asked in which list: looks around first in half of the cases, then starts a skill or answers."""
    dice = random.Random(f"{seen.asked}{seen.turn}")
    if not seen.turn and dice.random() < 0.5:
        return Say("y" * 350, calls=[("Bash", {"command": "ls -la"})], usage=None, delay=0.005)
    if dice.random() < 0.7:
        return Say("y" * 350, calls=[("Skill", {"skill": "sql-tuner", "args": "now"})], usage=None, delay=0.005)
    return Say("y" * 420, usage=None, delay=0.005)


def went(fake: FakeMessages, tmp_path: Path, **more: object):
    return asyncio.run(trials(options(fake.url, str(tmp_path / "cache"))._replace(**more)))


def test_the_service_takes_what_is_sent_and_no_body_is_in_it(fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(model)
    made = went(fake, tmp_path)
    assert Counter(one.usable for one in made) == {True: 120}, "the service refused nothing"
    assert {one.result for one in made} == {"chose", "answered"}
    assert {one.turns for one in made} == {1, 2}
    for seen in fake.messages():
        text = json.dumps(seen.body)
        assert BODY not in text and "SECRETBODY" not in text
        assert text.count('"cache_control"') == 2
        assert seen.body["tools"][0]["name"] == "Skill"
        assert seen.body["messages"][0]["content"][-1]["text"] in {prompt.text for prompt in PROMPTS}
    beginnings = {json.dumps([seen.body["tools"], seen.body["system"], seen.body["messages"][0]["content"][0]]) for seen in fake.messages()}  # fmt: skip
    assert len(beginnings) == SETTINGS.orders, "one beginning for the cache of the service for each order"


def test_a_run_killed_at_random_moments_goes_on_and_pays_nothing_twice(fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(model)
    words = [sys.executable, str(DRIVER), fake.url, str(tmp_path / "cache"), "12", "5"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    killed = [one for one in runs[:-1] if one["status"] == 9]
    assert len([one for one in killed if one["keys"]]) >= 5, "too few were killed in the middle: the test tests nothing"
    handed_on = [key for one in runs for key in one["keys"]]
    assert len(handed_on) == len(set(handed_on)), "an answer that was handed on was paid for again"
    needed = sum(one.turns for one in went(fake, tmp_path, replay=True, key=""))
    assert 0 <= fake.calls - needed <= CONCURRENCY * len(killed), "only what was on the wire at the moment can be lost"
    (said,) = runs[-1]["said"]
    with FakeMessages() as other:
        other.on(model)
        whole = went(other, tmp_path / "other")
    assert said == [[one.prompt.id, one.run, one.result, list(one.chosen)] for one in whole], "as if never interrupted"
    assert other.calls == needed


def test_a_replayed_run_is_the_same_to_the_byte_and_opens_no_connection(fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(model)
    tape = str(tmp_path / "tape")
    first = went(fake, tmp_path, cassette=tape, record=True)
    paid, kept = fake.calls, (tmp_path / "tape" / "answers.jsonl").read_bytes()
    again = went(fake, tmp_path, cassette=tape, replay=True, key="", base_url="http://127.0.0.1:9")
    assert json.dumps(again) == json.dumps(first)
    assert (tmp_path / "tape" / "answers.jsonl").read_bytes() == kept and fake.calls == paid
    assert len(kept.splitlines()) == paid


def test_outages_are_excluded_and_only_they_are_asked_again(fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(lambda seen: Fail(529) if seen.turn and random.Random(seen.asked).random() < 0.3 else model(seen))
    first = Counter(one.result for one in went(fake, tmp_path))
    assert 0 < first["infra_error"] < 60
    paid = fake.calls
    fake.on(model)
    second = Counter(one.result for one in went(fake, tmp_path))
    assert second["infra_error"] == 0 and fake.calls - paid == first["infra_error"]


def test_a_cap_is_held_and_leaves_those_that_were_drawn_first(fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(model)
    spent = []
    opened = options(fake.url, str(tmp_path / "cache"))._replace(max_cost=0.15, rates=CHEAP)
    made = asyncio.run(trials(opened, look=lambda client: spent.append(client.usage())))
    assert 0 < spent[0].cost <= 0.15
    ended = {(one.prompt.id, one.run) for one in made if one.usable}
    assert 20 <= len(ended) <= 115
    assert ended == {(prompt.id, number) for prompt, number in run_order(PROMPTS, SETTINGS)[: len(ended)]}
    assert {one.result for one in made if not one.usable} == {"budget"}
    whole = went(fake, tmp_path)
    assert all(one.usable for one in whole)
    assert fake.calls == sum(one.turns for one in whole), "going on pays only for what was not made"


@pytest.mark.parametrize("mode", ["agentic", "lean", "router"])
def test_the_cost_is_estimated_within_a_tenth_of_what_is_billed(fake: FakeMessages, tmp_path: Path, mode: str) -> None:
    settings = Settings(mode=mode)  # type: ignore[arg-type]
    fake.on(lambda seen: Say('{"skills": ["sql-tuner"]}' + " " * 45, usage=None) if seen.schema else model(seen))
    told = []

    def cost(**more: object) -> None:
        opened = options(fake.url, str(tmp_path / "cache"), **more)._replace(rates=CHEAP)
        asyncio.run(
            trials(opened, settings=settings, look=lambda client: told.append((client.stale(), client.usage())))
        )

    cost(estimate=True)
    assert fake.calls == 0
    cost()
    estimate, billed = told[0][0], told[1][1]
    assert billed.calls == fake.calls
    assert estimate.cells == pytest.approx(billed.calls, rel=0.1 if mode == "agentic" else 0)
    assert estimate.cost == pytest.approx(billed.cost, rel=0.1)
    assert estimate.at_most > billed.cost


def test_controls_through_the_service(fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(Say("What do you need?"))
    fake.on(Say("", calls=[("Skill", {"skill": "sql-tuner"})]), prompt="sql-tuner skill now")

    async def go():
        from plugin_eval_ci.evals.llm.anthropic import open_ask

        async with open_ask(options(fake.url, str(tmp_path))) as client:
            return await controls(catalogue_of(FIELD, {}, SETTINGS), ["sql-tuner", "pdf-forms"], SETTINGS, client.ask)

    found = asyncio.run(go())
    assert [(one.skill, one.passed) for one in found] == [("pdf-forms", False), ("sql-tuner", True)]
