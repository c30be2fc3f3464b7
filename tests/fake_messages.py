"""A Messages API of our own on loopback, which answers as a test tells it to and keeps what it was asked.

::

    with FakeMessages() as fake:
        fake.on(Say('{"score": 0.5}'), purpose="judge:scope_calibration")   # every time
        fake.on(Fail(429, retry_after=0.1), Say("hello"), model="haiku")      # first this, then that for ever
        fake.on(lambda seen: Say(seen.prompt.upper()), prompt="Please")       # made from the request
        ... base_url=fake.url ...
        fake.seen[0].body["max_tokens"]

The rule that was made last and fits is the one that answers; without one the answer is ``Say("ok")``. Server and test share a
process: the count of requests is exact, and nothing leaves the machine.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from plugin_eval_ci.evals.llm.models import table

KEY = "sk-ant-test-0123456789"
TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Say:
    """A message. ``stop``: end_turn, max_tokens, refusal …; ``thinking``: begins with a block that is not text; ``drip``: seconds over
    which the bytes of the answer come. ``calls``: name and input of tools that are called. ``usage`` None: characters / 3.5, both ways;
    what ends with a ``cache_control`` and is long enough is written to a cache, and read from it when it comes again.
    """

    text: str = "ok"
    stop: str = "end_turn"
    delay: float = 0.0
    usage: Mapping[str, int] | None = field(default_factory=lambda: {"input_tokens": 100, "output_tokens": 20})
    thinking: bool = False
    drip: float = 0.0
    calls: Sequence[tuple[str, Mapping[str, object]]] = ()


@dataclass(frozen=True)
class Fail:
    """An error as the service words it."""

    status: int
    message: str = "no"
    retry_after: float | None = None
    delay: float = 0.0


@dataclass(frozen=True)
class Drop:
    """The connection ends: ``after`` bytes of an answer, or none."""

    after: int = 0


@dataclass(frozen=True)
class Raw:
    """Bytes that are no message, such as a proxy's page."""

    body: bytes = b'{"id": "msg_1", "content": ['
    status: int = 200
    kind: str = "application/json"


@dataclass(frozen=True)
class Hang:
    """No answer for so many seconds."""

    seconds: float = 30.0


@dataclass(frozen=True)
class Left:
    """In a batch: not answered. ``kind``: expired or canceled."""

    kind: str = "expired"


Answer = Say | Fail | Drop | Raw | Hang | Left
Maker = Callable[["Seen"], Answer]


@dataclass
class Seen:
    """One request. ``answered``: the whole answer was handed to the connection."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict
    at: float
    answered: bool = False
    ended: float = 0.0

    @property
    def purpose(self) -> str:
        return self.headers.get("x-plugin-eval-purpose", "")

    @property
    def model(self) -> str:
        return str(self.body.get("model", self.path.rpartition("/")[2]))

    @property
    def system(self) -> str:
        return _text(self.body.get("system", ""))

    @property
    def prompt(self) -> str:
        """The last user turn."""
        messages = self.body.get("messages") or [{"content": ""}]
        return _text(messages[-1]["content"])

    @property
    def asked(self) -> str:
        """The first user turn: in a conversation with tools, what it is about."""
        return _text((self.body.get("messages") or [{"content": ""}])[0]["content"])

    @property
    def turn(self) -> int:
        """How often the model has spoken before."""
        return sum(message["role"] == "assistant" for message in self.body.get("messages", ()))

    @property
    def results(self) -> list[str]:
        """What the calls of the turn before brought."""
        content = (self.body.get("messages") or [{"content": ""}])[-1]["content"]
        return [part["content"] for part in content if isinstance(part, dict) and part["type"] == "tool_result"]

    @property
    def schema(self) -> dict | None:
        return self.body.get("output_config", {}).get("format", {}).get("schema")


@dataclass
class Rule:
    answers: list[Answer | Maker]
    path: str
    purpose: str
    model: str
    prompt: str
    used: int = 0

    def fits(self, seen: Seen) -> bool:
        return (
            (seen.path == self.path or (self.path.endswith("/") and seen.path.startswith(self.path)))
            and self.purpose in seen.purpose
            and self.model in seen.model
            and any(self.prompt in text for text in (seen.prompt, seen.system, seen.asked))
        )

    def next(self, seen: Seen) -> Answer:
        answer = self.answers[min(self.used, len(self.answers) - 1)]
        self.used += 1
        return answer(seen) if callable(answer) else answer


class FakeMessages:
    """The server; ``url`` goes where ANTHROPIC_BASE_URL does. ``key``: what it demands, any if empty."""

    def __init__(self, key: str = "", keep: bool = True) -> None:
        self.key, self.keep = key, keep
        self.seen: list[Seen] = []
        self.calls = 0  # to /v1/messages
        self.most_at_once = 0
        self._now = 0
        self._numbers = itertools.count(1)
        self._cached: set[str] = set()  # beginnings, by model
        self._rules: list[Rule] = []
        self._lock = threading.Lock()
        self._models: dict[str, dict | None] | None = {}
        self.batches: dict[str, dict] = {}  # id -> batch, with its "requests"; the oldest first
        self.batch_polls = 0  # looks at a batch before it has ended
        self.batch_fails: list[Answer] = []  # instead of taking the next batches; Drop: it is taken, and nobody is told

    def __enter__(self) -> FakeMessages:
        handler = type("Handler", (_Handler,), {"fake": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def on(
        self, *answers: Answer | Maker, path: str = "/v1/messages", purpose: str = "", model: str = "", prompt: str = ""
    ) -> None:
        """Answer requests that fit with these, one after the other; the last one stays. Words fit as parts."""
        with self._lock:
            self._rules.append(Rule(list(answers), path, purpose, model, prompt))

    def no_models(self) -> None:
        """A gateway that has no /v1/models."""
        self._models = None

    def model(self, name: str, **facts: object) -> None:
        """What /v1/models says of a model; ``lifecycle="retired"``, ``structured_outputs=False`` …; ``gone=True`` is 404."""
        assert self._models is not None
        self._models[name] = None if facts.get("gone") else facts

    def messages(self) -> list[Seen]:
        return [seen for seen in self.seen if seen.path == "/v1/messages"]

    @property
    def batched(self) -> int:
        """Requests handed in, in all batches."""
        return sum(len(one["requests"]) for one in self.batches.values())

    # from here on: of the handler

    def take_batch(self, body: dict) -> dict:
        name = f"msgbatch_{len(self.batches) + 1}"
        self.batches[name] = {"requests": body["requests"], "polls": self.batch_polls, "at": time.time()}
        return self.show_batch(name)

    def show_batch(self, name: str) -> dict:
        one = self.batches[name]
        ended, many = one["polls"] <= 0, len(one["requests"])
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(one["at"]))
        return {
            "id": name, "type": "message_batch", "processing_status": "ended" if ended else "in_progress",
            "request_counts": {
                "processing": 0 if ended else many, "succeeded": many if ended else 0, "errored": 0, "canceled": 0, "expired": 0,
            },
            "created_at": stamp, "expires_at": stamp, "ended_at": stamp if ended else None,
            "archived_at": None, "cancel_initiated_at": None,
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
        }  # fmt: skip

    def batch_results(self, name: str) -> bytes:
        """One line a request, the last one first."""
        one = self.batches[name]
        if "results" not in one:
            lines = [self._batch_result(request) for request in reversed(one["requests"])]
            one["results"] = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        return one["results"]

    def _batch_result(self, request: dict) -> dict:
        seen = Seen("POST", "/v1/messages", {}, request["params"], time.monotonic())
        answer: Answer = Say()
        with self._lock:
            rule = next((rule for rule in reversed(self._rules) if rule.fits(seen)), None)
            answer = answer if rule is None else rule.next(seen)
        if isinstance(answer, Left):
            result: dict = {"type": answer.kind}
        elif isinstance(answer, Fail):
            error = {"type": TYPES.get(answer.status, "api_error"), "message": answer.message}
            result = {"type": "errored", "error": {"type": "error", "error": error, "request_id": "req_1"}}
        else:
            assert isinstance(answer, Say)
            result = {"type": "succeeded", "message": _message(seen, answer, self.number(), self.bill(seen))}
        return {"custom_id": request["custom_id"], "result": result}

    def begin(self, seen: Seen) -> Answer | None:
        """What a rule says, None without one."""
        with self._lock:
            if self.keep:
                self.seen.append(seen)
            if seen.path == "/v1/messages":
                self.calls += 1
                self._now += 1
                self.most_at_once = max(self.most_at_once, self._now)
            rule = next((rule for rule in reversed(self._rules) if rule.fits(seen)), None)
            return None if rule is None else rule.next(seen)

    def bill(self, seen: Seen) -> dict[str, int]:
        """Tokens that are read for a call, by how they are billed."""
        whole = sum(tokens_of(seen.body.get(name) or []) for name in ("system", "tools", "messages"))
        beginning = beginning_of(seen.body)
        part = tokens_of(beginning)
        bill = {"input_tokens": whole, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        if part >= table().model(seen.model).cache_minimum:
            name = json.dumps([seen.model, beginning])
            with self._lock:
                kind = "read" if name in self._cached else "creation"
                self._cached.add(name)
            bill |= {"input_tokens": max(0, whole - part), f"cache_{kind}_input_tokens": part}
        return bill

    def number(self) -> int:
        """One that was not given before: ids of calls differ, as the service's do."""
        return next(self._numbers)

    def end(self, seen: Seen) -> None:
        with self._lock:
            seen.ended = time.monotonic()
            if seen.path == "/v1/messages":
                self._now -= 1

    def describe(self, name: str) -> dict | None:
        """A model as /v1/models shows it; None where it is not known."""
        if self._models is None:
            return None
        facts = self._models.get(name, {})
        if facts is None:
            return None
        able = {"supported": bool(facts.get("structured_outputs", True))}
        return {
            "type": "model",
            "id": name,
            "display_name": name,
            "created_at": "2026-10-01T00:00:00Z",
            "lifecycle": facts.get("lifecycle", "active"),
            "max_tokens": 64_000,
            "max_input_tokens": 200_000,
            "capabilities": {
                "structured_outputs": able,
                "effort": {"supported": bool(facts.get("effort", True)), "low": {"supported": True}},
            },
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    fake: FakeMessages
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._handle({})

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        self._handle(json.loads(content))

    def log_message(self, *_: object) -> None:
        pass

    def _handle(self, body: dict) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.command, self.path.partition("?")[0], headers, body, time.monotonic())
        answer = self.fake.begin(seen)
        try:
            if self.fake.key and self.fake.key not in (
                headers.get("x-api-key"),
                headers.get("authorization", "").removeprefix("Bearer "),
            ):
                answer = Fail(401, "invalid x-api-key")
            elif seen.path == "/v1/messages" and (wrong := wrong_with(body)):
                answer = Fail(400, wrong)
            if answer is None:
                answer = self._usual(seen)
            if answer is not None:
                self._answer(seen, answer)
        finally:
            self.fake.end(seen)

    def _usual(self, seen: Seen) -> Answer | None:
        if seen.path == "/v1/messages":
            return Say()
        if seen.path == "/v1/messages/count_tokens":
            self._send(seen, 200, {"input_tokens": len(json.dumps(seen.body)) // 4})
            return None
        if seen.path.startswith("/v1/messages/batches"):
            return self._batch(seen)
        if seen.path.startswith("/v1/models/") and (found := self.fake.describe(seen.model)):
            self._send(seen, 200, found)
            return None
        return Fail(404, f"no such thing: {seen.path}")

    def _batch(self, seen: Seen) -> Answer | None:
        fake, name = self.fake, seen.path.removeprefix("/v1/messages/batches").strip("/")
        if seen.method == "POST" and not name:
            answer = fake.batch_fails.pop(0) if fake.batch_fails else None
            if answer is None or isinstance(answer, Drop):
                made = fake.take_batch(seen.body)
                if answer is None:
                    self._send(seen, 200, made)
            return answer
        if not name:
            shown = [fake.show_batch(one) for one in reversed(fake.batches)]
            self._send(seen, 200, {"data": shown, "has_more": False, "first_id": None, "last_id": None})
        elif name.removesuffix("/results") not in fake.batches:
            return Fail(404, "no such batch")
        elif name.endswith("/results"):
            self._send(
                seen, 200, fake.batch_results(name.removesuffix("/results")), {"content-type": "application/x-jsonl"}
            )
        else:
            self._send(seen, 200, fake.show_batch(name))
            fake.batches[name]["polls"] -= 1
        return None

    def _answer(self, seen: Seen, answer: Answer) -> None:
        if isinstance(answer, Hang):
            time.sleep(answer.seconds)
            self._close()
        elif isinstance(answer, Drop):
            if answer.after:
                self._head(200, 1_000, {})
                self.wfile.write(b'{"id": "msg_1", "type": "message"'[: answer.after])
            self._close()
        elif isinstance(answer, Raw):
            self._send(seen, answer.status, answer.body, {"content-type": answer.kind})
        elif isinstance(answer, Fail):
            time.sleep(answer.delay)
            headers = {} if answer.retry_after is None else {"retry-after": f"{answer.retry_after:g}"}
            error = {"type": TYPES.get(answer.status, "api_error"), "message": answer.message}
            self._send(seen, answer.status, {"type": "error", "error": error, "request_id": "req_1"}, headers)
        else:
            time.sleep(answer.delay)
            self._send(seen, 200, _message(seen, answer, self.fake.number(), self.fake.bill(seen)), {}, answer.drip)

    def _send(
        self, seen: Seen, status: int, body: object, headers: Mapping[str, str] | None = None, drip: float = 0.0
    ) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self._head(status, len(content), headers or {})
            for part in (content[i : i + 20] for i in range(0, len(content), 20)) if drip else [content]:
                self.wfile.write(part)
                self.wfile.flush()
                if drip:
                    time.sleep(drip / (len(content) / 20))
            seen.answered = True
        except OSError:
            self.close_connection = True

    def _head(self, status: int, length: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", "request-id": "req_1", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(length))
        self.end_headers()
        self.wfile.flush()

    def _close(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


def wrong_with(body: dict) -> str:
    """What the service would refuse in the messages of a call, and nothing it would take; empty where all is well."""
    messages = body.get("messages") or []
    if not messages or [one.get("role") for one in messages] != ["user", "assistant"] * (len(messages) // 2) + ["user"]:
        return "messages: roles must alternate between user and assistant, and begin and end with user"
    if json.dumps(body).count('"cache_control": {') > 4:
        return "A maximum of 4 blocks with cache_control may be provided"
    names = [tool.get("name", "") for tool in body.get("tools", ())]
    if len(set(names)) < len(names) or not all(re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", name) for name in names):
        return "tools: names must be unique and match ^[a-zA-Z0-9_-]{1,128}$"
    if any(tool.get("input_schema", {}).get("type") != "object" for tool in body.get("tools", ())):
        return "tools: input_schema.type must be object"
    called: list[str] = []
    for number, message in enumerate(messages):
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not blocks or any(part["type"] == "text" and not part.get("text") for part in blocks):
            return f"messages.{number}: content and text content blocks must be non-empty"
        if any(part["type"] == "thinking" and not part.get("signature") for part in blocks):
            return f"messages.{number}: thinking.signature: Field required"
        brought = [part["tool_use_id"] for part in blocks if part["type"] == "tool_result"]
        if sorted(brought) != sorted(called) or any(part["type"] != "tool_result" for part in blocks[: len(called)]):
            return f"messages.{number}: `tool_use` ids must be followed by `tool_result` blocks immediately after"
        called = [part["id"] for part in blocks if part["type"] == "tool_use"]
        if called and not names:
            return "tools: Field required: messages contain tool_use blocks"
    return ""


def tokens_of(value: object) -> int:
    """Tokens as this service counts them: characters of all texts and of tools, calls and results, by 3.5."""
    return round(_characters(value) / 3.5)


def _characters(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(_characters(part) for part in value)
    assert isinstance(value, dict)
    if value.get("type") in ("text", "tool_result"):
        return _characters(value.get("text", value.get("content", "")))
    if "input_schema" in value:
        return len(value["name"]) + len(value["description"]) + len(json.dumps(value["input_schema"]))
    if "role" in value:
        return _characters(value["content"])
    return len(json.dumps(value))


def beginning_of(body: dict) -> list:
    """Everything up to the last block that ends a cached part, in the order in which the service reads; empty without one."""
    system = body.get("system", [])
    parts = [*body.get("tools", []), *(system if isinstance(system, list) else [system])]
    for message in body["messages"]:
        content = message["content"]
        parts += content if isinstance(content, list) else [content]
    last = max((at for at, part in enumerate(parts) if isinstance(part, dict) and "cache_control" in part), default=-1)
    return parts[: last + 1]


def _message(seen: Seen, say: Say, number: int, read: Mapping[str, int]) -> dict:
    content: list[dict] = [{"type": "thinking", "thinking": "hm", "signature": "s"}] if say.thinking else []
    if say.text:
        content.append({"type": "text", "text": say.text})
    for index, (name, given) in enumerate(say.calls):
        content.append({"type": "tool_use", "id": f"toolu_{number:06}_{index}", "name": name, "input": dict(given)})
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": seen.model,
        "content": content,
        "stop_reason": "tool_use" if say.calls and say.stop == "end_turn" else say.stop,
        "stop_sequence": None,
        "usage": {**read, "output_tokens": tokens_of(content)} if say.usage is None else dict(say.usage),
    }


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content) if isinstance(content, list) else ""


if (
    __name__ == "__main__"
):  # a server in a process of its own, until its standard input ends: fake_messages.py [SECONDS A CALL]
    with FakeMessages(keep=False) as server:
        server.on(Say(delay=float(sys.argv[1]) if len(sys.argv) > 1 else 0.0))
        print(server.url, flush=True)
        sys.stdin.read()
