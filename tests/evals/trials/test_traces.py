"""What recorded sessions say: who fired, on what, at what cost; what only looks like it stays silent."""

from __future__ import annotations

import io
import json
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_eval_ci.evals.traces.events import SkillCall, SkillList, TokenUse, UserPrompt, events_of
from plugin_eval_ci.evals.traces.tally import LONGEST_LINE, MOST_SKILLS, Tally, read_stream
from plugin_eval_ci.evals.traces.values import Lines, Use
from tests.evals.trials.sessions import Line, answer, command, lines, listing, load, result, said, tool


def tally_of(*files: str, keep: bool = False) -> Tally:
    tally = Tally(keep)
    for text in files:
        read_stream(io.BytesIO(text.encode()), tally)
        tally.end_file()
    return tally


def uses(*files: str) -> dict[str, Use]:
    return {use.skill: use for use in tally_of(*files).uses()}


def test_a_firing_by_the_model() -> None:
    record = lines(
        listing("shop:stock", "shop:prices"),
        said("how many\nare left"),
        answer(tool("Bash", command="ls")),
        result(),
        answer(load("shop:stock")),
        result("Launching skill: shop:stock"),
        said("Base directory for this skill: /x\n# Stock", isMeta=True),
        answer(),
        answer(),
        said("thanks"),
        answer(),
    )
    found = uses(record)
    assert found["shop:stock"] == Use(
        "shop:stock", 1, 2, 1, 0, 0, 1, 220, pytest.approx(2 * (200 + 100) / 1e6), ("how many",)
    )
    assert found["shop:prices"] == Use("shop:prices", 1, 2, 0, 0, 0, 0, 0, None, ())
    assert tally_of(record).prompts == 2


def test_a_firing_by_the_user() -> None:
    found = uses(lines(listing("stock"), command("stock", "how many"), answer(), answer()))
    assert (found["stock"].by_model, found["stock"].by_user, found["stock"].tokens) == (0, 1, 220)
    assert found["stock"].prompts == ("how many",)


def test_a_command_that_is_no_skill() -> None:
    tally = tally_of(lines(listing("stock"), command("clear"), command("model", "opus"), command("stock")))
    assert [use.skill for use in tally.uses()] == ["stock"] and tally.other_commands() == 2
    tally.known(frozenset({"clear"}))
    assert sorted(use.skill for use in tally.uses()) == ["clear", "stock"] and tally.other_commands() == 1


def test_a_message_on_several_lines_counts_once() -> None:
    one, two = ({"input_tokens": 100, "output_tokens": out} for out in (1, 40))
    record = lines(
        said("x"),
        answer({"type": "text", "text": "I load it"}, id="m1", usage=one),
        answer(load("stock", "t1"), id="m1", usage=two),
        answer({"type": "text", "text": "a"}, id="m2", usage=one),
        answer({"type": "text", "text": "b"}, id="m2", usage=two),
    )
    assert uses(record)["stock"].tokens == 140


def test_a_call_in_two_files_counts_once() -> None:
    """A resumed session begins with a copy of the old one."""
    record = lines(said("x"), answer(load("stock", "t1")), answer())
    assert uses(record, record + lines(said("y"), answer(load("stock", "t2"))))["stock"].by_model == 2


def test_the_same_skill_twice_in_a_turn_fires_once() -> None:
    assert (
        uses(lines(said("x"), answer(load("stock")), answer(load("stock")), command("stock"), answer(load("stock"))))[
            "stock"
        ].fired
        == 2
    )


def test_costs() -> None:
    usage = {
        "input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 1_000, "cache_creation_input_tokens": 400,
        "cache_creation": {"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 100},
    }  # fmt: skip
    found = uses(lines(said("x"), answer(load("a")), answer(usage=usage, model="claude-sonnet-5-20260101")))["a"]
    assert found.tokens == 1_430
    assert found.cost == pytest.approx((10 * 2 + 20 * 10 + 1_000 * 0.2 + 300 * 2.5 + 100 * 4) / 1e6)


def test_unknown_stays_unknown() -> None:
    assert uses(lines(said("x"), answer(load("a")), answer(model="gpt-x")))["a"][6:9] == (1, 110, None)
    assert uses(lines(said("x"), answer(load("a"))))["a"][6:9] == (0, 0, None)
    assert uses(lines(said("x"), answer(load("a")), answer(usage={})))["a"][6:9] == (0, 0, None)
    assert not tally_of(lines(said("x"), answer(load("a")))).listings


def test_agents_of_the_agent() -> None:
    record = lines(
        listing("a"),
        said("do it"),
        said("you are a helper", isSidechain=True),
        answer(load("a"), isSidechain=True),
        answer(isSidechain=True),
        answer(load("b")),
    )
    found = uses(record)
    assert (found["a"].by_model, found["a"].in_subagents, found["a"].tokens) == (1, 1, 110)
    assert (found["b"].in_subagents, found["b"].prompts) == (0, ("do it",))
    assert tally_of(record).prompts == 1


def test_sessions_in_one_file_do_not_mix() -> None:
    record = lines(
        listing("a", session="1"),
        said("one", "1"),
        said("two", "2"),
        answer(load("a"), session="1"),
        answer(session="2"),
        answer(session="1"),
    )
    found = uses(record)["a"]
    assert (found.listed, found.prompts_listed, found.tokens, found.prompts) == (1, 1, 110, ("one",))
    assert tally_of(record).sessions == 2


@pytest.mark.parametrize(
    "entry",
    [
        said("<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n- a: x\n- p:b\n</system-reminder>\nhi"),
        said([{"type": "text", "text": "<system-reminder>skills are available:\n- a: x\n- p:b: y: z"}, {"type": "text", "text": ""}]),
        {"type": "attachment", "attachment": {"type": "skill_listing", "names": ["a", "p:b"], "content": "x"}},
        {"isSidechain": False, "attachment": {"type": "skill_listing", "content": "- a: x\n- p:b: y"}},
        {"type": "system", "subtype": "init", "skills": ["a", {"name": "p:b"}]},
    ],
)  # fmt: skip
def test_lists_of_skills(entry: Line) -> None:
    assert SkillList(("a", "p:b")) in list(events_of(entry))


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (said("hi"), "hi"),
        (said([{"type": "text", "text": "hi"}, {"type": "image", "source": {}}]), "hi"),
        (said("<ide_opened_file>x</ide_opened_file>hi"), "hi"),
        (said("<system-reminder>x</system-reminder>hi"), "hi"),
        ({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "hi"}}, "hi"),
        ({"role": "user", "content": "hi"}, "hi"),
        ({"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}}, "hi"),
        (said("the <command-name> tag"), "the <command-name> tag"),
    ],
)  # fmt: skip
def test_prompts(entry: Line, text: str) -> None:
    assert list(events_of(entry)) == [UserPrompt(text)]


@pytest.mark.parametrize(
    "entry",
    [
        said("x", isMeta=True), said("x", isCompactSummary=True), said("x", toolUseResult={}), result("hi"), said(""), said("  "),
        said("<local-command-stdout>x</local-command-stdout>"), said("[Request interrupted by user]"), said("Caveat: x"),
        said("<system-reminder>only this</system-reminder>"), said(None), said(5), said([5, None, "x"]),
        said("<bash-input>ls</bash-input>"), said([{"type": "image"}]),
        {"type": "summary", "summary": "x"}, {"type": "file-history-snapshot", "snapshot": {"role": "user"}}, {"type": "attachment"},
        {"type": "attachment", "attachment": {"type": "nested_memory", "content": "- a: x"}}, {"type": "system", "skills": "a"}, {},
        {"type": "system", "content": "- a: x\nskills are available"},
        {"type": "response_item", "payload": {"role": "user", "content": [{"type": "input_text", "text": "<environment_context>x"}]}},
    ],
)  # fmt: skip
def test_what_nobody_typed(entry: Line) -> None:
    assert list(events_of(entry)) == []


@pytest.mark.parametrize(
    "entry",
    [
        answer(load("a"), usage={}),
        answer({"type": "tool_use", "name": "Skill", "input": {"command": "/a"}}, usage={}),
        {"type": "assistant", "message": {"role": "assistant", "tool_calls": [{"function": {"name": "skill", "arguments": '{"name": "a"}'}}]}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "load_skill", "arguments": '{"skill_name": "a"}'}},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "mcp__skills__use_skill", "input": {"skill": "a"}}]},
        {"role": "assistant", "parts": [{"type": "tool", "tool": "skill", "callID": "x", "state": {"input": {"name": "a"}}}]},
        {"type": "assistant", "item": {"name": "activate_skill", "args": {"name": "a"}}},
    ],
)  # fmt: skip
def test_calls(entry: Line) -> None:
    assert [event.skill for event in events_of(entry) if isinstance(event, SkillCall)] == ["a"]


@pytest.mark.parametrize(
    "entry",
    [
        answer(tool("Bash", skill="a"), usage={}), answer(tool("Skills", skill="a"), usage={}), answer(tool("Skill"), usage={}),
        answer(tool("Skill", skill=5), usage={}), answer(tool("Skill", skill=""), usage={}), answer(tool("Skill", skill="x" * 300), usage={}),
        answer({"type": "text", "text": '{"type": "tool_use", "name": "Skill", "input": {"skill": "a"}}'}, usage={}),
        answer({"type": "text", "name": "Skill", "input": {"skill": "a"}}, usage={}),
        answer({"type": "tool_result", "content": [load("a")]}, usage={}),
        result(json.dumps(load("a"))), said([{"type": "tool_result", "content": [load("a")]}]),
        {"type": "assistant", "message": {"tool_calls": [{"function": {"name": "skill", "arguments": "{"}}]}},
        {"type": "assistant", "message": {"tool_calls": [{"function": {"name": "skill", "arguments": "[" * 9_999}}]}},
    ],
)  # fmt: skip
def test_what_is_no_call(entry: Line) -> None:
    assert not [event for event in events_of(entry) if isinstance(event, SkillCall)]


def test_tokens_of_others() -> None:
    entry = {
        "role": "assistant",
        "model": "x",
        "usage": {"prompt_tokens": 10, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 3}},
    }
    (used,) = (event for event in events_of(entry) if isinstance(event, TokenUse))
    assert (used.usage.input_tokens, used.usage.cache_read_tokens, used.usage.total) == (7, 3, 14)
    for bad in ({"input_tokens": -5}, {"input_tokens": "5"}, {"input_tokens": True}, {"input_tokens": 1e99}, [], "x"):
        assert not list(events_of({"role": "assistant", "usage": bad}))


def test_damaged_lines_are_counted_and_the_rest_is_read() -> None:
    good = lines(said("x"), answer(load("a")))
    bad = '{"type": "user"\n[1, 2]\n\n"text"\n' + "[" * 200_000 + "\n\x00\x01\n" + '{"type": ["user"], "message": 5}\n'
    tally = Tally()
    data = bad.encode() + b"\xff\xfe\n" + good.encode() + b'{"type": "assis'
    assert read_stream(io.BytesIO(data), tally) == Lines(10, 7, 0)
    tally.end_file()
    assert tally.uses()[0].fired == 1


def test_a_line_without_end_is_not_held() -> None:
    data = b"x" * (LONGEST_LINE * 2) + b"\n" + lines(said("x"), answer(load("a"))).encode()
    tally = Tally()
    assert read_stream(io.BytesIO(data), tally) == Lines(2, 0, 1)


class Endless(io.RawIOBase):
    """A record that is made as it is read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces

    def readline(self, size: int | None = -1, /) -> bytes:
        return next(self.pieces, b"")


def test_memory_does_not_grow_with_the_record() -> None:
    def made(turns: int) -> Iterator[bytes]:
        for at in range(turns):
            session = f"s{at // 2}"
            for entry in (said(f"prompt {at} " + "so " * 1_300, session), answer(load(f"k{at % 50}"), session=session)):
                yield (json.dumps(entry) + "\n").encode()

    def peak(turns: int) -> int:
        tracemalloc.start()
        try:
            read_stream(Endless(made(turns)), Tally())  # type: ignore[arg-type]
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(5_000) - peak(1_200) < 1_500_000  # 15 MB more are read; what is left is a number for each call


def test_hostile_names_do_not_fill_the_memory() -> None:
    names = [f"n{at}" for at in range(3 * MOST_SKILLS)]
    tally = tally_of(
        lines(listing(*names), *(listing(name) for name in names), said("x"), *(answer(load(name)) for name in names))
    )
    assert len(tally.uses()) == MOST_SKILLS


def test_speed() -> None:
    line = lines(said("x" * 2_000), answer(tool("Bash", command="y" * 2_000)))
    started = time.monotonic()
    tally_of(line * 5_000)
    assert time.monotonic() - started < 20  # 22 MB


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["type", "message", "role", "content", "name", "input", "skill", "usage", "attachment", "names", "id", "text", "input_tokens", "sessionId", "agentId"]),
        inner | st.sampled_from(["user", "assistant", "Skill", "tool_use", "attachment", "skill_listing", "text"]),
        max_size=5,
    ),
    max_leaves=15,
)  # fmt: skip


@given(st.lists(JSON, max_size=5))
def test_no_line_is_too_strange(entries: list[object]) -> None:
    tally = tally_of("".join(json.dumps(entry) + "\n" for entry in entries), keep=True)
    assert all(use.fired >= 0 for use in tally.uses())


def test_a_record_of_an_agents_own_agent_by_its_place(tmp_path: Path) -> None:
    from plugin_eval_ci.evals.traces.tally import files_in, read_file

    place = tmp_path / "s" / "subagents" / "agent-1.jsonl"
    place.parent.mkdir(parents=True)
    place.write_text(lines(said("you are a helper"), answer(load("a"))))
    (tmp_path / "s.jsonl").write_text(lines(said("x"), answer(load("b"))))
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path)
    tally = Tally()
    files = list(files_in(str(tmp_path)))
    assert [Path(file).name for file in files] == ["s.jsonl", "agent-1.jsonl"]
    for file in files:
        read_file(file, tally)
    assert {use.skill: use.in_subagents for use in tally.uses()} == {"a": 1, "b": 0}
