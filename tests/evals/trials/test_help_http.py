"""Trials of help and the panel through the client and the vendor's SDK against a service of our own."""

from __future__ import annotations

import asyncio
import json
import random
import re
from pathlib import Path

import pytest
from fake_messages import Fail, FakeMessages, Say, Seen
from killed_trials import options
from skills_here import skill

from plugin_eval_ci.evals.llm.anthropic import open_ask
from plugin_eval_ci.evals.trials.lift.numbers import LiftResult
from plugin_eval_ci.evals.trials.lift.run import measure_lift
from plugin_eval_ci.evals.trials.panel import panel_layer
from plugin_eval_ci.evals.trials.values import Settings, Unmeasurable
from plugin_eval_ci.scoring.measurement import Measurement
from plugin_eval_ci.scoring.spending import Rate

SKILL = skill("sql-tuner", "Rewrites slow SQL. Use when a query is slow.")
RATES = tuple(
    (name, Rate(1, 5))
    for name in (
        "claude-haiku-4-5",
        "claude-haiku-5-5",
        "claude-sonnet-5",
        "claude-sonnet-5-5",
        "claude-opus-5",
        "claude-opus-5-5",
    )
)


@pytest.fixture
def fake():
    with FakeMessages() as running:
        running.on(model)
        yield running


def model(seen: Seen) -> Say:
    """Does tasks at a level that the skill lifts, compares by it, and judges everything useful."""
    dice = random.Random(seen.prompt)
    if seen.purpose == "help:tasks":
        return Say(json.dumps({"tasks": [f"Task {n}: a slow query. " + "z" * 360 for n in range(8)]}), usage=None)
    if seen.purpose in ("help:with", "help:without"):
        level = dice.randint(1, 4) + 3 * (seen.purpose == "help:with")
        return Say(f"An answer of level {level}\n" + "z" * 3_100, usage=None)
    if seen.purpose == "help:grade":
        levels = [int(one) for one in re.findall(r"An answer of level (\d)", seen.prompt)]
        quotes = [{"answer": "first", "text": f"An answer of level {levels[0]}"}]
        verdict = "first" if levels[0] > levels[1] else "second" if levels[1] > levels[0] else "tie"
        return Say(json.dumps({"reason": "r" * 760, "quotes": quotes, "verdict": verdict}), usage=None)
    properties = (seen.schema or {}).get("properties", {})
    data: dict = {"reason": "r" * 710, "quotes": [], "score": 0.75}
    if "predictions" in properties:
        rows = [{"message": "m" * 80, "intended": n < 5, "chosen": n < 5} for n in range(10)]
        data = {"predictions": rows, "f1": 1}
    if "tasks" in properties:
        data = {"tasks": [{"task": "t" * 120, "reason": "r" * 310, "score": 0.5}] * 3}
    return Say(json.dumps(data), usage=None)


def went(fake: FakeMessages, tmp_path: Path, what, **more: object):
    """What a run came to; and its client's estimate and bill."""

    async def go():
        opened = options(fake.url, str(tmp_path / "cache"))._replace(rates=RATES, **more)
        async with open_ask(opened) as client:
            found = await what(client.ask)
            return found, client.stale(), client.usage()

    return asyncio.run(go())


def helping(ask):
    return measure_lift(SKILL, ask, Settings())


def judging(ask):
    return panel_layer(SKILL, ask)


def test_a_run_with_drafted_tasks_is_played_back_to_the_byte(fake: FakeMessages, tmp_path: Path) -> None:
    tape = str(tmp_path / "tape")
    first, _, usage = went(fake, tmp_path, helping, cassette=tape, record=True)
    assert isinstance(first, LiftResult)
    assert (first.author, len(first.by_task), len(first.pairs)) == ("sonnet", 8, 24)
    assert first.wins > 20 and first.losses == 0
    assert first.tokens.cost is not None and first.tokens.cost > 0
    paid = fake.calls
    assert usage.calls == paid == 1 + 48 + 48
    again, _, replayed = went(
        fake, tmp_path, helping, cassette=tape, replay=True, key="", base_url="http://127.0.0.1:9"
    )
    assert again == first
    assert (fake.calls, replayed.calls) == (paid, 0)


def test_only_the_answers_of_the_skill_side_know_the_skill(fake: FakeMessages, tmp_path: Path) -> None:
    went(fake, tmp_path, helping)
    for seen in fake.messages():
        assert ("SECRETBODY" in json.dumps(seen.body)) == (seen.purpose == "help:with"), seen.purpose


def test_what_was_cut_short_goes_on_without_paying_twice(fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(Fail(529), purpose="help:grade")
    first, _, _ = went(fake, tmp_path, helping)
    assert isinstance(first, Unmeasurable) and "infra error" in first.reason
    fake.on(model)
    before = len([seen for seen in fake.messages() if seen.purpose != "help:grade"])
    second, _, _ = went(fake, tmp_path, helping)
    assert isinstance(second, LiftResult)
    assert len([seen for seen in fake.messages() if seen.purpose != "help:grade"]) == before


@pytest.mark.parametrize("what", [helping, judging])
def test_the_cost_is_estimated_within_a_tenth_of_what_is_billed(fake: FakeMessages, tmp_path: Path, what) -> None:
    _, estimate, _ = went(fake, tmp_path, what, estimate=True)
    assert fake.calls == 0
    _, _, billed = went(fake, tmp_path, what)
    assert estimate.cells == billed.calls == fake.calls
    assert estimate.cost == pytest.approx(billed.cost, rel=0.1)
    assert estimate.at_most > billed.cost


def test_a_panel_through_the_service(fake: FakeMessages, tmp_path: Path) -> None:
    found, _, usage = went(fake, tmp_path, judging)
    assert isinstance(found, Measurement)
    assert usage.calls == 4 * 3 * 2  # this skill has no code
    assert found.dimension("triggering_accuracy") == 1.0
    assert len({seen.model for seen in fake.messages()}) == 3
