"""What is paid for is kept: the cache, cassettes, replay, and what a file that is damaged does."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from pathlib import Path

import pytest
from claude_runs import GOOD, SCHEMA, everything, request
from fake_messages import KEY, Fail, Say

from plugin_eval_ci.evals.llm.anthropic import Options
from plugin_eval_ci.evals.llm.cassette import cell_of
from plugin_eval_ci.evals.llm.request import Block, Reply, StopError


def cache_file(options: Options) -> Path:
    (file,) = Path(str(options.cache)).iterdir()
    return file


def test_a_second_run_pays_nothing(fake, run) -> None:
    fake.on(lambda seen: Say(f"answer to {seen.prompt}"))
    cells = [(request(text), sample) for text in "abc" for sample in range(3)]
    first = run(*cells)
    spent = []
    second = run(*cells, look=lambda client: spent.append(client.usage()))
    assert [one._replace(recorded=True, seconds=0) for one in first] == [one._replace(seconds=0) for one in second]
    assert fake.calls == 9
    assert (spent[0].calls, spent[0].recorded, spent[0].cost, spent[0].tokens) == (0, 9, 0.0, 0)


def test_samples_of_one_request_are_calls_of_their_own_and_the_same_cell_is_one_call(fake, run) -> None:
    fake.on(lambda seen: Say(str(fake.calls), delay=0.05))
    outcomes = run(*((request(), sample) for sample in (0, 1, 2, 0, 0)))
    assert fake.calls == 3
    assert outcomes[0].text == outcomes[3].text == outcomes[4].text
    assert len({outcome.text for outcome in outcomes}) == 3


BASE = request(schema=SCHEMA, effort="low", version="1")
OTHERS = [
    BASE._replace(user=(Block("other"),)),
    BASE._replace(user=(Block("hello", True),)),
    BASE._replace(system=(Block("s"),)),
    BASE._replace(max_tokens=9),
    BASE._replace(schema=None),
    BASE._replace(effort="high"),
    BASE._replace(version="2"),
]


def test_whatever_can_change_the_answer_is_another_cell() -> None:
    keys = {cell_of(one, "m", 0).key for one in [BASE, *OTHERS]} | {
        cell_of(BASE, "n", 0).key,
        cell_of(BASE, "m", 1).key,
    }
    assert len(keys) == len(OTHERS) + 3
    turned = BASE._replace(schema=dict(reversed(list(SCHEMA.items()))))
    assert cell_of(turned, "m", 0) == cell_of(BASE, "m", 0)


def test_outages_are_never_stored_and_refusals_are_asked_for_again(fake, run, options) -> None:
    fake.on(Fail(500), Say("", "refusal"), Say("", "max_tokens"), Say("at last"))
    said = [run((request(), 0))[0] for _ in range(5)]
    assert [getattr(one, "kind", "reply") for one in said] == ["infra_error", "refusal", "truncated", "reply", "reply"]
    assert fake.calls == 4
    kinds = [json.loads(line)["kind"] for line in cache_file(options).read_text().splitlines()]
    assert kinds == ["refusal", "truncated", "reply"]


def test_two_servers_do_not_share_answers(fake, run) -> None:
    run((request(), 0))
    run((request(), 0), base_url=fake.url.replace("127.0.0.1", "localhost"))
    assert fake.calls == 2


@pytest.mark.parametrize("damage", [
    lambda data: data[:-30],
    lambda data: b"\n\n" + data,
    lambda data: data + b'{"key":"',
    lambda data: data + b"\xff\xfe\x00",
    lambda data: data.replace(b'"kind":"reply"', b'"kind":"noise"', 1),
    lambda data: data.replace(b'"usage":[100', b'"usage":["x"', 1),
    lambda data: b"",
], ids=["cut", "blank lines", "torn", "noise", "kind", "usage", "empty"])  # fmt: skip
def test_a_damaged_cache_costs_at_most_what_was_damaged(fake, run, options, damage) -> None:
    cells = [(request(text), 0) for text in "abcd"]
    run(*cells)
    file = cache_file(options)
    data = file.read_bytes()
    file.write_bytes(damage(data))
    damaged = 4 if damage(data) == b"" else int(damage(data).count(b'"kind":"reply"') < 4 or data not in damage(data))
    outcomes = run(*cells)
    assert all(isinstance(outcome, Reply) for outcome in outcomes)
    assert fake.calls == 4 + damaged
    run(*cells)
    assert fake.calls == 4 + damaged, "the repaired file must hold all of them"


def test_a_recorded_answer_is_held_to_the_schema_again(fake, run, options) -> None:
    fake.on(Say(GOOD))
    run((BASE, 0))
    file = cache_file(options)
    file.write_bytes(file.read_bytes().replace(b"0.5", b"7.5"))
    (reply,) = run((BASE, 0))
    assert (reply.data["score"], fake.calls) == (0.5, 2)


def test_a_cassette_is_sorted_stable_text_without_secrets_and_plays_without_key_network_or_package(
    fake, run, tmp_path, monkeypatch
) -> None:
    fake.on(lambda seen: Say(f"echo {KEY}" if seen.prompt == "a" else seen.prompt))
    cassette = tmp_path / "cassette"
    cells = [(request(text), sample) for text in "abcd" for sample in range(2)]
    run(*cells, cassette=str(cassette), record=True)
    (file,) = cassette.iterdir()
    text = file.read_text("ascii")
    lines = text.splitlines()
    assert len(lines) == 8 and lines == sorted(lines) and text.endswith("\n")
    assert KEY not in text and fake.url not in text and "127.0.0.1" not in text
    run(*reversed(cells), cassette=str(cassette), record=True)
    assert file.read_text("ascii") == text, "the same answers must be the same file"

    monkeypatch.setitem(__import__("sys").modules, "anthropic", None)
    calls = fake.calls
    played = asyncio.run(everything(Options(cassette=str(cassette), replay=True), cells))
    assert [one.text for one in played[2:]] == ["b", "b", "c", "c", "d", "d"]
    assert all(one.recorded for one in played)
    assert fake.calls == calls


def test_a_cassette_made_from_the_cache_alone(fake, run, tmp_path) -> None:
    run((request(), 0))
    run((request(), 0), cassette=str(tmp_path / "c"), record=True)
    (played,) = asyncio.run(everything(Options(cassette=str(tmp_path / "c"), replay=True), [(request(), 0)]))
    assert (played.text, fake.calls) == ("ok", 1)


def test_a_replay_shows_what_the_model_did_and_says_what_is_missing(fake, run, tmp_path) -> None:
    fake.on(Say("", "refusal"), prompt="no")
    fake.on(Say("12345", usage={"input_tokens": 10, "output_tokens": 200}), prompt="long")
    cassette = str(tmp_path / "c")
    run((request("no"), 0), (request("long"), 0), cassette=cassette, record=True)
    looked = []
    cells = [(request("no"), 0), (request("long"), 0), *((request("long" * 100, model="sonnet"), n) for n in range(37))]
    outcomes = run(
        *cells, cassette=cassette, replay=True, look=lambda client: looked.append((client.stale(), client.usage()))
    )
    assert [getattr(one, "kind", "reply") for one in outcomes] == ["refusal", "reply", *["not_recorded"] * 37]
    stale, spent = looked[0]
    assert (stale.cells, stale.models) == (37, ("claude-sonnet-5-5",))
    assert stale.tokens == 37 * (400 / 3.5 // 1 + 1 + 20)
    mean = (200 + 20) / 2  # output tokens of the two that are recorded
    assert stale.cost == pytest.approx((stale.tokens * 2 + 37 * mean * 10) / 1e6)
    assert stale.at_most > stale.cost
    assert spent.calls == 0
    assert fake.calls == 2


def test_a_replay_without_recordings_calls_nobody(fake, run, tmp_path) -> None:
    (outcome,) = run((request(), 0), cassette=str(tmp_path / "none"), replay=True)
    assert outcome.kind == "not_recorded"
    assert fake.seen == []


def test_where_nothing_can_be_stored_the_run_stops_before_it_spends_more(fake, run, tmp_path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    with pytest.raises(StopError, match="cannot be stored"):
        run(*((request(), n) for n in range(20)))
    assert fake.calls <= 6


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"[100,", b"[1e400,"),
        (b"[100,", b"[-100,"),
        (b"[100,", b"[1" + b"0" * 400 + b","),
        (b'"seconds":', b'"seconds":NaN,"s":'),
    ],
    ids=["infinite", "negative", "huge", "no time"],
)
def test_numbers_that_cannot_be_are_a_damaged_line(fake, run, options, old: bytes, new: bytes) -> None:
    run((request(), 0))
    assert run((request(), 0))[0].recorded
    file = cache_file(options)
    assert old in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(old, new))
    (outcome,) = run((request(), 0))
    assert not outcome.recorded and fake.calls == 2


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
@pytest.mark.parametrize("record", [True, False])
def test_answers_are_kept_in_files_only(fake, run, tmp_path: Path, kind: str, record: bool) -> None:
    file = tmp_path / "tape" / "answers.jsonl"
    file.parent.mkdir()
    {"folder": file.mkdir, "pipe": lambda: os.mkfifo(file), "device": lambda: file.symlink_to("/dev/full")}[kind]()
    with pytest.raises(StopError, match="not a regular file"):
        run((request(), 0), cassette=str(file.parent), record=record, replay=not record)
    assert fake.calls == 0


def test_no_room_to_put_a_cassette_in_order_loses_nothing(fake, run, tmp_path: Path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cells = [(request(text), 0) for text in "abc"]
    assert all(isinstance(one, Reply) for one in run(*cells, cassette=str(tmp_path / "tape"), record=True))
    assert [file.name for file in (tmp_path / "tape").iterdir()] == ["answers.jsonl"]
    assert all(one.recorded for one in run(*cells, cassette=str(tmp_path / "tape"), replay=True))


def test_an_address_that_is_none_stops_the_run(run) -> None:
    with pytest.raises(StopError, match="ANTHROPIC_BASE_URL is not a valid address"):
        run((request(), 0), base_url="http://[::1")
