"""What a layer may ask of a model and what comes back. A layer is given ``ask``; only ``llm.anthropic`` knows how it is done.

A call ends in exactly one outcome. Only a ``Reply`` is an answer; everything else is a ``Failure`` of a named kind, which is never
a score: an outage says nothing about a skill.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Literal, NamedTuple, TypeVar

from plugin_eval_ci.scoring.spending import Usage

Tier = Literal["haiku", "sonnet", "opus"]
Effort = Literal["low", "medium", "high"]
Json = Mapping[str, object]
FailureKind = Literal[
    "infra_error",  # rate limit, overload, server or connection error, after every retry
    "timeout",
    "refusal",  # the model declined
    "truncated",  # the answer was cut at max_tokens before it fitted its schema, or before any text
    "malformed",  # asked for JSON, and what came does not fit the schema, twice
    "bad_request",  # the service does not take this request
    "budget",  # not sent: it could have gone over the cap
    "not_recorded",  # replay: no recorded answer
    "cancelled",
]


class Block(NamedTuple):
    """A piece of text of a prompt. ``cached``: everything up to its end is the same in many requests."""

    text: str
    cached: bool = False


class Tool(NamedTuple):
    """What a model may call. ``schema``: of what it is called with."""

    name: str
    description: str
    schema: Json


class Call(NamedTuple):
    """A call that a model made. ``id`` as the service gave it, and as the result must name it."""

    id: str
    name: str
    input: Json


class Turn(NamedTuple):
    """What the model said, block by block exactly as it was received (``Reply.blocks``), and what its calls brought, by their ids."""

    said: tuple[Json, ...]
    results: tuple[tuple[str, str], ...]


class Request(NamedTuple):
    """One user turn, and the turns of a model with tools that followed it. ``model`` is a tier, or the whole name of a model.

    ``schema``: a JSON schema that the answer must fit. ``likely``: tokens that an answer probably has, for estimates; no part of what
    is asked.
    """

    purpose: str  # what it is for, such as "judge:scope_calibration": shown in progress, errors and the cost table
    model: str
    system: tuple[Block, ...]
    user: tuple[Block, ...]
    max_tokens: int = 1_024
    schema: Json | None = None
    effort: Effort | None = None
    version: str = ""  # of the prompt's wording: another wording is another request
    tools: tuple[Tool, ...] = ()
    turns: tuple[Turn, ...] = ()
    likely: int | None = None


class Reply(NamedTuple):
    """An answer. ``data`` is the JSON of a request with a schema, checked against it; ``model`` as the service named it.

    ``calls`` and ``blocks`` are those of a request with tools: a reply that calls may have no text.
    """

    text: str
    data: Json | None
    usage: Usage
    model: str
    seconds: float
    recorded: bool = False  # from the cache or a cassette: nothing was paid now
    cut: bool = False  # at max_tokens; only without a schema, for what is cut fits none
    calls: tuple[Call, ...] = ()
    blocks: tuple[Json, ...] = ()  # with those of thinking, whose signatures the service checks when they are sent back


def calls_in(blocks: Iterable[Json]) -> tuple[Call, ...]:
    """The calls among the blocks of an answer; calls without an id are left out, because they cannot be answered."""
    found = []
    for block in blocks:
        name, id_, given = block.get("name"), block.get("id"), block.get("input")
        if block.get("type") == "tool_use" and isinstance(name, str) and isinstance(id_, str):
            found.append(Call(id_, name, given if isinstance(given, Mapping) else {}))
    return tuple(found)


class Failure(NamedTuple):
    """Why no answer came, in words for a person; ``usage`` is what was paid all the same."""

    kind: FailureKind
    reason: str
    usage: Usage = Usage()


Outcome = Reply | Failure
Ask = Callable[[Request, int], Awaitable[Outcome]]  # the int is the sample: 0, 1, 2 … of the same request


class StopError(Exception):
    """No call can succeed: a wrong key, a model that is gone, a wrong address. The message says what to do."""


_T = TypeVar("_T")
_NOT_ASKED: tuple[FailureKind, ...] = ("budget", "not_recorded", "cancelled")


async def run_together(calls: Iterable[Coroutine[object, object, _T]]) -> list[_T]:
    """Run them at once. When one of them cannot go on, the others are stopped, and its ``StopError`` is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in calls]
    except BaseExceptionGroup as failed:
        raise _first(failed) from None
    return [task.result() for task in tasks]


async def ask_all(ask: Ask, cells: Iterable[tuple[Request, int]]) -> list[Outcome]:
    """The outcomes of requests and their samples, in their order."""

    async def one(request: Request, sample: int) -> Outcome:
        return await ask(request, sample)

    return await run_together(one(request, sample) for request, sample in cells)


def was_skipped(outcome: Outcome) -> bool:
    """Whether a call was never made: nothing that happened, only something that is missing."""
    return isinstance(outcome, Failure) and outcome.kind in _NOT_ASKED


def failure_text(failure: Failure) -> str:
    """A failure in words."""
    return f"{failure.kind.replace('_', ' ')}: {failure.reason}"


def count_outcomes(outcomes: Iterable[Outcome]) -> tuple[tuple[str, int], ...]:
    """How the calls ended, by kind."""
    kinds = Counter(one.kind if isinstance(one, Failure) else "reply" for one in outcomes)
    return tuple(sorted(kinds.items()))


def _first(failed: BaseExceptionGroup[BaseException]) -> BaseException:
    """What is worth telling of several: an order to stop, else the first."""
    flat = [
        one
        for part in failed.exceptions
        for one in ([_first(part)] if isinstance(part, BaseExceptionGroup) else [part])
    ]
    return next((one for one in flat if isinstance(one, StopError)), flat[0])
