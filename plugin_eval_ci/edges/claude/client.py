"""``open_ask``: the recorded answer where there is one, else one that is paid for, stored before it is handed on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from plugin_eval_ci.accounts import Forecast, most
from plugin_eval_ci.ask import Failure, Outcome, Request, StopError
from plugin_eval_ci.edges.claude.batches import AWAITED, GATHERED, Batches
from plugin_eval_ci.edges.claude.invented import made_reply
from plugin_eval_ci.edges.claude.options import Options, hindrance
from plugin_eval_ci.edges.claude.payload import body_of, prefix_of, room_of
from plugin_eval_ci.edges.claude.progress import Progress
from plugin_eval_ci.edges.claude.sender import Sender
from plugin_eval_ci.edges.claude.sharding import is_mine, sharded
from plugin_eval_ci.edges.claude.signals import polite
from plugin_eval_ci.edges.claude.store import Store, batch_folder
from plugin_eval_ci.profiles.models import table
from plugin_eval_ci.recorded import Cell, cell_of
from plugin_eval_ci.spending import Estimate, Spent, halved

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
            return Failure("not_recorded", "another shard makes this call")
        if outcome is None and not self.options.sends:
            outcome = self._unsent(cell, request)
        if outcome is None and self._batches is not None:
            outcome = await self._batched(cell, request, self._batches)
        if outcome is None:
            task = self._under_way.get(cell.key)
            if task is None:
                task = self._under_way[cell.key] = asyncio.create_task(self._paid(cell, request))
                task.add_done_callback(_looked_at)
            outcome = await asyncio.shield(task)  # who asks may go away; what is paid for is kept
        if self._progress is not None:
            self._progress.answered(getattr(outcome, "recorded", False), self.usage)
        return outcome

    def expect(self, calls: int) -> None:
        """So many more calls are to come: for the progress line."""
        if self._progress is not None:
            self._progress.expected += calls

    def usage(self) -> Spent:
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
            raise sharded(self.options.shard, self.usage(), self._elsewhere)

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
        said.say(f"interrupted: waiting for {waiting} calls that are paid for; again to leave at once")

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
        price = halved(model.price)
        outcome = batches.answer(cell.key, request) or batches.handed_in(cell.key)
        if outcome in (AWAITED, GATHERED):
            return outcome
        if outcome is None:
            if self._sender.budget.reserve(most(request, price, room_of(request, model))) != "yes":
                return Failure(
                    "budget", f"not handed in: it could have gone over the cap of ${self.options.max_cost:g}"
                )
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
        price = halved(model.price) if self.options.batch else model.price
        self._forecast.missing(request, cell.model, room_of(request, model), price, prefix_of(request, model))
        if self.options.replay:
            return Failure("not_recorded", "there is no recorded answer")
        self._invented += not request.turns
        return made_reply(request, cell.model, looks_first=self._invented % 2 == 0)


@asynccontextmanager
async def open_ask(options: Options) -> AsyncIterator[Client]:
    """A client for one run. Raises ``StopError`` when it is known beforehand that no call can succeed."""
    if why := hindrance(options):
        raise StopError(why)
    client = Client(options)
    try:
        with polite(client.interrupt) if options.signals else nullcontext():
            await client.begin()
            yield client
            await client.end()
    finally:
        await client.close()


def _looked_at(task: asyncio.Task[Outcome]) -> None:
    """An error that nobody waits for any more is no news: the run was stopped with it."""
    if not task.cancelled():
        task.exception()
