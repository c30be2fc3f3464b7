"""One cell at a time from a request to an outcome that was paid for: in turn, within the cap and the time, asked again once."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import itertools
import time
from collections.abc import Callable

from plugin_eval_ci.evals.llm.anthropic.options import Options
from plugin_eval_ci.evals.llm.anthropic.request_body import body_of, prefix_of, room_of
from plugin_eval_ci.evals.llm.anthropic.sdk import Message, Service, outcome_of
from plugin_eval_ci.evals.llm.budget import CHARACTERS_A_TOKEN, Budget, Tally, add_usage, amount_to_reserve
from plugin_eval_ci.evals.llm.cassette import Cell
from plugin_eval_ci.evals.llm.models import Model
from plugin_eval_ci.evals.llm.request import Failure, Outcome, Reply, Request, StopError
from plugin_eval_ci.scoring.spending import Usage

_PAUSE = 1.0  # seconds in which many refusals count as one


class CallQueue:
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


class PrefixGate:
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


_OUTAGES = ("infra_error", "timeout")
_FEW = 10
_BETWEEN = 8.0  # seconds that the SDK waits between two tries, at most, where the service does not say
_GRACE = 30.0  # seconds that a call under way is given when the time is up
_ABOUT_SCHEMA = ("output_config", "output_format", "json_schema", "structured output", "schema")


class Sender:
    """Sends for one run. ``end`` says why nothing is sent any more; calls under way are not touched by it."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._queue = CallQueue(options.concurrency)
        self._gate = PrefixGate()
        self._service = Service(options, self._queue.slow)
        self.budget, self.tally = Budget(options.max_cost), Tally()
        self._ended: Failure | StopError | None = None
        self._settled = asyncio.Event()
        self._limits: set[asyncio.Timeout] = set()
        self._outages = 0
        self._taken: set[str] = set()  # purposes that the service has answered
        self._refused: dict[str, Failure] = {}
        self._ends: float | None = None
        self._alarm: asyncio.TimerHandle | None = None
        if options.deadline is not None:
            loop = asyncio.get_running_loop()
            self._ends = loop.time() + options.deadline
            over = Failure(
                "timeout", f"not sent: the time limit of {options.deadline:g} s for the whole run had passed"
            )
            self._alarm = loop.call_at(self._ends, self.end, over)

    def end(self, why: Failure | StopError) -> None:
        """Send nothing more."""
        self._ended = self._ended or why
        self._queue.close()
        self._settled.set()

    async def model(self, name: str) -> Model:
        """What a model accepts and costs. Raises ``StopError`` for one that is gone, or whose cost cannot be held below the cap."""
        model = await self._service.model(name)
        if self._options.max_cost is not None and model.price is None:
            raise StopError(
                f"the price of {model.name!r} is not known, so --max-cost cannot be enforced: set `prices:` in .plugin-eval.yaml, "
                "or run without --max-cost"
            )
        return model

    def over(self) -> Failure | None:
        """Why nothing is sent any more, None while that is not so. Raises the ``StopError`` that ended it."""
        if isinstance(self._ended, StopError):
            raise StopError(str(self._ended))
        return self._ended

    def hurry(self, seconds: float) -> None:
        """Give the calls under way this much time and no more."""
        ends = asyncio.get_running_loop().time() + seconds
        for limit in self._limits:
            limit.reschedule(min(ends, limit.when() or ends))

    async def close(self) -> None:
        """Close the connections."""
        if self._alarm is not None:
            self._alarm.cancel()
        await self._service.close()

    async def outcome(self, cell: Cell, request: Request) -> Outcome:
        """Ask. Raises ``StopError`` when no call can succeed, and then for every other cell too."""
        try:
            return await self._first_or_after(cell, request)
        except StopError as error:
            self.end(error)
            raise

    async def _first_or_after(self, cell: Cell, request: Request) -> Outcome:
        if over := self.over():
            return over
        model = await self.model(cell.model)
        shared = prefix_of(request, model)
        prefix = None if shared is None else shared[0]
        is_first = await self._gate.enter(prefix)
        try:
            return await self._in_turn(cell, request, model)
        finally:
            if is_first and prefix is not None:
                self._gate.open(prefix)

    async def _in_turn(self, cell: Cell, request: Request, model: Model) -> Outcome:
        priority = hashlib.sha256(f"{self._options.seed}:{cell.key}".encode()).digest()
        if not await self._queue.enter(priority):
            return self.over() or Failure("cancelled", "not sent")
        outcome: Outcome | None = None
        try:
            if request.purpose in self._refused and request.purpose not in self._taken:
                return self._refused[request.purpose]
            outcome = await self._conversation(request, await self._service.model(model.name))
            self._note(request.purpose, outcome)
            return outcome
        except StopError as error:
            self.end(error)  # before the place is free for another
            raise
        finally:
            self._queue.leave(isinstance(outcome, Reply))

    async def _conversation(self, request: Request, model: Model) -> Outcome:
        got = await self._paid(request, model)
        if isinstance(got, Failure) and got.kind == "bad_request" and request.schema is not None and model.structured:
            if not any(word in got.reason for word in _ABOUT_SCHEMA):
                return got
            self._service.unstructured(model.name)
            model = model._replace(structured=False)
            got = await self._paid(request, model)
        if isinstance(got, Failure):
            return got
        outcome = outcome_of(request, got)
        if not isinstance(outcome, Failure) or outcome.kind != "malformed":
            return outcome
        again = await self._paid(request, model, (got.text, outcome.reason))
        if isinstance(again, Failure):
            return again._replace(usage=add_usage(again.usage, got.usage)) if again.kind != "budget" else outcome
        both = add_usage(got.usage, again.usage)
        return outcome_of(request, again._replace(usage=both, seconds=got.seconds + again.seconds))

    async def _paid(self, request: Request, model: Model, refused: tuple[str, str] | None = None) -> Message | Failure:
        room = room_of(request, model)
        aside = amount_to_reserve(request, model.price, room)
        if refused is not None and model.price is not None:
            aside += model.price.cost(Usage(0, 0, 2 * round(len(refused[0]) / CHARACTERS_A_TOKEN) + room))
        while (verdict := self.budget.reserve(aside)) == "wait":
            self._settled.clear()
            await self._settled.wait()
            if over := self.over():
                return over
        if verdict == "no":
            return Failure("budget", f"not sent: it could exceed the cap of ${self.budget.cap:g}")
        cost = aside  # of a call that ends without a word: it may have been paid for
        try:
            got = await self._in_time(body_of(request, model, refused), request.purpose, model.name)
            self.tally.paid(model.name, got.usage, model.price)
            if isinstance(got, Message) and model.price is not None:
                cost = model.price.cost(got.usage)
            elif isinstance(got, Message) or got.kind != "timeout":
                cost = 0.0
            return got
        except StopError:
            cost = 0.0
            raise
        finally:
            self.budget.settle(aside, cost)
            self._settled.set()

    async def _in_time(self, body: dict[str, object], purpose: str, model: str) -> Message | Failure:
        tries = self._options.retries + 1
        longest = asyncio.get_running_loop().time() + self._options.timeout * tries + _BETWEEN * (tries - 1) + 1.0
        ends = longest if self._ends is None else min(longest, self._ends + _GRACE)
        try:
            async with asyncio.timeout_at(ends) as limit:
                self._limits.add(limit)
                try:
                    return await self._service.send(body, purpose, model)
                finally:
                    self._limits.discard(limit)
        except TimeoutError:  # the SDK's own limit is on silence: an answer that drips never meets it
            return Failure("timeout", "no complete answer arrived in time")

    def _note(self, purpose: str, outcome: Outcome) -> None:
        """When the first call of a kind is not taken the next will not be either; when call after call fails, the service is down."""
        if isinstance(outcome, Failure) and outcome.kind == "bad_request":
            self._refused.setdefault(purpose, outcome)
        elif isinstance(outcome, Failure) and outcome.kind in _OUTAGES:
            self._outages += 1
            if self._outages >= max(_FEW, 2 * self._options.concurrency):
                self.end(Failure("infra_error", f"not sent: {self._outages} calls in a row failed: {outcome.reason}"))
        else:
            self._taken.add(purpose)
            self._outages = 0

    @property
    def running(self) -> int:
        """How many calls are under way."""
        return self._queue.running
