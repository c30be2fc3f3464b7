"""The same work on many items, on all processors: forked once, nothing imported twice, results in order."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from plugin_eval_ci.util import faults

Item = TypeVar("Item")
Result = TypeVar("Result")

LEAST = 120  # items below which a fork costs more than it saves
_MOST = 8  # processes
_CHUNKS = 200  # small enough that nobody waits long for the last one


def parallel_map(
    work: Callable[[Item], Result], items: Sequence[Item], meanwhile: Callable[[], object] = lambda: None
) -> list[Result]:
    """``[work(item) for item in items]``. If a child fails, for whatever reason, this process does its work.

    ``meanwhile`` is called once in this process, while any others are already at work.
    """
    processes = processes_for(len(items))
    if processes < 2:
        meanwhile()
        return [work(item) for item in items]
    size = max(1, -(-len(items) // _CHUNKS))
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    return [result for chunk in _in_pool(work, chunks, processes, meanwhile) for result in chunk]


def in_shares(work: Callable[[Item], Result], shares: Sequence[Sequence[Item]]) -> list[list[Result]]:
    """The results of each share, one process for each; the first is this process's own."""
    own: list[Result] = []
    first, *others = shares
    found = _in_pool(work, others, len(others), lambda: own.extend(work(item) for item in first)) if others else []
    return [own, *found] if others else [[work(item) for item in first]]


def processes_for(count: int) -> int:
    """How many processes so many items are worth."""
    if count < LEAST or not sys.platform.startswith("linux") or os.environ.get("PLUGIN_EVAL_PROCESSES") == "1":
        return 1
    return min(len(os.sched_getaffinity(0)), _MOST, count // (LEAST // 2))


def _in_pool(
    work: Callable[[Item], Result], chunks: Sequence[Sequence[Item]], processes: int, meanwhile: Callable[[], object]
) -> list[list[Result]]:
    from concurrent.futures import ProcessPoolExecutor  # seldom needed, and a hook has no time to load it
    from multiprocessing import get_context

    # What a fork inherits need not be sent: the work may be a closure, and the items hold what is already read.
    pool = ProcessPoolExecutor(
        processes, get_context("fork"), _begin, (lambda number: [work(one) for one in chunks[number]],)
    )
    try:
        futures = [pool.submit(_chunk, number) for number in range(len(chunks))]
        meanwhile()
        found: list[list[Result]] = []
        for future, chunk in zip(futures, chunks, strict=True):
            try:
                results, noted = future.result()
                faults.add(noted)
                found.append(results)
            except Exception:  # a child was killed, or raised what is raised again here, or could not send its results
                found.append([work(one) for one in chunk])
        return found
    finally:
        pool.shutdown(cancel_futures=True)


_work: list[Callable[[int], object]] = []  # of a child, which does nothing else until it ends


def _begin(work: Callable[[int], object]) -> None:
    import gc
    import signal

    gc.disable()  # what a child makes it keeps until it ends
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent says what there is to say of an interrupt
    _work.append(work)


def _chunk(number: int) -> Any:  # noqa: ANN401 (what the work gives)
    return _work[0](number), faults.noted()
