"""How calls are paced: as many at once as allowed, fewer when it is too much, a shared beginning first, in an order of the seed's."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import fake_messages
import pytest
from claude_runs import request
from fake_messages import Fail, Say

from plugin_eval_ci.evals.llm.anthropic import Options, open_ask
from plugin_eval_ci.evals.llm.anthropic.executor import CallQueue
from plugin_eval_ci.evals.llm.anthropic.sdk import Message, Service
from plugin_eval_ci.evals.llm.request import Block, Reply, Request
from plugin_eval_ci.scoring.spending import Usage

LONG = Block("word " * 2_000, cached=True)


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """A server that needs 200 ms a call, in a process of its own."""
    words = [sys.executable, str(Path(fake_messages.__file__)), "0.2"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.communicate()


@pytest.mark.outside  # measures time: other tests on the same processors would be measured, too
def test_50_calls_of_200_ms_take_calls_by_time_by_concurrency(elsewhere) -> None:
    ideal, took = 50 * 0.2 / Options().concurrency, []

    async def once(turn: int) -> None:
        async with open_ask(Options(key="k", base_url=elsewhere)) as client:
            await client.ask(request("warm"), turn)  # connections and modules are no part of it
            start = time.perf_counter()
            outcomes = await asyncio.gather(*(client.ask(request(), 50 * turn + n) for n in range(50)))
            took.append(time.perf_counter() - start)
            assert all(isinstance(outcome, Reply) for outcome in outcomes)

    for turn in range(8):  # the machine may be busy with something else
        asyncio.run(once(turn))
        if took[-1] <= 1.15 * ideal:
            break
    assert ideal <= min(took) <= 1.15 * ideal, took


def test_memory_is_flat_at_5000_calls(monkeypatch, tmp_path) -> None:
    """All but the SDK, which test_outside_models.py takes in."""

    async def send(self: Service, body: dict[str, object], purpose: str, model: str) -> Message:
        await asyncio.sleep(0)
        return Message("x" * 2_000, "end_turn", Usage(100, 20), model, 0.1)

    async def known(self: Service, name: str):
        from plugin_eval_ci.evals.llm.models import table

        return table().model(name)

    monkeypatch.setattr(Service, "send", send)
    monkeypatch.setattr(Service, "model", known)

    async def many() -> list[int]:
        peaks = []
        async with open_ask(Options(key="k", cache=str(tmp_path), progress=True)) as client:
            for part in range(5):
                await asyncio.gather(*(client.ask(request("y" * 2_000), 1_000 * part + n) for n in range(1_000)))
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
            assert client.usage().calls == 5_000
        return peaks

    peaks = asyncio.run(many())
    assert peaks[-1] - peaks[0] < 4_000, f"kilobytes after each 1,000 calls: {peaks}"


def test_no_more_at_once_than_allowed(fake, run) -> None:
    fake.on(Say(delay=0.05))
    run(*((request(), n) for n in range(12)), concurrency=3)
    assert fake.most_at_once == 3


def test_the_queue_halves_when_it_is_too_much_and_grows_slowly() -> None:
    now = [0.0]
    queue = CallQueue(8, lambda: now[0])
    for _ in range(5):
        queue.slow()
    assert queue.limit == 4, "refusals of one moment count once"
    now[0] = 2.0
    queue.slow()
    now[0] = 4.0
    queue.slow()
    now[0] = 6.0
    queue.slow()
    assert queue.limit == 1
    grown = []
    for _ in range(40):
        queue.running += 1
        queue.leave(True)
        grown.append(queue.limit)
    assert grown[0] == 2 and grown[1:3] == [2, 3] and grown[-1] == 8
    queue.running += 1
    queue.leave(False)
    assert (queue.limit, queue.running) == (8, 0)


def test_a_refusal_of_the_service_slows_everything_down(fake, run) -> None:
    fake.on(Fail(429, retry_after=0.1), *[Say(delay=0.05)] * 30)
    run(*((request(), n) for n in range(30)), concurrency=8, retries=3)
    late = sorted(fake.messages(), key=lambda seen: seen.at)[9:15]
    at_once = max(sum(other.at <= one.at < other.ended for other in late) for one in late)
    assert at_once <= 6, "eight at once had to become four"


def test_a_shared_beginning_is_sent_once_before_the_others_and_is_the_same_to_the_byte(fake, run) -> None:
    fake.on(Say(delay=0.1))
    run(*((Request("p", "haiku", (LONG,), (Block(f"question {n}"),)), 0) for n in range(8)), concurrency=8)
    first, *others = sorted(fake.messages(), key=lambda seen: seen.at)
    assert all(other.at >= first.ended for other in others)
    assert 4 <= fake.most_at_once <= 7  # seven where the machine has nothing else to do
    assert len({str(seen.body["system"]) for seen in fake.messages()}) == 1
    assert first.body["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert "cache_control" not in str(first.body["messages"])


def test_a_beginning_too_short_to_be_cached_keeps_nobody_waiting(fake, run) -> None:
    fake.on(Say(delay=0.2))
    run(*((Request("p", "haiku", (Block("short", True),), (Block(str(n)),)), 0) for n in range(6)), concurrency=6)
    assert fake.most_at_once == 6


def test_a_first_call_that_fails_keeps_nobody_waiting_for_ever(fake, run) -> None:
    fake.on(Fail(500), Say())
    outcomes = run(*((Request("p", "haiku", (LONG,), (Block(str(n)),)), 0) for n in range(6)))
    assert [isinstance(outcome, Reply) for outcome in outcomes].count(True) == 5


def test_never_more_than_four_breakpoints(fake, run) -> None:
    blocks = tuple(Block(f"{n}", cached=True) for n in range(6))
    run((Request("p", "haiku", blocks, blocks), 0))
    (seen,) = fake.messages()
    assert str(seen.body).count("cache_control") == 4


def test_the_order_is_random_but_the_seeds(fake, run) -> None:
    def order(seed: int) -> list[str]:
        before = len(fake.messages())
        run(*((request(str(n)), 0) for n in range(12)), concurrency=1, seed=seed, cache=None)
        return [seen.prompt for seen in fake.messages()[before:]]

    one, again, other = order(1), order(1), order(2)
    assert one == again != other
    assert sorted(one) == sorted(other) and one != sorted(one, key=int)
