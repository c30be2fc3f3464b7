"""The same work on many items, on the processors at hand: forked once, nothing imported twice, results in order."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from plugin_eval_ci import faults

Item = TypeVar("Item")
Result = TypeVar("Result")

LEAST = 120  # items below which a fork costs more than it saves
_MOST = 8  # processes
_CHUNKS = 200  # at most 256: the number of a chunk is one byte


def mapped(
    work: Callable[[Item], Result], items: Sequence[Item], meanwhile: Callable[[], object] = lambda: None
) -> list[Result]:
    """``[work(item) for item in items]``. A child that fails, for whatever reason, leaves its share to this process.

    ``meanwhile`` is called once in this process, while others, if there are any, are already at work.
    """
    processes = processes_for(len(items))
    if processes < 2:
        meanwhile()
        return [work(item) for item in items]
    import pickle  # seldom needed, and a hook has no time to load it

    here = os.getpid()
    size = max(1, -(-len(items) // _CHUNKS))
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    tickets, writing = os.pipe()
    os.write(writing, bytes(range(len(chunks))))
    os.close(writing)

    def take(_: int) -> dict[int, list[Result] | bytes]:
        """Work on the next chunk that nobody has taken, until there is none: nobody waits long for the others."""
        mine: dict[int, list[Result] | bytes] = {}
        if os.getpid() == here:
            meanwhile()
        while ticket := os.read(tickets, 1):
            results = [work(item) for item in chunks[ticket[0]]]
            # packed as they come: at the end this process would have nothing to do but wait for it
            mine[ticket[0]] = results if os.getpid() == here else pickle.dumps(results, protocol=5)
        return mine

    done = {number: results for (share,) in in_shares(take, [[0]] * processes) for number, results in share.items()}
    os.close(tickets)
    ordered: list[Result] = []
    for number, chunk in enumerate(chunks):
        results = done.get(number)
        if results is None:
            results = [work(item) for item in chunk]
        ordered += pickle.loads(results) if isinstance(results, bytes) else results
    return ordered


def in_shares(work: Callable[[Item], Result], shares: Sequence[Sequence[Item]]) -> list[list[Result]]:
    """The results of each share, one process for each; the first is this process's own."""
    if len(shares) == 1:
        return [[work(item) for item in shares[0]]]
    import pickle

    children = [_start(work, share, pickle.dump) for share in shares[1:]]
    done = [[work(item) for item in shares[0]]]
    for child, share in zip(children, shares[1:], strict=True):
        results: list[Result] | None = _finish(child, pickle.load)
        done.append(results if results is not None else [work(item) for item in share])
    return done


def processes_for(count: int) -> int:
    """How many processes so many items are worth."""
    if count < LEAST or not sys.platform.startswith("linux") or os.environ.get("PLUGIN_EVAL_PROCESSES") == "1":
        return 1
    return min(len(os.sched_getaffinity(0)), _MOST, count // (LEAST // 2))


def _start(work: Callable[[Item], Result], share: Sequence[Item], dump: Callable[..., None]) -> tuple[int, int]:
    """Fork a child that works on ``share`` and writes its results to a pipe; its process id and the reading end."""
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    code = 1
    try:
        gc.disable()  # what it makes it keeps until it ends
        os.close(reading)
        with os.fdopen(writing, "wb") as stream:
            results = [work(item) for item in share]
            dump((results, faults.noted()), stream, protocol=5)
        code = 0
    finally:
        os._exit(code)  # no exit handlers, no flushing of what the parent has buffered


def _finish(child: tuple[int, int], load: Callable[..., Any]) -> Any:  # noqa: ANN401
    """What a child computed, None when it did not get that far. The faults of ours that it met are noted here, too."""
    process, reading = child
    loaded = None
    with os.fdopen(reading, "rb") as stream:
        try:
            loaded = load(stream)
        except Exception:  # whatever the child wrote, its share is done again here
            loaded = None
    _, status = os.waitpid(process, 0)
    if loaded is None or status != 0:
        return None
    results, met = loaded
    faults.add(met)
    return results
