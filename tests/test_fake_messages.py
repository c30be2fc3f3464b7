"""The stub that tests of models use behaves as the service: the vendor's own SDK understands all its answers."""

from __future__ import annotations

import anthropic
import pytest
from fake_messages import KEY, Drop, Fail, FakeMessages, Hang, Raw, Say


def send(fake: FakeMessages, model: str = "m", text: str = "hello", **more: object):
    with anthropic.Anthropic(api_key=KEY, base_url=fake.url, max_retries=0, timeout=2) as client:
        return client.messages.create(model=model, max_tokens=9, messages=[{"role": "user", "content": text}], **more)  # type: ignore[call-overload]


@pytest.fixture
def fake():
    with FakeMessages() as running:
        yield running


def test_it_answers_by_prompt_model_and_purpose(fake: FakeMessages) -> None:
    fake.on(Say("one"), Say("two"), prompt="count")
    fake.on(lambda seen: Say(seen.prompt.upper()), model="loud")
    fake.on(Say("judged"), purpose="judge")
    said = [send(fake, text="count").content[0].text for _ in range(3)]
    assert said == ["one", "two", "two"]
    assert send(fake, "loud-1", "count").content[0].text == "COUNT"
    assert send(fake, extra_headers={"x-plugin-eval-purpose": "judge:x"}).content[0].text == "judged"
    assert send(fake).content[0].text == "ok"
    assert fake.calls == len(fake.messages()) == 6
    assert fake.messages()[0].body["max_tokens"] == 9


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Fail(400), anthropic.BadRequestError),
        (Fail(401), anthropic.AuthenticationError),
        (Fail(402), anthropic.PaymentRequiredError),
        (Fail(403), anthropic.PermissionDeniedError),
        (Fail(404), anthropic.NotFoundError),
        (Fail(429, retry_after=3), anthropic.RateLimitError),
        (Fail(500), anthropic.InternalServerError),
        (Fail(529), anthropic.OverloadedError),
        (Hang(3), anthropic.APITimeoutError),
        (Drop(), anthropic.APIConnectionError),
        (Drop(after=10), anthropic.APIConnectionError),
        (Raw(b"<html>", 502, "text/html"), anthropic.InternalServerError),
    ],
    ids=str,
)
def test_failures_are_those_of_the_service(fake: FakeMessages, answer, error) -> None:
    fake.on(answer)
    with pytest.raises(error) as caught:
        send(fake)
    if isinstance(answer, Fail) and answer.retry_after:
        assert caught.value.response.headers["retry-after"] == "3"


def test_blocks_stops_and_slow_answers(fake: FakeMessages) -> None:
    fake.on(Say("x", "max_tokens", thinking=True), Say("", "refusal"), Say("slow", drip=0.3))
    cut, refused, slow = (send(fake) for _ in range(3))
    assert ([block.type for block in cut.content], cut.stop_reason) == (["thinking", "text"], "max_tokens")
    assert (refused.content, refused.stop_reason) == ([], "refusal")
    assert slow.content[0].text == "slow"


def test_models_and_the_key(fake: FakeMessages) -> None:
    fake.key = KEY
    fake.model("old", lifecycle="retired", structured_outputs=False)
    fake.model("lost", gone=True)
    with anthropic.Anthropic(api_key=KEY, base_url=fake.url, max_retries=0) as client:
        old = client.models.retrieve("old")
        assert (old.lifecycle, old.capabilities.structured_outputs.supported) == ("retired", False)
        assert client.models.retrieve("new").capabilities.structured_outputs.supported
        with pytest.raises(anthropic.NotFoundError):
            client.models.retrieve("lost")
        assert client.messages.count_tokens(model="m", messages=[{"role": "user", "content": "x"}]).input_tokens > 0
    with pytest.raises(anthropic.AuthenticationError), anthropic.Anthropic(api_key="no", base_url=fake.url) as client:
        client.models.retrieve("new")


TOOLS = [{"name": "Look", "description": "Looks.", "input_schema": {"type": "object"}}]
USE = {"type": "tool_use", "id": "t1", "name": "Look", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
HELLO = {"role": "user", "content": "hello"}


def said(*content: object) -> dict:
    return {"role": "assistant", "content": list(content)}


def brought(*content: object) -> dict:
    return {"role": "user", "content": list(content)}


@pytest.mark.parametrize(
    ("messages", "wrong"),
    [
        ([HELLO], ""),
        ([HELLO, said(USE), brought(RESULT)], ""),
        ([HELLO, said(USE), brought(RESULT, {"type": "text", "text": "and?"})], ""),
        ([HELLO, said({"type": "text", "text": "so"}), HELLO], ""),
        ([], "alternate"),
        ([HELLO, HELLO], "alternate"),
        ([HELLO, said({"type": "text", "text": "prefill"})], "end with user"),
        ([HELLO, said(USE), HELLO], "tool_use"),
        ([HELLO, said(USE), brought({"type": "text", "text": "first"}, RESULT)], "tool_use"),
        ([HELLO, said(USE, {**USE, "id": "t2"}), brought(RESULT)], "tool_use"),
        ([brought(RESULT)], "tool_use"),
        ([HELLO, said(), HELLO], "non-empty"),
        ([HELLO, said({"type": "text", "text": ""}, USE), brought(RESULT)], "non-empty"),
        ([HELLO, said({"type": "thinking", "thinking": "hm"}, USE), brought(RESULT)], "signature"),
    ],
)
def test_it_refuses_what_the_service_refuses(fake: FakeMessages, messages: list[dict], wrong: str) -> None:
    with anthropic.Anthropic(api_key=KEY, base_url=fake.url, max_retries=0, timeout=2) as client:
        if not wrong:
            assert client.messages.create(model="m", max_tokens=9, messages=messages, tools=TOOLS).content  # type: ignore[arg-type]
            return
        with pytest.raises(anthropic.BadRequestError, match=wrong):
            client.messages.create(model="m", max_tokens=9, messages=messages, tools=TOOLS)  # type: ignore[arg-type]


def test_breakpoints_and_names_of_tools_are_counted(fake: FakeMessages) -> None:
    marked = [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}] * 4
    send(fake, system=marked)
    with pytest.raises(anthropic.BadRequestError, match="maximum of 4"):
        send(fake, system=[*marked, marked[0]])
    with pytest.raises(anthropic.BadRequestError, match="unique"):
        send(fake, tools=TOOLS * 2)


def test_calls_have_ids_of_their_own_and_the_text_of_the_first_turn_finds_the_rule(fake: FakeMessages) -> None:
    fake.on(Say("", calls=[("Look", {"a": 1}), ("Look", {})], usage=None), prompt="hello")
    first, second = send(fake, tools=TOOLS), send(fake, tools=TOOLS)
    assert first.stop_reason == "tool_use"
    ids = [block.id for reply in (first, second) for block in reply.content]
    assert len(set(ids)) == 4
    assert first.content[0].input == {"a": 1}
    assert first.usage.input_tokens == round(len("hello") / 3.5) + round((4 + 6 + len('{"type": "object"}')) / 3.5)
    with anthropic.Anthropic(api_key=KEY, base_url=fake.url, max_retries=0, timeout=2) as client:
        messages = [HELLO, said(USE), brought(RESULT)]
        assert (
            client.messages.create(model="m", max_tokens=9, messages=messages, tools=TOOLS).content[0].type
            == "tool_use"
        )  # type: ignore[arg-type]


def test_a_beginning_is_written_to_the_cache_once_and_read_from_then_on(fake: FakeMessages) -> None:
    fake.on(Say("four", usage=None))
    long = [{"type": "text", "text": "x" * 7_000, "cache_control": {"type": "ephemeral"}}]
    first, second = (send(fake, text="y" * 70, system=long).usage for _ in range(2))
    assert (first.input_tokens, first.cache_creation_input_tokens, first.cache_read_input_tokens) == (20, 2_000, 0)
    assert (second.input_tokens, second.cache_creation_input_tokens, second.cache_read_input_tokens) == (20, 0, 2_000)
    assert send(fake, model="other", system=long).usage.cache_creation_input_tokens == 2_000
    short = [{"type": "text", "text": "x" * 700, "cache_control": {"type": "ephemeral"}}]
    assert [send(fake, system=short).usage.cache_read_input_tokens for _ in range(2)] == [0, 0]
    assert send(fake, text="y" * 7_000).usage.input_tokens == 2_000
