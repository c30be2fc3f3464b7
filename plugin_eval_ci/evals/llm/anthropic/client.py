"""``open_ask``: the recorded answer where there is one, else one that is paid for, stored before it is handed on."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from typing import TextIO

from plugin_eval_ci.evals.llm.anthropic.batches import AWAITED, GATHERED, Batches
from plugin_eval_ci.evals.llm.anthropic.cache import Store, batch_folder, is_mine, shard_done_error
from plugin_eval_ci.evals.llm.anthropic.executor import Sender
from plugin_eval_ci.evals.llm.anthropic.options import Options, problem_of
from plugin_eval_ci.evals.llm.anthropic.request_body import body_of, prefix_of, room_of
from plugin_eval_ci.evals.llm.budget import CHARACTERS_A_TOKEN, Forecast, amount_to_reserve
from plugin_eval_ci.evals.llm.cassette import Cell, cell_of
from plugin_eval_ci.evals.llm.json_schema import smallest_value
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.evals.llm.request import Failure, Json, Outcome, Reply, Request, StopError, calls_in
from plugin_eval_ci.scoring.spending import Estimate, Spending, Usage, batch_price, dollars
from plugin_eval_ci.util.terminal_line import TerminalLine, duration_text

_LIKELY = 100  # tokens of an answer of which nothing is known


def smallest_reply(request: Request, model: str, looks_first: bool) -> Reply:
    """The smallest answer that fits. With several tools the first answer calls one if ``looks_first``, and later answers call none:
    where every other conversation looks around first, they take one and a half turns on average. With one tool nothing is called,
    for that tool is the end."""
    made = None if request.schema is None else smallest_value(request.schema)
    words = round(
        (_LIKELY if request.likely is None else request.likely) * CHARACTERS_A_TOKEN
    )  # a later turn, or a grader, is sent them
    text = "x" * max(1, words if request.tools or request.likely else 1) if made is None else json.dumps(made)
    blocks: tuple[Json, ...] = ()
    if request.tools:
        tool = request.tools[-1]
        blocks = ({"type": "text", "text": text},)
        if len(request.tools) > 1 and not request.turns and looks_first:
            blocks += (
                {"type": "tool_use", "id": "toolu_none", "name": tool.name, "input": smallest_value(tool.schema)},
            )
    data = made if isinstance(made, dict) else None
    return Reply(text, data, Usage(), model, 0.0, recorded=True, calls=calls_in(blocks), blocks=blocks)


@contextmanager
def signal_handlers(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM calls ``stop``, the second ends the process as it always does."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)

    def restore() -> None:
        for number in numbers:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)

    def first() -> None:
        restore()
        stop()

    for number in numbers:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            loop.add_signal_handler(number, first)
    try:
        yield
    finally:
        restore()


_EVERY = 0.2  # seconds, on a terminal
_RARELY = 60.0


class Progress:
    """``expected`` calls, as far as is known; ``done`` of them, of which some were recorded and took no time."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._terminal = self._stream.isatty()
        self._start = self._last = clock()
        self._shown = TerminalLine(self._stream)
        self.expected = self.done = self.recorded = 0

    def answered(self, recorded: bool, spent: Callable[[], Spending]) -> None:
        """One more; ``spent`` is asked only when a line is written."""
        self.done += 1
        self.recorded += recorded
        now = self._clock()
        if now - self._last < (_EVERY if self._terminal else _RARELY):
            return
        self._last = now
        text = self._text(now, spent())
        if self._terminal:
            self._shown.write(text)
        else:
            self._say(text)

    def say(self, text: str) -> None:
        """A line of its own."""
        self.end()
        self._say(text)

    def end(self) -> None:
        """Take the line away."""
        self._shown.end()

    def _say(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def _text(self, now: float, spent: Spending) -> str:
        total = max(self.expected, self.done)
        paid, left = self.done - self.recorded, total - self.done
        parts = [f"{self.done:,} of {total:,} calls" if self.expected else f"{self.done:,} calls"]
        parts.append(f"cost {dollars(spent.cost)}")
        if paid and left:
            parts.append(f"about {duration_text((now - self._start) / paid * left)} left")
        return ", ".join(parts)


_SYNC_EVERY = 0.5  # seconds: a killed process loses nothing, a machine without power at most this much
_PATIENCE = 30.0  # seconds that calls under way are waited for at the end: they are paid for


class Client:
    """What a run asks through. ``ask`` is what layers are given."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.interrupted = False
        self._store = Store(options)
        self._sender = Sender(options)
        self._forecast = Forecast()
        self._invented = 0  # conversations of an estimate
        self._progress = Progress() if options.progress else None
        self._under_way: dict[str, asyncio.Task[Outcome]] = {}
        self._syncing: asyncio.Task[None] | None = None
        self._elsewhere = 0  # calls of other shards
        self._batches = Batches(options, batch_folder(options)) if options.batch and options.sends else None

    async def ask(self, request: Request, sample: int) -> Outcome:
        """The outcome of a sample of a request. Raises ``StopError`` when no call can succeed."""
        cell = cell_of(request, table().name_of(request.model, self.options.models), sample)
        outcome = self._recorded(cell, request)
        if outcome is None and not is_mine(self.options.shard, cell, request):
            self._elsewhere += 1
            return Failure("not_recorded", "this call belongs to another shard")
        if outcome is None and not self.options.sends:
            outcome = self._unsent(cell, request)
        if outcome is None and self._batches is not None:
            outcome = await self._batched(cell, request, self._batches)
        if outcome is None:
            task = self._under_way.get(cell.key)
            if task is None:
                task = self._under_way[cell.key] = asyncio.create_task(self._paid(cell, request))
                task.add_done_callback(_mark_error_retrieved)
            outcome = await asyncio.shield(task)  # who asks may go away; what is paid for is kept
        if self._progress is not None:
            self._progress.answered(getattr(outcome, "recorded", False), self.usage)
        return outcome

    def expect(self, calls: int) -> None:
        """So many more calls are to come: for the progress line."""
        if self._progress is not None:
            self._progress.expected += calls

    def usage(self) -> Spending:
        """Calls, tokens and cost by model so far."""
        return self._sender.tally.spent()

    def stale(self) -> Estimate:
        """What has no recorded answer in a replay, or would be sent by an estimate, and about what it would cost."""
        return self._forecast.estimate()

    async def begin(self) -> None:
        """Collect what batches have brought since the last run."""
        if self._batches is not None:
            await self._batches.begin()

    async def end(self) -> None:
        """Hand in what was gathered. Raises ``StopError`` where the run has no result yet, and says what is next."""
        if self._batches is not None and not self.interrupted:
            await self._batches.end()
        if self.options.shard is not None and self._elsewhere and self.options.sends and not self.interrupted:
            raise shard_done_error(self.options.shard, self.usage(), self._elsewhere)

    def stop(self, why: str) -> None:
        """Send nothing more; calls under way are waited for and kept."""
        self._sender.end(Failure("cancelled", f"not sent: {why}"))

    def interrupt(self) -> None:
        """As on Ctrl-C."""
        self.interrupted = True
        self.stop("interrupted")
        self._sender.hurry(_PATIENCE)
        waiting = self._sender.running
        said = Progress() if self._progress is None else self._progress
        said.say(f"interrupted: waiting for {waiting} calls that are already paid for; press Ctrl-C again to stop now")

    async def close(self) -> None:
        """Wait for what is under way, then give everything back."""
        self.stop("the run is over")
        if tasks := list(self._under_way.values()):
            await asyncio.wait(tasks, timeout=_PATIENCE)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await self._sender.close()
        if self._batches is not None:
            await self._batches.close()
        if self._syncing is not None:
            self._syncing.cancel()
            await asyncio.gather(self._syncing, return_exceptions=True)
        self._store.close()
        if self._progress is not None:
            self._progress.end()

    async def _paid(self, cell: Cell, request: Request) -> Outcome:
        try:
            outcome = await self._sender.outcome(cell, request)
            self._store.keep(cell, outcome)
            if self._syncing is None or self._syncing.done():
                self._syncing = asyncio.create_task(self._sync())
            return outcome
        except StopError as error:
            self._sender.end(error)
            raise
        finally:
            del self._under_way[cell.key]

    async def _batched(self, cell: Cell, request: Request, batches: Batches) -> Outcome:
        """What a batch brought, or that it is handed in with the next."""
        if over := self._sender.over():
            return over
        model = await self._sender.model(cell.model)
        price = batch_price(model.price)
        outcome = batches.answer(cell.key, request) or batches.handed_in(cell.key)
        if outcome in (AWAITED, GATHERED):
            return outcome
        if outcome is None:
            if self._sender.budget.reserve(amount_to_reserve(request, price, room_of(request, model))) != "yes":
                return Failure("budget", f"not submitted: it could exceed the cap of ${self.options.max_cost:g}")
            body = body_of(request, model)
            return batches.gather(cell.key, body, len(json.dumps(body)))
        if self._store.holds(cell, request):
            self._sender.tally.recorded(cell.model)
        else:
            self._sender.tally.paid(cell.model, outcome.usage, price)
            self._store.keep(cell, outcome)
        return outcome

    async def _sync(self) -> None:
        await asyncio.sleep(_SYNC_EVERY)
        await asyncio.to_thread(self._store.sync)

    def _recorded(self, cell: Cell, request: Request) -> Outcome | None:
        found = self._store.find(cell, request)
        if found is not None:
            self._sender.tally.recorded(cell.model)
            self._forecast.answered(cell.purpose, found.usage)
        return found

    def _unsent(self, cell: Cell, request: Request) -> Outcome:
        model = table().model(cell.model, self.options.rates)
        price = batch_price(model.price) if self.options.batch else model.price
        self._forecast.missing(request, cell.model, room_of(request, model), price, prefix_of(request, model))
        if self.options.replay:
            return Failure("not_recorded", "no recorded answer")
        self._invented += not request.turns
        return smallest_reply(request, cell.model, looks_first=self._invented % 2 == 0)


@asynccontextmanager
async def open_ask(options: Options) -> AsyncIterator[Client]:
    """A client for one run. Raises ``StopError`` when it is known beforehand that no call can succeed."""
    if why := problem_of(options):
        raise StopError(why)
    client = Client(options)
    try:
        with signal_handlers(client.interrupt) if options.signals else nullcontext():
            await client.begin()
            yield client
            await client.end()
    finally:
        await client.close()


def _mark_error_retrieved(task: asyncio.Task[Outcome]) -> None:
    """Mark the error of a task as retrieved. The run was stopped by it, so asyncio need not warn about it."""
    if not task.cancelled():
        task.exception()
