"""The model client against two Messages APIs that others wrote, with the real SDK over real HTTP, and against a real model."""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_messages import KEY, FakeMessages

from plugin_eval_ci.evals.llm.anthropic import Client, Options, open_ask
from plugin_eval_ci.evals.llm.request import Block, Failure, Outcome, Reply, Request, StopError

pytestmark = pytest.mark.outside

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "number", "enum": [0, 0.25, 0.5, 0.75, 1]}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
GOOD = '{"reason": "so", "score": 0.5}'
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def request(text: str = "hello", **more: object) -> Request:
    return Request("test", "haiku", (), (Block(text),))._replace(**more)  # type: ignore[arg-type]


def ask(options: Options, *requests: Request, look: list[Client] | None = None) -> list[Outcome]:
    async def go() -> list[Outcome]:
        async with open_ask(options) as client:
            outcomes = await asyncio.gather(*(client.ask(one, number) for number, one in enumerate(requests)))
            if look is not None:
                look.append(client)
            return outcomes

    return asyncio.run(go())


def http(address: str, body: object = None, method: str | None = None) -> object:
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(address, data, {"content-type": "application/json"}, method=method)
    with OPENER.open(asked, timeout=20) as answer:
        content = answer.read()
    return json.loads(content) if content else None


@contextlib.contextmanager
def served(words: list[str], port: int, folder: Path) -> Iterator[str]:
    """A server that listens on the port, until the end."""
    with (folder / "log").open("w") as log, subprocess.Popen(words, cwd=folder, stdout=log, stderr=log) as process:
        try:
            for _ in range(600):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                assert process.poll() is None, (folder / "log").read_text()[-800:]
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class LLMock:
    """What is asked of the running llmock."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.options = Options(key=KEY, base_url=f"{address}/anthropic", retries=0, timeout=5)

    def play(self, *behaviors: dict[str, object]) -> None:
        http(f"{self.address}/_llmock/reset", {}, "POST")
        behaviors = tuple({"match": {"path": "*messages"}, **one} for one in behaviors)
        if behaviors:
            http(f"{self.address}/_llmock/scenario", {"behaviors": behaviors})

    def asked(self) -> int:
        """How many requests came since, of any kind."""
        found = http(f"{self.address}/_llmock/requests")
        assert isinstance(found, dict)
        return int(found["count"])


@pytest.fixture(scope="module")
def llmock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LLMock]:
    program = Path(sys.executable).with_name("llmock")
    if not program.exists():
        pytest.skip("llmock is not installed: pip install llmock")
    port = free_port()
    with served([str(program), "serve", "--port", str(port)], port, tmp_path_factory.mktemp("llmock")) as address:
        yield LLMock(address)


@pytest.mark.parametrize(("status", "kind"), [(429, "infra_error"), (500, "infra_error"), (503, "infra_error"), (529, "infra_error"),
                                              (400, "bad_request"), (413, "bad_request")])  # fmt: skip
def test_llmock_failures(llmock: LLMock, status: int, kind: str) -> None:
    llmock.play({"type": "fail", "status": status, "times": None})
    (failure,) = ask(llmock.options, request())
    assert isinstance(failure, Failure)
    assert (failure.kind, str(status) in failure.reason) == (kind, True)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_llmock_stops(llmock: LLMock, status: int) -> None:
    llmock.play({"type": "fail", "status": status, "times": None})
    with pytest.raises(StopError, match=str(status)):
        ask(llmock.options, request())


def test_llmock_retries_wait_as_long_as_they_are_told(llmock: LLMock) -> None:
    llmock.play(
        {"type": "fail", "status": 429, "retry_after": 2, "times": 2},
        {"type": "fail", "status": 529},
        {"type": "reply", "text": "at last"},
    )
    start = time.monotonic()
    (reply,) = ask(llmock.options._replace(retries=6), request())
    assert isinstance(reply, Reply) and reply.text == "at last"
    assert time.monotonic() - start > 4
    verdict = http(f"{llmock.address}/_llmock/verdict")
    assert isinstance(verdict, dict) and verdict["passed"] is True, verdict


def test_llmock_a_late_answer_and_json(llmock: LLMock) -> None:
    llmock.play({"type": "delay", "seconds": 3})
    (late,) = ask(llmock.options._replace(timeout=1), request())
    assert isinstance(late, Failure) and late.kind == "timeout"
    llmock.play({"type": "reply", "text": "no JSON"}, {"type": "reply", "text": f"Well: {GOOD}"})
    (second,) = ask(llmock.options, request(schema=SCHEMA))
    assert isinstance(second, Reply) and second.data == {"reason": "so", "score": 0.5}
    llmock.play({"type": "reply", "text": "no JSON", "times": 2})
    (never,) = ask(llmock.options, request(schema=SCHEMA))
    assert isinstance(never, Failure) and never.kind == "malformed"


def test_llmock_is_never_asked_twice_for_what_is_recorded(llmock: LLMock, tmp_path: Path) -> None:
    llmock.play()
    options = llmock.options._replace(cache=str(tmp_path))
    first = ask(options, *[request()] * 20)
    assert llmock.asked() >= 20
    http(f"{llmock.address}/_llmock/reset", {}, "POST")
    second = ask(options, *[request()] * 20)
    assert [one.text for one in first if isinstance(one, Reply)] == [
        one.text for one in second if isinstance(one, Reply)
    ]
    assert all(isinstance(one, Reply) and one.recorded for one in second)
    assert llmock.asked() == 0


@pytest.fixture(scope="module")
def aimock(node_modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("aimock")
    error = {"error": {"message": "no", "type": "x"}}

    def answer(word: str, response: dict[str, object], **match: object) -> dict[str, object]:
        return {"match": {"userMessage": word, **match}, "response": response}

    fixtures = [
        answer("later", {**error, "status": 429, "retryAfter": 2}, sequenceIndex=0),
        answer("later", {**error, "status": 529}, sequenceIndex=1),
        answer("later", {"content": "at last"}),
        answer("limited", {**error, "status": 429, "retryAfter": 1}),
        answer("broken", {**error, "status": 500}),
        answer("busy", {**error, "status": 529}),
        answer("key", {**error, "status": 401}),
        answer("cut", {"content": "and so", "finishReason": "length"}),
        answer("judge", {"content": GOOD, "usage": {"input_tokens": 7, "output_tokens": 3}}),
    ]
    (folder / "fixtures.json").write_text(json.dumps({"fixtures": fixtures}))
    port = free_port()
    words = [
        "node",
        str(node_modules / ".bin/llmock"),
        "-p",
        str(port),
        "-f",
        str(folder / "fixtures.json"),
        "--strict",
    ]
    with served(words, port, folder) as address:
        yield address


def test_aimock(aimock: str) -> None:
    options = Options(key=KEY, base_url=aimock, retries=0, timeout=10)
    failing = [request(word) for word in ("limited", "broken", "busy")] + [request("cut", schema=SCHEMA)]
    outcomes = ask(options, *failing, request("cut"), request("judge", schema=SCHEMA))
    kinds = [getattr(one, "kind", "reply") for one in outcomes]
    assert kinds == ["infra_error", "infra_error", "infra_error", "truncated", "reply", "reply"]
    text, judged = outcomes[4:]
    assert isinstance(text, Reply) and text.cut and text.text == "and so"
    assert isinstance(judged, Reply) and not judged.cut
    assert (judged.data, judged.usage.total) == ({"reason": "so", "score": 0.5}, 10)
    with pytest.raises(StopError, match="ANTHROPIC_API_KEY"):
        ask(options, request("key"))
    start = time.monotonic()
    (late,) = ask(options._replace(retries=4), request("later"))
    assert isinstance(late, Reply) and late.text == "at last" and time.monotonic() - start > 2
    journal = http(f"{aimock}/__aimock/journal")
    assert KEY not in json.dumps([entry["body"] for entry in journal])  # type: ignore[index, union-attr]


def test_a_real_model(local_model: str, tmp_path: Path) -> None:
    options = Options(
        base_url=local_model, cache=str(tmp_path), concurrency=4, models=(("haiku", "local"),), deadline=300
    )
    clients: list[Client] = []
    wanted = [request(f"Say a sentence about the number {number}.", max_tokens=400) for number in range(12)]
    outcomes = ask(options, *wanted, look=clients)
    replies = [one for one in outcomes if isinstance(one, Reply)]
    assert len(replies) >= 10 and {one.kind for one in outcomes if isinstance(one, Failure)} <= {"truncated"}
    assert all(one.text.strip() and one.usage.input_tokens > 0 and one.usage.output_tokens > 0 for one in replies)
    spent = clients[0].usage()
    assert (spent.calls, spent.cost, spent.models[0].model) == (12, None, "local")
    again = ask(options, *wanted)
    assert [one.text for one in again if isinstance(one, Reply) and one.recorded] == [one.text for one in replies]


def test_a_real_model_that_cannot_do_json_gives_no_score_that_does_not_fit(local_model: str) -> None:
    options = Options(base_url=local_model, concurrency=4, models=(("haiku", "local"),), deadline=300)
    outcomes = ask(options, *[request("How good is this skill? Give a score.", schema=SCHEMA, max_tokens=300)] * 4)
    for one in outcomes:
        fits = isinstance(one, Reply) and one.data is not None and one.data["score"] in (0, 0.25, 0.5, 0.75, 1)
        assert fits or (isinstance(one, Failure) and one.kind in ("malformed", "truncated") and one.usage.total > 0)


def test_memory_is_flat_at_5000_calls_with_the_sdk() -> None:
    async def many(url: str) -> list[int]:
        peaks = []
        async with open_ask(Options(key=KEY, base_url=url, retries=2)) as client:
            for part in range(5):
                await asyncio.gather(*(client.ask(request("y" * 2_000), 1_000 * part + n) for n in range(1_000)))
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
            assert client.usage().calls == 5_000
        return peaks

    with FakeMessages(keep=False) as fake:
        peaks = asyncio.run(many(fake.url))
    assert peaks[-1] - peaks[0] < 8_000, f"kilobytes after each 1,000 calls: {peaks}"
