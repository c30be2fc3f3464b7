"""Calls handed in together: collected later, in any order, never paid twice, whatever happens in between."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from claude_runs import request as ask_for
from fake_messages import Drop, Fail, FakeMessages, Left, Raw, Say

from plugin_eval_ci.evals.llm.anthropic import CollectedError, Options, ShardedError, open_ask
from plugin_eval_ci.evals.llm.anthropic.batches import Files, QueuedCell, batch_of, parts_of
from plugin_eval_ci.evals.llm.request import Failure, Outcome, Reply, StopError, Tool, Turn
from plugin_eval_ci.scoring.spending import Spending

TOOL = Tool("Skill", "starts a skill", {"type": "object"})
CELLS = [(ask_for(f"question {number}"), 0) for number in range(5)]


class Ran:
    """One run over the cells. ``said``: why it has no result, None when it has."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self.spent = Spending()
        self.said: StopError | None = None

    @property
    def texts(self) -> list[str]:
        return [one.text if isinstance(one, Reply) else one.kind for one in self.outcomes]


def run(options: Options, cells=CELLS, **changed: object) -> Ran:
    async def main() -> Ran:
        ran = Ran()
        try:
            async with open_ask(options._replace(**{"batch": True, **changed})) as client:
                ran.outcomes = list(await asyncio.gather(*(client.ask(*cell) for cell in cells)))
                ran.spent = client.usage()
        except StopError as error:
            ran.said = error
        return ran

    return asyncio.run(main())


def echo(fake: FakeMessages) -> None:
    fake.on(lambda seen: Say(seen.prompt.upper()))


def test_two_runs_and_half_the_price(options: Options, fake: FakeMessages) -> None:
    echo(fake)
    first = run(options)
    assert first.texts == ["not_recorded"] * 5 and "submitted 5 requests" in str(first.said)
    assert "run the same command again" in str(first.said)
    second = run(options)
    assert second.said is None and second.texts == [f"QUESTION {n}" for n in range(5)]
    assert (fake.calls, len(fake.batches), fake.batched) == (0, 1, 5)
    alone = run(options._replace(cache=options.cache + "2"), batch=False)
    assert second.spent.cost == pytest.approx(alone.spent.cost / 2) and alone.spent.cost > 0
    third = run(options)
    assert third.texts == second.texts and (third.spent.calls, third.spent.recorded, third.spent.cost) == (0, 5, 0)
    assert fake.batched == 5


def test_a_cell_of_a_batch_is_named_by_its_key_and_has_the_same_body(options: Options, fake: FakeMessages) -> None:
    run(options)
    run(options._replace(cache=options.cache + "2"), batch=False)
    (batch,) = fake.batches.values()
    bodies = {json.dumps(one["params"], sort_keys=True) for one in batch["requests"]}
    assert bodies == {json.dumps(seen.body, sort_keys=True) for seen in fake.messages()}
    assert all(len(one["custom_id"]) == 64 for one in batch["requests"])


def test_what_is_under_way_is_not_handed_in_again(options: Options, fake: FakeMessages) -> None:
    echo(fake)
    fake.batch_polls = 2
    run(options)
    again = run(options, [*CELLS, (ask_for("one more"), 0)])
    assert "submitted 1 requests" in str(again.said) and fake.batched == 6
    third = run(options)
    assert "no new request" in str(third.said) and fake.batched == 6
    assert run(options).texts == [f"QUESTION {n}" for n in range(5)]


def test_killed_after_the_submission_nothing_is_paid_twice(options: Options, fake: FakeMessages) -> None:
    """The intention stands on disk, the id does not: the batch is looked for at the service."""
    echo(fake)
    run(options)
    (file,) = Path(options.cache).rglob("*.batch.json")
    file.write_text(json.dumps({**json.loads(file.read_text()), "id": ""}))
    again = run(options)
    assert again.texts == [f"QUESTION {n}" for n in range(5)] and fake.batched == 5


def test_killed_before_the_submission_it_is_submitted(options: Options, fake: FakeMessages) -> None:
    echo(fake)
    run(options)
    (file,) = Path(options.cache).rglob("*.batch.json")
    file.write_text(json.dumps({**json.loads(file.read_text()), "id": "", "since": time.time()}))
    fake.batches.clear()  # it never arrived
    assert "submitted 5" in str(run(options).said) and fake.batched == 5


def test_a_lost_answer_to_the_submission(options: Options, fake: FakeMessages) -> None:
    echo(fake)
    fake.batch_fails = [Drop()]
    assert run(options).said is not None
    assert run(options).texts == [f"QUESTION {n}" for n in range(5)] and fake.batched == 5


@pytest.mark.parametrize("status", [429, 500, 529])
def test_a_submission_that_is_refused_is_tried_by_the_next_run(
    options: Options, fake: FakeMessages, status: int
) -> None:
    fake.batch_fails = [Fail(status)]
    assert "run the same command again" in str(run(options).said)
    assert "submitted 5" in str(run(options).said) and fake.batched == 5


def test_a_server_without_batches(options: Options, fake: FakeMessages) -> None:
    fake.batch_fails = [Fail(404)]
    assert "does not support batches" in str(run(options).said)


@pytest.mark.parametrize("left", [Left("expired"), Left("canceled"), Fail(500)], ids=str)
def test_what_came_to_nothing_is_handed_in_again(options: Options, fake: FakeMessages, left: object) -> None:
    echo(fake)
    fake.on(left, Say("at last"), prompt="question 3")
    run(options)
    second = run(options)
    assert second.texts == ["QUESTION 0", "QUESTION 1", "QUESTION 2", "not_recorded", "QUESTION 4"]
    assert "submitted 1" in str(second.said) and fake.batched == 6
    assert run(options).texts[3] == "at last"


def test_what_the_service_does_not_take_is_not_handed_in_again(options: Options, fake: FakeMessages) -> None:
    echo(fake)
    fake.on(Fail(400, "too long"), prompt="question 3")
    run(options)
    for _ in range(2):
        ran = run(options)
        assert ran.said is None and ran.texts[3] == "bad_request" and fake.batched == 5
    assert isinstance(ran.outcomes[3], Failure) and "too long" in ran.outcomes[3].reason


def test_a_refusal_is_an_outcome_and_paid_once(options: Options, fake: FakeMessages) -> None:
    fake.on(Say("", stop="refusal"), prompt="question 3")
    run(options)
    assert run(options).spent.calls == 5
    again = run(options)
    assert again.texts[3] == "refusal" and (again.spent.calls, again.spent.recorded, fake.batched) == (0, 5, 5)


def test_results_on_disk_hold_no_key_and_are_for_their_owner(options: Options, fake: FakeMessages) -> None:
    fake.on(Say(f"your key is {options.key}"))
    run(options)
    ran = run(options)
    assert ran.texts == ["your key is ***"] * 5
    (file,) = Path(options.cache).rglob("results.jsonl")
    assert options.key not in file.read_text() and file.stat().st_mode & 0o077 == 0


def test_waiting_goes_on_when_answers_come(options: Options, fake: FakeMessages, monkeypatch) -> None:
    monkeypatch.setattr("plugin_eval_ci.evals.llm.anthropic.batches._POLL", (0.01, 0.02))
    echo(fake)
    fake.batch_polls = 3
    waited = run(options, wait_until=time.monotonic() + 20)
    assert isinstance(waited.said, CollectedError)
    assert run(options).texts == [f"QUESTION {n}" for n in range(5)]
    fake.batch_polls = 1_000
    more = [(ask_for("more"), 0)]
    late = run(options, more, wait_until=time.monotonic() + 0.1)
    assert "1 are not answered yet" in str(late.said) and not isinstance(late.said, CollectedError)


def test_the_cap_holds_for_what_is_handed_in(options: Options, fake: FakeMessages) -> None:
    capped = run(options, max_cost=0.000001)
    assert capped.texts == ["budget"] * 5 and fake.batched == 0 and capped.said is None


def test_an_estimate_is_half(options: Options, fake: FakeMessages) -> None:
    costs = []
    for batch in (True, False):

        async def main(batch: bool = batch) -> float | None:
            async with open_ask(options._replace(batch=batch, estimate=True)) as client:
                for cell in CELLS:
                    await client.ask(*cell)
                return client.stale().cost

        costs.append(asyncio.run(main()))
    assert costs[0] == pytest.approx(costs[1] / 2) and fake.seen == []


def test_the_limits_of_the_service() -> None:
    cells = [QueuedCell(f"{number:06}", {}, 100 << 20) for number in range(5)]
    assert [len(part) for part in parts_of(cells)] == [2, 2, 1]
    many = [QueuedCell(f"{number:06}", {}, 1) for number in range(200_001)]
    assert [len(part) for part in parts_of(reversed(many))] == [100_000, 100_000, 1]
    assert parts_of([]) == []


def test_files_that_are_damaged_are_none(tmp_path: Path) -> None:
    files = Files(str(tmp_path / "b"))
    files.write(batch_of(["a"]))
    (tmp_path / "b" / "x.batch.json").write_text("{")
    (tmp_path / "b" / "y.batch.json").write_text("[" * 100_000)
    deep = b"[" * 100_000
    (tmp_path / "b" / "results.jsonl").write_bytes(b'{"key": "a", "result": {"type": "x"}}\n' + deep + b'\n{"key"')
    again = Files(str(tmp_path / "b"))
    assert [one.keys for one in again.under_way()] == [("a",)] and again.result("a") == {"type": "x"}
    assert batch_of(["a", "b"]).name == batch_of(["b", "a"]).name != batch_of(["a"]).name


def test_shards_make_all_calls_once_and_their_cassettes_together_replay(
    options: Options, fake: FakeMessages, tmp_path: Path
) -> None:
    echo(fake)
    cells = [(ask_for(f"question {number}"), 0) for number in range(30)]
    folders, made = [str(tmp_path / f"c{n}") for n in range(3)], []
    for number, folder in enumerate(folders, 1):
        own = options._replace(cache=str(tmp_path / f"cache{number}"), cassette=folder, record=True)
        ran = run(own, cells, batch=False, shard=(number, 3))
        assert isinstance(ran.said, ShardedError) and f"shard {number}/3" in str(ran.said)
        made.append(fake.calls)
    assert made[-1] == 30 and 0 < made[0] < made[1] < 30
    whole = options._replace(cassette=folders[0], more=tuple(folders[1:]), replay=True)
    assert run(whole, cells, batch=False).texts == [f"QUESTION {n}" for n in range(30)] and fake.calls == 30
    assert "not_recorded" in run(whole._replace(more=()), cells, batch=False).texts


def test_all_turns_of_a_conversation_are_of_one_shard(options: Options, fake: FakeMessages) -> None:
    echo(fake)
    for number in range(8):
        first = ask_for(f"talk {number}", tools=(TOOL,))
        later = first._replace(turns=(Turn(({"type": "text", "text": "hm"},), (("toolu_1", "done"),)),))
        mine = [run(options, [(one, 0)], batch=False, shard=(1, 2), estimate=True).texts for one in (first, later)]
        assert (mine[0] == ["not_recorded"]) == (mine[1] == ["not_recorded"])


ODD_LINES = [
    b"3",
    b"null x",
    b"[]",
    b"[" * 100_000,
    b"\xff\xfe",
    b'{"custom_id": 3, "result": {}}',
    b'{"custom_id": "a", "result": "x"}',
]


@pytest.mark.parametrize("line", ODD_LINES, ids=lambda line: str(line[:30]))
def test_results_that_are_none_are_said_and_asked_for_again(options, fake, monkeypatch, caplog, line) -> None:
    """And nothing of what the SDK says about connections that are not read to their end."""
    echo(fake)
    run(options)
    whole = fake.batch_results("msgbatch_1")
    monkeypatch.setattr(fake, "batch_results", lambda name: line + b"\n" + whole)
    ran = run(options)
    assert "cannot be collected at the moment: the response is not a message" in str(ran.said)
    assert not caplog.records
    monkeypatch.setattr(fake, "batch_results", lambda name: whole)
    assert run(options).texts == [f"QUESTION {n}" for n in range(5)] and fake.batched == 5


ODD_RESULTS = [
    {"type": "succeeded"},
    {"type": "succeeded", "message": None},
    {"type": "succeeded", "message": {}},
    {"type": "succeeded", "message": {"content": [{"type": "text", "text": 3}], "usage": {"input_tokens": 1}}},
    {"type": "errored"},
    {"type": "errored", "error": {"type": "error", "error": {"type": "api_error"}}},
    {"type": "what"},
    {},
]


@pytest.mark.parametrize("result", ODD_RESULTS, ids=str)
def test_a_result_without_a_message_is_handed_in_again(options, fake, monkeypatch, recwarn, result) -> None:
    echo(fake)
    run(options)
    lines = [json.loads(line) for line in fake.batch_results("msgbatch_1").splitlines()]
    lines[0]["result"] = result
    odd = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with monkeypatch.context() as patch:
        patch.setattr(fake, "batch_results", lambda name: odd)
        ran = run(options)
    assert "submitted 1 requests" in str(ran.said) and fake.batched == 6
    assert run(options).texts == [f"QUESTION {n}" for n in range(5)]
    assert not recwarn.list


def test_a_submission_without_an_id_is_told(options: Options, fake: FakeMessages) -> None:
    for answer in (b"null", b"{}", b'{"id": 3}'):
        fake.batch_fails = [Raw(answer)]
        assert "probably not submitted" in str(run(options).said)
    assert fake.batched == 0
