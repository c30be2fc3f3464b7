"""The vendor's SDK, loaded here and nowhere else, and only when a call is to be sent."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.evals.llm.anthropic.options import INSTALL, Options
from plugin_eval_ci.evals.llm.json_schema import data_of
from plugin_eval_ci.evals.llm.models import Model, table
from plugin_eval_ci.evals.llm.request import Failure, Json, Outcome, Reply, Request, StopError, calls_in
from plugin_eval_ci.scoring.spending import Usage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MOST = 200  # characters of what a server says
_NO_MONEY = ("credit balance", "spend limit", "spending limit", "usage limits")
NO_MESSAGE = Failure("infra_error", "the response is not a message: check ANTHROPIC_BASE_URL")
_CHOOSE = "choose another with `models:` in .plugin-eval.yaml"


def failure_of(error: BaseException, options: Options, model: str) -> Failure | StopError:
    """Of an error after all retries. ``model``: whom it was sent to."""
    name, said = type(error).__name__, clean_text(str(error), options)
    status = getattr(error, "status_code", None)
    if isinstance(error, ValueError | RecursionError | AttributeError | TypeError):  # of those who took apart what came
        return NO_MESSAGE
    if not isinstance(status, int):
        if name == "APITimeoutError":
            return Failure("timeout", f"no answer within {options.timeout:g} s, {options.retries + 1} times")
        if is_no_connection(error):
            return StopError(f"no connection to {server_name(options)}: check the network and ANTHROPIC_BASE_URL")
        return Failure("infra_error", f"the connection failed: {said}" if said else "the connection failed")
    if any(words in said.lower() for words in _NO_MONEY) or "SpendLimit" in name:
        return StopError(f"the account has no credit left or has reached its limit: {said}")
    if stop := _STOPS.get(status):
        return StopError(f"{stop.format(model=model, place=server_name(options), choose=_CHOOSE)} ({status}: {said})")
    if status in (408, 409, 425, 429) or status >= 500:
        return Failure("infra_error", f"{_WORDS.get(status, 'error of the service')} ({status}: {said})")
    return Failure("bad_request", f"the service rejected this request ({status}: {said})")


def retired_model_error(model: str, day: str = "") -> StopError:
    """A model that is not there any more."""
    return StopError(f"the model {model!r} is retired{f' since {day}' if day else ''}: {_CHOOSE}")


def is_no_connection(error: BaseException) -> bool:
    """Whether nobody could be reached at all: a wrong name or port, rather than a connection that broke."""
    seen: BaseException | None = error
    while seen is not None:
        if type(seen).__name__ in ("ConnectError", "UnsupportedProtocol", "LocalProtocolError", "InvalidURL"):
            return True
        seen = seen.__cause__
    return False


def server_name(options: Options) -> str:
    """Whom we talk to, without user name and password."""
    return re.sub(r"//[^/@]*@", "//", options.base_url)[:_MOST] or "the Anthropic API"


def clean_text(text: str, options: Options) -> str:
    """A server's words on one line, cut, without our key."""
    for secret in (options.key, options.token):
        if len(secret) > 3:
            text = text.replace(secret, "***")
    line = _CONTROL.sub(" ", text).strip()
    return line if len(line) <= _MOST else f"{line[: _MOST - 1]}…"


_STOPS = {
    401: "{place} rejected the key: check ANTHROPIC_API_KEY",
    402: "{place} requires payment: check the account's billing",
    403: "the key may not use the model {model!r} at {place}: check the key's rights, or {choose}",
    404: "{place} has no model {model!r}: {choose}, or check ANTHROPIC_BASE_URL",
}
_WORDS = {429: "still too many requests at the last retry", 529: "the service was still overloaded at the last retry"}


_CUT = ("max_tokens", "model_context_window_exceeded")
_BUSY = (429, 529)
_LOOKUP_SECONDS = 10.0


class Message(NamedTuple):
    """What came back. ``stop``: why it ended, as the service says it. ``blocks``: all that was said, as received."""

    text: str
    stop: str
    usage: Usage
    model: str
    seconds: float
    blocks: tuple[Json, ...] = ()


class Service:
    """One connection pool for a run. ``busy`` is called whenever the service says it has too much to do, retried or not."""

    def __init__(self, options: Options, busy: Callable[[], None]) -> None:
        self._options, self._busy = options, busy
        self._sdk: AsyncAnthropic | None = None
        self._models: dict[str, asyncio.Task[Model]] = {}
        self._unstructured: set[str] = set()

    async def model(self, name: str) -> Model:
        """What a model accepts, asked once: of the service, else as the table has it. Raises ``StopError`` for one that is gone."""
        if name not in self._models:
            self._models[name] = asyncio.create_task(self._look_up(name))
        model = await asyncio.shield(self._models[name])
        return model._replace(structured=False) if name in self._unstructured else model

    def unstructured(self, name: str) -> None:
        """The service refused a schema for this model: none is sent from now on."""
        self._unstructured.add(name)

    async def send(self, body: dict[str, object], purpose: str, model: str) -> Message | Failure:
        """One call with the SDK's retries. Raises ``StopError`` when no call can succeed."""
        from anthropic.types import Message as Received

        started = time.monotonic()
        headers = {"x-plugin-eval-purpose": purpose.encode("ascii", "replace").decode("ascii")}
        try:
            received = await self._client().post(
                "/v1/messages",
                cast_to=Received,
                body=body,
                options={"headers": headers, "timeout": self._options.timeout},
            )
        except Exception as error:  # the SDK's, httpx's and json's own: all are judged in one place
            return _failure_or_raise(failure_of(error, self._options, model))
        return _message(received, time.monotonic() - started)

    @property
    def sdk(self) -> AsyncAnthropic:
        """The vendor's client. Raises ``StopError`` without the package."""
        return self._client()

    async def close(self) -> None:
        """Close the connections."""
        for task in self._models.values():
            task.cancel()
        await asyncio.gather(*self._models.values(), return_exceptions=True)
        if self._sdk is not None:
            await self._sdk.close()

    async def _look_up(self, name: str) -> Model:
        known = table().model(name, self._options.rates)
        if known.retired:
            raise retired_model_error(name, known.retired)
        asking = self._client().with_options(max_retries=2, timeout=min(_LOOKUP_SECONDS, self._options.timeout))
        try:
            info = await asking.models.retrieve(name)
        except Exception as error:
            judged = failure_of(error, self._options, name)
            status = getattr(error, "status_code", 0)
            if isinstance(judged, StopError) and (
                is_no_connection(error) or status == 401 or not self._options.base_url
            ):
                raise judged from None
            return known  # a gateway that has no such page: the first call will tell
        if getattr(info, "lifecycle", "") == "retired":
            raise retired_model_error(name)
        able = getattr(info, "capabilities", None)
        return known._replace(
            structured=_supports(able, "structured_outputs", known.structured),
            effort=_supports(able, "effort", known.effort),
        )

    def _client(self) -> AsyncAnthropic:
        if self._sdk is None:
            try:
                import anthropic
            except ImportError:
                raise StopError(f"the package for model calls is not installed: {INSTALL}") from None
            options = self._options
            try:
                self._sdk = anthropic.AsyncAnthropic(
                    api_key=options.key
                    or (None if options.token else "none"),  # the SDK wants one, a local server none
                    auth_token=options.token or None,
                    base_url=options.base_url or None,
                    timeout=options.timeout,
                    max_retries=options.retries,
                    http_client=anthropic.DefaultAsyncHttpxClient(event_hooks={"response": [self._watch]}),
                )
            except Exception as error:  # the address is taken apart here, by a package that is not ours
                raise StopError(f"ANTHROPIC_BASE_URL is not a valid address: {str(error)[:80]}") from None
        return self._sdk

    async def _watch(self, response: object) -> None:
        if getattr(response, "status_code", 0) in _BUSY:
            self._busy()


def outcome_of(request: Request, message: Message) -> Outcome:
    """A message as an outcome."""
    if message.stop == "refusal":
        return Failure("refusal", "the model declined", message.usage)
    cut = message.stop in _CUT
    blocks = message.blocks if request.tools else ()
    calls = calls_in(blocks)
    if cut and not calls and (request.schema is not None or request.tools or not message.text.strip()):
        return Failure("truncated", f"the answer was cut off ({message.stop})", message.usage)
    data = None if request.schema is None or calls else data_of(message.text, request.schema)
    if isinstance(data, str):
        return Failure("malformed", data, message.usage)
    return Reply(message.text, data, message.usage, message.model, message.seconds, cut=cut, calls=calls, blocks=blocks)


def message_of(said: object) -> Message | Failure:
    """A message that was kept as JSON."""
    from anthropic.types import Message as Received

    return _message(Received.construct(**said), 0.0) if isinstance(said, dict) else NO_MESSAGE


def _message(received: object, seconds: float) -> Message | Failure:
    """The text blocks of a message: a thinking block may come first."""
    usage, stop = getattr(received, "usage", None), getattr(received, "stop_reason", None)
    content = getattr(received, "content", None)
    if usage is None or not isinstance(content, list) or not all(map(_is_block, content)):
        return NO_MESSAGE
    text = "".join(block.text for block in content if block.type == "text")
    tokens = Usage(
        *(_count(getattr(usage, name, 0)) for name in ("input_tokens", "output_tokens")),
        *(_count(getattr(usage, f"cache_{name}_input_tokens", 0)) for name in ("creation", "read")),
    )
    blocks = tuple(_raw_block(block) for block in content)
    return Message(text, str(stop or ""), tokens, str(getattr(received, "model", "") or ""), seconds, blocks)


def _is_block(block: object) -> bool:
    """Whether what is read of a block has the types that it must have; the SDK does not look."""
    kind = getattr(block, "type", None)
    wanted: dict[str, type] = {"text": str} if kind == "text" else {}
    if kind == "tool_use":
        wanted = {"id": str, "name": str, "input": dict}
    return isinstance(kind, str) and all(isinstance(getattr(block, name, None), of) for name, of in wanted.items())


def _raw_block(block: object) -> Json:
    """A block as it came: with what the SDK does not know, without what it adds."""
    dump = getattr(block, "model_dump", None)
    said = dump(mode="json", exclude_unset=True, by_alias=True, warnings=False) if callable(dump) else block
    return said if isinstance(said, dict) else {}


def _supports(able: object, name: str, otherwise: bool) -> bool:
    found = getattr(getattr(able, name, None), "supported", None)
    return found if isinstance(found, bool) else otherwise


def _count(number: object) -> int:
    return number if isinstance(number, int) and number > 0 else 0


def _failure_or_raise(judged: Failure | StopError) -> Failure:
    if isinstance(judged, StopError):
        raise judged
    return judged
