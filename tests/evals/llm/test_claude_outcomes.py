"""Every way in which a call can end lands in its class, over real HTTP and with the real SDK."""

from __future__ import annotations

import asyncio

import pytest
from claude_runs import GOOD, SCHEMA, everything, request
from fake_messages import KEY, Drop, Fail, Hang, Raw, Say

from plugin_eval_ci.evals.llm.anthropic import Options, open_ask, problem_of
from plugin_eval_ci.evals.llm.request import Block, Failure, Reply, Request, StopError
from plugin_eval_ci.scoring.spending import Usage


def says(block: bytes) -> bytes:
    """A message with that block."""
    head = b'{"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn", '
    return head + b'"usage": {"input_tokens": 1, "output_tokens": 1}, "content": [' + block + b"]}"


def test_an_answer(fake, run) -> None:
    fake.on(Say("hello back", thinking=True, usage={"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": 90,
                                                    "cache_creation_input_tokens": 4}))  # fmt: skip
    (reply,) = run((request("hi"), 0))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.data, reply.model, reply.recorded) == ("hello back", None, "claude-haiku-5-5", False)
    assert reply.usage == Usage(7, 3, 4, 90)
    assert reply.seconds > 0
    (seen,) = fake.messages()
    assert (seen.model, seen.prompt, seen.purpose) == ("claude-haiku-5-5", "hi", "test")
    assert KEY in (seen.headers.get("x-api-key"), seen.headers.get("authorization", "").removeprefix("Bearer "))
    assert not {"temperature", "tools", "tool_choice", "thinking"} & set(seen.body)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Fail(429), "infra_error", "429"),
        (Fail(500), "infra_error", "500"),
        (Fail(502), "infra_error", "502"),
        (Fail(529), "infra_error", "overloaded"),
        (Hang(3), "timeout", "no answer within 1 s"),
        (Say(drip=4), "timeout", "no complete answer"),
        (Drop(), "infra_error", "connection"),
        (Drop(after=12), "infra_error", "connection"),
        (Raw(), "infra_error", "not a message"),
        (Raw(b"<html>Sign in to the network</html>", 200, "text/html"), "infra_error", "not a message"),
        (Raw(b"null"), "infra_error", "not a message"),
        (Raw(b'{"content": 5, "usage": 3}'), "infra_error", "not a message"),
        (Raw(says(b'{"type": "text", "text": 3}')), "infra_error", "not a message"),
        (Raw(says(b'{"type": "text"}')), "infra_error", "not a message"),
        (Raw(says(b'{"type": "tool_use", "id": "t", "name": "Skill", "input": "x"}')), "infra_error", "not a message"),
        (Raw(says(b'{"type": "tool_use", "id": null, "name": "Skill", "input": {}}')), "infra_error", "not a message"),
        (Raw(says(b"7")), "infra_error", "not a message"),
        (Raw(b"<html>bad gateway</html>", 502, "text/html"), "infra_error", "502"),
        (Fail(400, "max_tokens: too many"), "bad_request", "too many"),
        (Fail(413), "bad_request", "413"),
        (Say("I will not", "refusal"), "refusal", "declined"),
        (Say("", "refusal"), "refusal", "declined"),
        (Say("", "max_tokens", thinking=True), "truncated", "cut"),
    ],
    ids=str,
)  # fmt: skip
def test_a_failure_is_of_its_kind_and_never_an_answer(fake, run, answer, kind, words) -> None:
    fake.on(answer)
    (failure,) = run((request(), 0), timeout=1)
    assert isinstance(failure, Failure)
    assert failure.kind == kind
    assert words in failure.reason
    assert KEY not in failure.reason
    assert failure.usage.total == (120 if isinstance(answer, Say) and not answer.drip else 0)
    assert fake.calls == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Fail(401, f"invalid x-api-key {KEY}"), "check ANTHROPIC_API_KEY"),
        (Fail(402), "billing"),
        (Fail(403), "rights"),
        (Fail(404, "model: claude-haiku-5-5"), "models:"),
        (Fail(400, "Your credit balance is too low to access the API"), "no credit left"),
        (Fail(429, "You have reached your specified API usage limits"), "no credit left"),
    ],
    ids=str,
)
def test_what_makes_every_call_fail_stops_the_run_at_once_and_says_what_to_do(fake, options, answer, words) -> None:
    fake.on(answer)

    async def many() -> None:
        async with open_ask(options) as client:
            results = await asyncio.gather(*(client.ask(request(), n) for n in range(40)), return_exceptions=True)
            assert {type(result) for result in results} == {StopError}
            with pytest.raises(StopError) as caught:
                await client.ask(request("later"), 0)
            assert words in str(caught.value)
            assert KEY not in str(caught.value)

    asyncio.run(many())
    assert fake.calls <= options.concurrency


def test_a_wrong_address_a_retired_model_and_a_key_that_is_refused_stop_before_the_first_call(fake, options) -> None:
    def stopped(**changed: object) -> str:
        with pytest.raises(StopError) as caught:
            asyncio.run(everything(options._replace(**changed), [(request(), 0)]))
        return str(caught.value)

    assert "no connection to http://127.0.0.1:9" in stopped(base_url="http://127.0.0.1:9")
    assert "secret" not in stopped(base_url="http://user:secret@127.0.0.1:9")
    fake.model("claude-haiku-5-5", lifecycle="retired")
    assert "'claude-haiku-5-5' is retired" in stopped()
    assert "'claude-opus-4-1-20250805' is retired since 2026-08-05" in stopped(
        models=(("haiku", "claude-opus-4-1-20250805"),)
    )
    fake.key = "another"
    assert "check ANTHROPIC_API_KEY" in stopped()
    assert fake.calls == 0


def test_the_sdk_tries_again_and_waits_as_long_as_it_is_told(fake, run) -> None:
    fake.on(Fail(429, retry_after=1), Fail(529), Drop(), Say("at last"))
    (reply,) = run((request(), 0), retries=6)
    assert reply.text == "at last"
    first, second, *_ = fake.messages()
    assert second.at - first.ended >= 0.95
    assert fake.calls == 4


def test_after_call_upon_call_has_failed_nothing_more_is_sent(fake, run) -> None:
    fake.on(Fail(500))
    outcomes = run(*((request(), n) for n in range(50)), concurrency=5)
    assert {outcome.kind for outcome in outcomes} == {"infra_error"}
    assert fake.calls < 20
    assert sum("not sent" in outcome.reason for outcome in outcomes) == 50 - fake.calls


def test_single_outages_do_not_end_a_run(fake, run) -> None:
    fake.on(lambda seen: Fail(500) if int(seen.prompt) % 3 == 0 else Say())
    outcomes = run(*((request(str(n)), 0) for n in range(30)))
    assert fake.calls == 30
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [n % 3 != 0 for n in range(30)]


def test_a_kind_of_request_that_is_not_taken_is_sent_once_and_others_go_on(fake, run) -> None:
    fake.on(Fail(400, "no"), prompt="bad")
    bad = [(request("bad", purpose="bad"), n) for n in range(9)]
    outcomes = run(*bad, (request("good"), 0), concurrency=1)
    assert [getattr(outcome, "kind", "reply") for outcome in outcomes] == ["bad_request"] * 9 + ["reply"]
    assert fake.calls == 2


def test_a_schema_is_sent_as_structured_output_and_the_answer_is_held_to_it(fake, run) -> None:
    fake.on(Say(GOOD, thinking=True))
    (reply,) = run((request(schema=SCHEMA, effort="low"), 0))
    assert reply.data == {"reason": "so", "score": 0.5}
    (seen,) = fake.messages()
    assert seen.schema == SCHEMA
    assert seen.body["output_config"]["effort"] == "low"
    assert "JSON" not in seen.prompt


@pytest.mark.parametrize(
    "text", [GOOD, f"Sure!\n```json\n{GOOD}\n```\nAnything else?", f"My verdict: {GOOD}. Done.", f"{{}} {GOOD}"]
)
def test_json_among_words_is_read_where_it_fits(fake, run, text) -> None:
    fake.on(Say(text))
    (reply,) = run((request(schema=SCHEMA), 0))
    assert reply.data["score"] == 0.5
    assert fake.calls == 1


BAD = ["no JSON", '{"reason": "so"}', '{"reason": "so", "score": 0.6}', '{"reason": "so", "score": true}',
       '{"reason": "so", "score": 0.5, "extra": 1}', "[1]", '{"reason": "so", "score": NaN}', "[" * 100_000, ""]  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:20])
def test_what_does_not_fit_is_asked_for_once_more_and_then_malformed(fake, run, text) -> None:
    fake.on(Say(text))
    (failure,) = run((request(schema=SCHEMA), 0))
    assert (failure.kind, failure.usage.total, fake.calls) == ("malformed", 240, 2)
    again = fake.messages()[1].body["messages"]
    assert [turn["role"] for turn in again] == ["user", "assistant", "user"]
    assert '"score"' in fake.messages()[1].prompt


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded"])
def test_text_that_was_cut_is_an_answer_and_json_that_was_cut_is_none(fake, run, stop) -> None:
    fake.on(Say("and so", stop))
    reply, failure = run((request("text"), 0), (request("data", schema=SCHEMA), 0))
    assert (reply.text, reply.cut, failure.kind) == ("and so", True, "truncated")
    (again,) = run((request("text"), 0))
    assert again == reply._replace(recorded=True, seconds=again.seconds)
    fake.on(Say("and so"))
    assert not run((request("whole"), 0))[0].cut


def test_the_second_answer_may_fit(fake, run) -> None:
    fake.on(Say("well, half"), Say(GOOD))
    (reply,) = run((request(schema=SCHEMA), 0))
    assert (reply.data["score"], reply.usage.total, fake.calls) == (0.5, 240, 2)


def test_a_model_without_structured_output_is_told_the_schema_in_words(fake, run) -> None:
    fake.model("claude-haiku-5-5", structured_outputs=False, effort=False)
    fake.on(Say(GOOD))
    (reply,) = run((request(schema=SCHEMA, effort="low"), 0))
    assert reply.data["score"] == 0.5
    (seen,) = fake.messages()
    assert "output_config" not in seen.body
    assert '"additionalProperties": false' in seen.prompt


def test_a_gateway_that_does_not_know_structured_output_is_asked_in_words(fake, run) -> None:
    fake.no_models()
    fake.on(lambda seen: Fail(400, "output_config: unknown field") if "output_config" in seen.body else Say(GOOD))
    outcomes = run(*((request(schema=SCHEMA), n) for n in range(12)), concurrency=3)
    assert all(outcome.data["score"] == 0.5 for outcome in outcomes)
    assert fake.calls <= 12 + 3


def test_capabilities_are_asked_once_a_model(fake, run) -> None:
    run(*((request(model=model), n) for n in range(10) for model in ("haiku", "sonnet")))
    assert sorted(seen.model for seen in fake.seen if seen.path.startswith("/v1/models/")) == [
        "claude-haiku-5-5",
        "claude-sonnet-5-5",
    ]


def test_models_are_chosen_by_tier_or_name(fake, run) -> None:
    run(
        (request(model="haiku"), 0),
        (request("b", model="my-model"), 0),
        models=(("haiku", "local"), ("my-model", "other")),
    )
    assert sorted(seen.model for seen in fake.messages()) == ["local", "other"]


def test_thinking_has_room_of_its_own(fake, run) -> None:
    run((request(max_tokens=50), 0), (request(max_tokens=50, model="claude-haiku-4-5"), 0))
    assert sorted(seen.body["max_tokens"] for seen in fake.messages()) == [50, 50 + 4096]


def test_the_time_for_the_whole_run(fake, run) -> None:
    run((request("warm"), 0))  # a busy machine may need longer than that to load the SDK
    before = fake.calls
    fake.on(Say(delay=0.6))
    outcomes = run(*((request(), n) for n in range(40)), deadline=2.0, concurrency=2)
    done = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
    assert 2 <= len(done) <= 8
    assert {outcome.kind for outcome in outcomes if outcome not in done} == {"timeout"}
    assert fake.calls - before == len(done)


def test_what_is_in_the_way_is_known_without_a_call() -> None:
    assert "ANTHROPIC_API_KEY" in str(problem_of(Options()))
    assert problem_of(Options(key="k")) is problem_of(Options(base_url="http://localhost:1")) is None
    assert problem_of(Options(replay=True)) is problem_of(Options(estimate=True)) is None
    with pytest.raises(StopError):
        asyncio.run(everything(Options(), []))


def test_options_come_from_the_environment_and_show_no_secret() -> None:
    environ = {"ANTHROPIC_API_KEY": "sk-1234", "ANTHROPIC_AUTH_TOKEN": "tok-5678", "ANTHROPIC_BASE_URL": "http://x/",
               "PLUGIN_EVAL_MODEL_OPUS": "big", "PLUGIN_EVAL_CACHE": "/c"}  # fmt: skip
    options = Options.from_environ(environ)
    assert (options.key, options.token, options.base_url, options.models, options.cache) == (
        "sk-1234", "tok-5678", "http://x", (("opus", "big"),), "/c")  # fmt: skip
    assert "sk-1234" not in repr(options)
    assert "tok-5678" not in f"{options}"
    assert Options.from_environ({"XDG_CACHE_HOME": "/x"}).cache == "/x/plugin-eval-ci/answers"


def test_a_token_goes_to_the_gateway_that_wants_one(fake, run) -> None:
    fake.key = "tok-5678"
    run((request(), 0), key="", token="tok-5678")
    (seen,) = fake.messages()
    assert seen.headers["authorization"] == "Bearer tok-5678"
    assert "x-api-key" not in seen.headers


def test_half_a_surrogate_pair_can_be_sent(fake, run) -> None:
    (reply,) = run((Request("p", "haiku", (Block("a\udcffb", True),), (Block("\ud83d"),)), 0))
    assert reply.text == "ok"


@pytest.mark.parametrize("block", [b"", b'{"type": "a kind of tomorrow", "x": 1}, '])
def test_blocks_of_a_kind_that_is_not_known_yet_are_passed_over(fake, run, block) -> None:
    fake.on(Raw(says(block + b'{"type": "text", "text": "hi"}')))
    (reply,) = run((request(), 0))
    assert isinstance(reply, Reply) and reply.text == "hi"
