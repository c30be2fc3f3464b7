"""How many calls run at once, in which order, and which of them goes first of those that share a beginning."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable

_PAUSE = 1.0  # seconds in which many refusals count as one


class Queue:
    """Lets ``limit`` calls run at once. The limit is halved when the service says it is too much, and grows by one after as many
    answers as it is. Who waits goes in the order of the priorities, which do not depend on who came first."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = self.limit = max(1, limit)
        self.running = 0
        self._clock = clock
        self._answers = 0
        self._slowed = float("-inf")
        self._waiting: list[tuple[bytes, int, asyncio.Future[bool]]] = []
        self._number = itertools.count()
        self._due = False
        self._closed = False

    async def enter(self, priority: bytes) -> bool:
        """Wait for a place; False when no more calls are to be sent."""
        if self._closed:
            return False
        loop = asyncio.get_running_loop()
        place: asyncio.Future[bool] = loop.create_future()
        heapq.heappush(self._waiting, (priority, next(self._number), place))
        if not self._due:  # later, when all that are asked at once are in the queue
            self._due = True
            loop.call_soon(self._admit)
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.result():
                self.leave(False)
            raise

    def leave(self, answered: bool) -> None:
        """Give the place back."""
        self.running -= 1
        if answered:
            self._answers += 1
            if self._answers >= self.limit:
                self._answers, self.limit = 0, min(self.most, self.limit + 1)
        self._admit()

    def slow(self) -> None:
        """The service says: too many."""
        now = self._clock()
        self._answers = 0
        if now - self._slowed >= _PAUSE:
            self._slowed, self.limit = now, max(1, self.limit // 2)

    def close(self) -> None:
        """Send away all that wait, and all that come."""
        self._closed = True
        for _, _, place in self._waiting:
            if not place.done():
                place.set_result(False)
        self._waiting.clear()

    def _admit(self) -> None:
        self._due = False
        while self._waiting and self.running < self.limit:
            _, _, place = heapq.heappop(self._waiting)
            if not place.done():
                self.running += 1
                place.set_result(True)


class Gate:
    """The service can read a shared beginning from its cache only when the first answer has begun: one call goes ahead of the rest."""

    def __init__(self) -> None:
        self._first: dict[bytes, asyncio.Event] = {}

    async def enter(self, prefix: bytes | None) -> bool:
        """True for the one that goes first, who must ``open`` afterwards; the others wait for that."""
        if prefix is None:
            return False
        event = self._first.get(prefix)
        if event is None:
            self._first[prefix] = asyncio.Event()
            return True
        await event.wait()
        return False

    def open(self, prefix: bytes) -> None:
        """Let the others go, whatever became of the first."""
        self._first[prefix].set()
