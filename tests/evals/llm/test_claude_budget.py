"""Money: a cap that is never passed, an estimate that sends nothing, prices that are not known, and how it is shown."""

from __future__ import annotations

import asyncio
import io

import pytest
from claude_runs import SCHEMA, request
from fake_messages import Hang, Say

from plugin_eval_ci.evals.llm.anthropic import open_ask
from plugin_eval_ci.evals.llm.anthropic.client import Progress
from plugin_eval_ci.evals.llm.budget import Budget, Forecast, Tally, tokens_of
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.evals.llm.request import Failure, Reply, StopError
from plugin_eval_ci.scoring.spending import Price, Rate, Spending, Usage, dollars, total, worst

OPUS = "claude-opus-5"  # 5 and 25 dollars a million tokens


def test_prices_by_hand() -> None:
    models = table().models
    opus, haiku, sonnet = (models[f"claude-{name}"].price for name in ("opus-5", "haiku-5-5", "sonnet-5-5"))
    assert opus.cost(Usage(1_000_000, 1_000_000)) == 30
    assert opus.cost(Usage(0, 0, 1_000_000, 1_000_000)) == pytest.approx(5 * 1.25 + 5 * 0.1)
    assert haiku.cost(Usage(100_000, 1_000)) == pytest.approx(0.0105)
    assert haiku.cost(Usage(50_000, 1_000, 30_000, 20_001)) == pytest.approx(
        (50_000 + 37_500 + 2_000.1) * 0.5e-6 + 0.0025
    )
    assert sonnet.cost(Usage(0, 0, 0, 1_000_000)) == pytest.approx(0.1)
    assert opus.cost(Usage()) == 0


def test_the_table_is_dated_complete_and_knows_snapshots() -> None:
    known = table()
    assert known.date >= "2026-11-30"
    assert set(known.tiers) == {"haiku", "sonnet", "opus"}
    assert set(known.tiers.values()) <= set(known.models)
    assert known.model("claude-haiku-4-5-20251001").price == known.models["claude-haiku-4-5"].price
    assert known.model("my-model").price is None
    assert known.model("my-model", (("my-model", Rate(1, 2)),)).price == Price(Rate(1, 2))
    assert known.model("claude-opus-4-1-20250805").retired == "2026-08-05"


def test_what_is_not_known_is_not_nothing() -> None:
    assert total([1.0, None]) is None
    assert total([]) == 0
    assert [dollars(cost) for cost in (None, 0.0, 0.004, 0.04, 1234.5)] == [
        "unknown",
        "$0.00",
        "less than $0.01",
        "$0.04",
        "$1,234.50",
    ]
    tally = Tally()
    tally.paid("a", Usage(1_000_000), Price(Rate(2, 10)))
    tally.paid("b", Usage(5), None)
    tally.recorded("c")
    spent = tally.spent()
    assert [(one.model, one.calls, one.recorded, one.cost) for one in spent.models] == [
        ("a", 1, 0, 2.0),
        ("b", 1, 0, None),
        ("c", 0, 1, 0.0),
    ]
    assert (spent.cost, spent.calls, spent.recorded, spent.tokens) == (None, 2, 1, 1_000_005)


def test_a_cap_waits_for_what_is_under_way_and_then_is_closed_for_good() -> None:
    budget = Budget(1.0)
    assert [budget.reserve(0.6), budget.reserve(0.6)] == ["yes", "wait"]
    budget.settle(0.6, 0.1)
    assert budget.reserve(0.6) == "yes"
    budget.settle(0.6, 0.6)
    assert [budget.reserve(0.6), budget.reserve(0.01)] == ["no", "no"]
    assert budget.spent == pytest.approx(0.7)
    assert Budget(None).reserve(1e9) == "yes"


def test_the_cap_is_not_passed_whatever_answers_cost(fake, run) -> None:
    """An answer uses all it may: 1,000 tokens, 2.5 cents each."""
    fake.on(lambda seen: Say(usage={"input_tokens": 40, "output_tokens": 1_000}, delay=0.01))
    spent: list[Spending] = []
    cells = [(request(model="claude-haiku-4-5", max_tokens=1_000), n) for n in range(100)]
    outcomes = run(*cells, max_cost=0.1, look=lambda client: spent.append(client.usage()))
    kinds = [getattr(outcome, "kind", "reply") for outcome in outcomes]
    assert set(kinds) == {"reply", "budget"}
    assert 0.08 < spent[0].cost <= 0.1
    assert kinds.count("reply") == fake.calls == round(spent[0].cost / 0.00504)
    assert "cap of $0.1" in next(outcome.reason for outcome in outcomes if isinstance(outcome, Failure))


def test_a_cap_that_is_wide_enough_refuses_nothing(fake, run) -> None:
    outcomes = run(*((request(), n) for n in range(30)), max_cost=1.0)
    assert all(isinstance(outcome, Reply) for outcome in outcomes)


def test_a_call_that_timed_out_may_have_been_paid_for(fake, run) -> None:
    fake.on(Hang(3))
    price = table().models[OPUS].price
    one = request(model=OPUS, max_tokens=1_000)
    outcomes = run(
        (one, 0), (one, 1), concurrency=1, timeout=0.5, max_cost=1.5 * worst(tokens_of(one), price, 1_000 + 4_096)
    )
    assert [outcome.kind for outcome in outcomes].count("timeout") == 1
    assert [outcome.kind for outcome in outcomes].count("budget") == 1


def test_an_unknown_price_refuses_a_cap_and_is_shown_as_unknown(fake, run) -> None:
    with pytest.raises(StopError, match="price of 'my-model' is not known"):
        run((request(model="my-model"), 0), max_cost=5)
    assert fake.calls == 0
    spent: list[Spending] = []
    run((request(model="my-model"), 0), look=lambda client: spent.append(client.usage()))
    assert spent[0].cost is None
    run((request("b", model="my-model"), 0), max_cost=5, rates=(("my-model", Rate(1, 2)),))
    assert fake.calls == 2


def test_an_estimate_sends_nothing_and_goes_through_all_that_would_be_asked(fake, run) -> None:
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "list": {"type": "array", "minItems": 3, "items": {"type": "string"}}},
              "required": ["list"]}  # fmt: skip
    looked = []
    cells = [(request("x" * 3_500, model=OPUS, schema=schema, max_tokens=1_000), n) for n in range(10)]
    outcomes = run(*cells, estimate=True, key="", look=lambda client: looked.append((client.stale(), client.usage())))
    assert all(outcome.data == {"reason": "x", "score": 0, "list": ["x"] * 3} for outcome in outcomes)
    assert fake.seen == []
    estimate, spent = looked[0]
    assert (estimate.cells, estimate.tokens, spent.calls) == (10, 10 * 1_020, 0)
    assert estimate.cost == pytest.approx(10 * (1_020 * 5 + 5_096 * 25) / 1e6)
    assert estimate.at_most == pytest.approx(10 * (2 * 1_020 * 5 * 1.25 + 5_096 * 25) / 1e6)


def test_an_estimate_of_what_is_recorded_is_nothing(fake, run) -> None:
    run((request(), 0))
    looked = []
    run((request(), 0), (request(), 1), estimate=True, look=lambda client: looked.append(client.stale()))
    assert looked[0].cells == 1
    assert looked[0].cost == pytest.approx((22 * 0.1 + 20 * 0.5) / 1e6), "as long as the recorded one: 20 tokens"


def test_a_beginning_that_is_shared_is_written_once_and_read_from_then_on() -> None:
    forecast = Forecast()
    price = Price(Rate(10, 50))  # writing 12.5, reading 1
    one = request("x" * 6_930)  # 1,980 tokens and 20 of overhead
    for shared in ((b"a", 1_500), (b"a", 1_500), (b"b", 9_999), None):
        forecast.missing(one, "m", 100, price, shared)
    forecast.missing(one, "n", 100, price, (b"a", 1_500))
    read = 2 * (500 * 10 + 1_500 * 12.5) + (500 * 10 + 1_500 * 1) + 2_000 * 12.5 + 2_000 * 10
    estimate = forecast.estimate()
    assert estimate.cost == pytest.approx((read + 5 * 100 * 50) / 1e6)
    assert estimate.tokens == 10_000


def test_a_forecast_with_an_unknown_price_is_unknown() -> None:
    forecast = Forecast()
    forecast.missing(request(), "a", 10, Price(Rate(1, 1)))
    assert forecast.estimate().cost is not None
    forecast.missing(request(), "b", 10, None)
    assert (forecast.estimate().cost, forecast.estimate().at_most) == (None, None)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, every: float) -> str:
    now = [0.0]
    progress = Progress(stream, lambda: now[0])
    progress.expected = 300
    for n in range(300):
        now[0] += every
        progress.answered(n < 100, lambda: Spending())
    progress.end()
    return stream.getvalue()


def test_progress_is_one_line_on_a_terminal_and_one_a_minute_elsewhere() -> None:
    terminal, file = told(Terminal(), 1.0), told(io.StringIO(), 1.0)
    assert "\n" not in terminal and terminal.count("\r") > 250 and terminal.rstrip(" ").endswith("\r")
    assert "200 of 300 calls, cost $0.00, about 200 s left" not in terminal  # 100 were recorded and took no time
    assert "200 of 300 calls, cost $0.00, about 3 min left" in terminal
    assert len(file.splitlines()) == 5 and "\r" not in file
    assert told(io.StringIO(), 0.01) == "", "a short run says nothing"


def test_interrupted_calls_under_way_are_kept_and_no_more_are_sent(fake, options, capsys) -> None:
    fake.on(Say(delay=0.3))

    async def interrupted() -> list[str]:
        async with open_ask(options._replace(concurrency=2)) as client:
            asked = asyncio.gather(*(client.ask(request(), n) for n in range(9)))
            while fake.calls < 3:  # the warm one, and two of these
                await asyncio.sleep(0.005)
            client.interrupt()
            outcomes = await asked
            assert client.interrupted
        return [getattr(outcome, "kind", "reply") for outcome in outcomes]

    asyncio.run(open_once(options))
    kinds = asyncio.run(interrupted())
    assert sorted(kinds) == ["cancelled"] * 7 + ["reply"] * 2
    assert "waiting for 2 calls" in capsys.readouterr().err


def test_interrupted_a_call_that_does_not_end_is_not_waited_for_without_end(fake, options, monkeypatch) -> None:
    monkeypatch.setattr("plugin_eval_ci.evals.llm.anthropic.client._PATIENCE", 0.3)
    fake.on(Hang(20))

    async def interrupted() -> str:
        async with open_ask(options._replace(timeout=15)) as client:
            asked = asyncio.ensure_future(client.ask(request(), 0))
            while not fake.calls:
                await asyncio.sleep(0.005)
            client.interrupt()
            async with asyncio.timeout(8):
                return (await asked).kind

    assert asyncio.run(interrupted()) == "timeout"


async def open_once(options) -> None:
    """What the first call of a process takes longer for: imports."""
    async with open_ask(options) as client:
        await client.ask(request("warm"), 0)


def test_who_asks_may_be_cancelled_and_the_answer_is_kept_all_the_same(fake, options) -> None:
    fake.on(Say(delay=0.3))

    async def cancelled() -> None:
        async with open_ask(options) as client:
            await client.ask(request("warm"), 0)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await client.ask(request(), 0)

    asyncio.run(cancelled())
    calls = fake.calls
    asyncio.run(cancelled_not(options))
    assert fake.calls == calls == 2


async def cancelled_not(options) -> None:
    async with open_ask(options) as client:
        assert (await client.ask(request(), 0)).recorded
