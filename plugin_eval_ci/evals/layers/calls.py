"""Many calls at once, and what became of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable
from typing import TypeVar

from plugin_eval_ci.evals.llm.request import Ask, Failure, FailureKind, Outcome, Request, StopError

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
