"""A conversation with tools: sent as the service takes it, kept as it came, and played back to the byte."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from claude_runs import SCHEMA, request
from fake_messages import KEY, Fail, Say, tokens_of

from plugin_eval_ci.evals.llm.anthropic import open_ask
from plugin_eval_ci.evals.llm.anthropic.request_body import body_of
from plugin_eval_ci.evals.llm.anthropic.sdk import Message, outcome_of
from plugin_eval_ci.evals.llm.budget import tokens_of as estimated
from plugin_eval_ci.evals.llm.cassette import cell_of
from plugin_eval_ci.evals.llm.models import Model
from plugin_eval_ci.evals.llm.request import Block, Call, Failure, Reply, Tool, Turn, calls_in
from plugin_eval_ci.scoring.spending import Usage

LOOK = Tool("Look", "Looks at a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
DONE = Tool("Done", "Says that all is done.", {"type": "object", "properties": {}})
ASKED = request("What is in a.txt?", tools=(DONE, LOOK))


def talk(options, turns=3, sample=0, look=None, asked=ASKED):
    """Call for as long as the model calls, and answer each call with its number; all replies."""

    return talks(options, [asked], turns, sample, look)[0]


def talks(options, asked, turns=3, sample=0, look=None):
    """Several conversations with one client, one after the other."""

    async def one_of(client, one):
        replies = []
        for _ in range(turns):
            reply = await client.ask(one, sample)
            replies.append(reply)
            if not isinstance(reply, Reply) or not reply.calls:
                break
            brought = tuple((call.id, f"result {number}") for number, call in enumerate(reply.calls))
            one = one._replace(turns=(*one.turns, Turn(reply.blocks, brought)))
        return replies

    async def go():
        async with open_ask(options) as client:
            found = [await one_of(client, one) for one in asked]
            if look is not None:
                look(client)
        return found

    return asyncio.run(go())


def test_a_conversation_is_echoed_as_it_came_with_thinking_and_several_calls(fake, options) -> None:
    both = [("Look", {"path": "a.txt", "deep": {"er": [1, None, "ü"]}}), ("Look", {"path": "b.txt"})]
    fake.on(Say("I look.", thinking=True, calls=both), Say("", calls=[("Done", {})]), Say("It holds a word."))
    first, second, third = talk(options)
    assert [call.name for call in first.calls] == ["Look", "Look"] and first.calls[0].input == both[0][1]
    assert first.text == "I look." and second.text == "" and second.calls[0].input == {}
    assert (third.text, third.calls, third.blocks) == ("It holds a word.", (), ({"type": "text", "text": third.text},))
    one, two, three = (seen.body for seen in fake.messages())
    assert [tool["name"] for tool in one["tools"]] == ["Done", "Look"]
    assert one["tools"][1]["input_schema"] == LOOK.schema and one["tool_choice"] == {"type": "auto"}
    said = two["messages"][1]["content"]
    assert said[0] == {"type": "thinking", "thinking": "hm", "signature": "s"}
    assert said == list(first.blocks)
    assert two["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": call.id, "content": f"result {number}"}
        for number, call in enumerate(first.calls)
    ]
    assert three["messages"][:3] == two["messages"]
    assert fake.messages()[2].turn == 2 and fake.messages()[1].results == ["result 0", "result 1"]


def test_a_replay_is_the_same_to_the_byte_and_opens_no_connection(fake, options, tmp_path) -> None:
    fake.on(Say("", thinking=True, calls=[("Look", {"z": 1, "a": "ü\u2028"})]), Say("end"))
    first = talk(options._replace(cassette=str(tmp_path / "tape"), record=True))
    tape = Path(tmp_path / "tape" / "answers.jsonl")
    kept = tape.read_bytes()
    again = talk(options._replace(cassette=str(tmp_path / "tape"), replay=True, key="", base_url="http://127.0.0.1:9"))
    assert fake.calls == 2
    assert [one._replace(recorded=True, seconds=0) for one in first] == [one._replace(seconds=0) for one in again]
    assert json.dumps(again[0].blocks) == json.dumps(first[0].blocks), "the order of keys too: it is sent back"
    assert tape.read_bytes() == kept
    assert talk(options) == again and fake.calls == 2, "and so the cache"


def test_cells_with_tools_and_turns_are_cells_of_their_own_and_the_others_keep_their_names() -> None:
    plain = request(schema=SCHEMA, effort="low", version="1")
    assert cell_of(plain, "m", 3).key == "ec8e9117437a9ad12769dd97474f13c67aef073b603306bb8044ba63c2c31269"
    assert cell_of(plain._replace(likely=7), "m", 3) == cell_of(plain, "m", 3)
    turn = Turn(({"type": "tool_use", "id": "a", "name": "Look", "input": {}},), (("a", "x"),))
    others = [
        ASKED,
        ASKED._replace(tools=(LOOK, DONE)),
        ASKED._replace(tools=(DONE,)),
        ASKED._replace(tools=(DONE, LOOK._replace(description="Looks."))),
        ASKED._replace(turns=(turn,)),
        ASKED._replace(turns=(turn._replace(results=(("a", "y"),)),)),
        ASKED._replace(turns=(turn, turn)),
    ]
    assert len({cell_of(one, "m", 0).key for one in [plain, *others]}) == len(others) + 1


def message(text="", stop="end_turn", *blocks):
    said = ({"type": "text", "text": text},) if text else ()
    return Message(text, stop, Usage(1, 2), "m", 0.1, (*said, *blocks))


CALL = {"type": "tool_use", "id": "t1", "name": "Look", "input": {"path": "x"}}


@pytest.mark.parametrize(
    ("asked", "got", "kind"),
    [
        (ASKED, message("", "tool_use", CALL), "reply"),
        (ASKED, message("so", "tool_use", CALL), "reply"),
        (ASKED, message("so"), "reply"),
        (ASKED, message(""), "reply"),  # the model has nothing more to say
        (ASKED, message("so", "max_tokens", CALL), "cut"),
        (ASKED, message("so", "max_tokens"), "truncated"),
        (ASKED, message("", "max_tokens"), "truncated"),
        (ASKED, message("", "refusal"), "refusal"),
        (ASKED, message("", "max_tokens", {"type": "tool_use", "name": "Look"}), "truncated"),
        (request(), message("so", "max_tokens"), "cut"),
        (request(schema=SCHEMA, tools=(LOOK,)), message("", "tool_use", CALL), "reply"),
        (request(schema=SCHEMA, tools=(LOOK,)), message("no json"), "malformed"),
    ],
)
def test_what_an_answer_of_a_model_with_tools_is(asked, got, kind) -> None:
    outcome = outcome_of(asked, got)
    if isinstance(outcome, Failure):
        assert outcome.kind == kind
    else:
        assert kind == ("cut" if outcome.cut else "reply")
        assert outcome.calls == calls_in(got.blocks)


def test_without_tools_no_blocks_are_kept(fake, run, options) -> None:
    fake.on(Say("hello", thinking=True))
    (reply,) = run((request(), 0))
    assert reply.blocks == reply.calls == ()
    (file,) = Path(options.cache).iterdir()
    assert '"blocks"' not in file.read_text() and '"calls"' not in file.read_text()


def test_an_empty_text_block_and_half_a_surrogate_are_not_sent_back() -> None:
    said = ({"type": "text", "text": " "}, {"type": "tool_use", "id": "a", "name": "Look", "input": {"path": "\ud83d"}})
    turned = ASKED._replace(turns=(Turn(said, (("a", "half \ud83d"),)),))
    messages = body_of(turned, Model("m"))["messages"]
    assert json.dumps(messages, ensure_ascii=False).encode()
    assert [block["type"] for block in messages[1]["content"]] == ["tool_use"]


def test_at_most_four_breakpoints_and_the_shared_beginning_counts_the_tools(fake, options) -> None:
    marked = tuple(Block(f"part {number}", cached=True) for number in range(3))
    asked = ASKED._replace(system=marked, user=(*marked, Block("end")))
    turned = asked._replace(turns=(Turn((CALL,), (("t1", "x"),)),))
    (reply,) = talk(options, asked=turned)
    assert isinstance(reply, Reply)
    assert json.dumps(fake.messages()[0].body).count("cache_control") == 4


def test_the_key_is_not_kept_where_a_call_brings_it(fake, options) -> None:
    fake.on(Say("", calls=[("Look", {"path": KEY})]), Say("end"))
    talk(options)
    (file,) = Path(options.cache).iterdir()
    assert KEY not in file.read_text()


def test_a_call_that_fails_in_the_second_turn_pays_for_that_turn_only_when_it_is_asked_again(fake, options) -> None:
    fake.on(Say("", calls=[("Look", {})]), Fail(529), Say("end"))
    broken = talk(options)
    assert isinstance(broken[1], Failure) and broken[1].kind == "infra_error"
    whole = talk(options)
    assert [seen.turn for seen in fake.messages()] == [0, 1, 1]
    assert whole[0].recorded and not whole[1].recorded and whole[1].text == "end"


def test_an_estimate_of_conversations_counts_what_a_model_that_looks_around_first_would_cost(fake, options) -> None:
    asked = [
        ASKED._replace(user=(Block("x" * 7_000, True), Block(f"and {number}?")), likely=80) for number in range(120)
    ]
    looked, spent = [], []
    talks(options._replace(estimate=True, cache=None), asked, look=lambda client: looked.append(client.stale()))
    assert fake.calls == 0
    dice = iter(range(1_000))
    fake.on(
        lambda seen: (
            Say("y" * 280, calls=[("Look", {"path": "a"})], usage=None)
            if not seen.turn and next(dice) % 2
            else Say("y" * 280, usage=None)
        )
    )
    talks(options, asked, look=lambda client: spent.append(client.usage()))
    (estimate,), (billed,) = looked, spent
    assert estimate.cells == pytest.approx(billed.calls, rel=0.1)
    assert estimate.cost == pytest.approx(billed.cost, rel=0.1)
    assert estimate.at_most > billed.cost
    uncached = estimate.tokens * 0.1 / 1e6
    assert estimate.cost < 0.6 * uncached, "most of it is read from the cache of the service"


def test_a_request_is_about_as_long_as_the_stub_counts_it() -> None:
    turned = ASKED._replace(
        system=(Block("s" * 900),), turns=(Turn((CALL, {"type": "text", "text": "t" * 300}), (("t1", "r" * 5_000),)),)
    )
    body = body_of(turned, Model("m"))
    counted = sum(tokens_of(body[name]) for name in ("system", "tools", "messages"))
    assert estimated(turned) == pytest.approx(counted, rel=0.05)
    assert estimated(turned) > estimated(turned._replace(turns=())) > estimated(turned._replace(turns=(), tools=()))


def test_every_other_conversation_that_is_made_up_looks_around_first_and_none_with_a_single_tool(options) -> None:
    one = options._replace(estimate=True)
    alone = talks(one, [ASKED._replace(tools=(DONE,), user=(Block(str(number)),)) for number in range(20)])
    assert all(len(replies) == 1 and replies[0].calls == () for replies in alone)
    several = talks(one, [ASKED._replace(user=(Block(str(number)),)) for number in range(20)])
    assert [len(replies) for replies in several] == [1, 2] * 10
    assert several[1][0].calls == (Call("toolu_none", "Look", {"path": "x"}),)
