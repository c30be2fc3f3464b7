"""Many calls handed in at once, at half the price: what is not recorded is gathered, submitted when the run ends, collected by a later one.

A run in this way asks its whole way through without an answer it does not have; whatever needs such an answer first (the next turn of a
conversation, a prompt that is to be drafted) is asked by the run that has it, in the next batch.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from plugin_eval_ci.evals.llm.anthropic.options import Options
from plugin_eval_ci.evals.llm.anthropic.sdk import Service, failure_of, message_of, outcome_of
from plugin_eval_ci.evals.llm.request import Failure, Json, Outcome, Request, StopError
from plugin_eval_ci.util.json_values import DamagedError, as_object, as_text

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types.messages import MessageBatch
    from anthropic.types.messages.batch_create_params import Request as Params


async def results_of(sdk: AsyncAnthropic, name: str) -> dict[str, Json]:
    """The results to keep, by key. Raises ``ValueError`` if a line is not a result, but only after reading all of them, because only
    a connection read to its end can be reused. Also raises the errors of the SDK."""
    results: dict[str, Json] = {}
    damaged = False
    async with sdk.messages.batches.with_streaming_response.results(name) as received:
        async for line in received.iter_lines():
            try:
                key, kept = _result(line)
            except (ValueError, RecursionError, DamagedError):
                damaged = True
                continue
            if kept is not None:
                results[key] = kept
    if damaged:
        raise ValueError(name)
    return results


def _result(line: str) -> tuple[str, Json | None]:
    """A message, or an error that a retry cannot fix; None for a request that may be submitted again."""
    if not line.strip():
        return "", None
    one = as_object(json.loads(line), "a line")
    key, result = as_text(one.get("custom_id"), "custom_id"), as_object(one.get("result"), "result")
    kind, message = result.get("type"), result.get("message")
    if kind == "succeeded":
        return key, None if isinstance(message_of(message), Failure) else {"type": kind, "message": message}
    error = as_object(as_object(result.get("error"), "error").get("error"), "error.error")
    if kind == "errored" and error.get("type") == "invalid_request_error":
        return key, {"type": kind, "said": str(error.get("message", ""))[:200]}
    return key, None


MOST = 100_000  # requests of one batch
MOST_BYTES = 200 << 20  # of one batch: the service takes 256 MB
_RESULTS = "results.jsonl"


class Batch(NamedTuple):
    """``name``: a hash of its ``keys`` (of cells), in no order. ``id`` empty: it was to be submitted, and nobody knows whether it was.
    ``since``: seconds of the epoch, a little before it was submitted."""

    name: str
    keys: tuple[str, ...]
    id: str = ""
    since: float = 0.0


def batch_of(keys: Iterable[str]) -> Batch:
    """A batch that is to be submitted now."""
    named = tuple(sorted(keys))
    return Batch(hashlib.sha256("\n".join(named).encode()).hexdigest()[:32], named, since=time.time())


class QueuedCell(NamedTuple):
    """A cell that is to be handed in. ``size``: bytes of its request, about."""

    key: str
    body: dict[str, object]
    size: int


class Files:
    """A folder for one server. Raises ``StopError`` where it cannot be written."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._results: dict[str, Json] = {}
        with contextlib.suppress(FileNotFoundError), open(self._at(_RESULTS), "rb") as stream:
            for line in stream:
                self._take(line)

    def under_way(self) -> tuple[Batch, ...]:
        """Batches that were written down and not done yet. Damaged files are skipped."""
        found = []
        with contextlib.suppress(FileNotFoundError):
            for name in sorted(os.listdir(self._folder)):
                if name.endswith(".batch.json") and (batch := _read(self._at(name))) is not None:
                    found.append(batch)
        return tuple(found)

    def write(self, batch: Batch) -> None:
        """Write it down, to outlast the machine."""
        file = self._at(f"{batch.name}.batch.json")
        partial = f"{file}.{os.getpid()}.partial"
        try:
            os.makedirs(self._folder, exist_ok=True)
            with open(partial, "w", encoding="ascii") as stream:
                json.dump(batch._asdict(), stream)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(partial, file)
        except OSError as error:
            raise StopError(f"the batch cannot be saved in {self._folder}: {error.strerror}") from None

    def done(self, batch: Batch) -> None:
        """It is neither under way nor to be looked for."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._at(f"{batch.name}.batch.json"))

    def keep(self, results: Mapping[str, Json]) -> None:
        """What came of cells, by their keys."""
        text = "".join(
            json.dumps({"key": key, "result": result}, ensure_ascii=True) + "\n" for key, result in results.items()
        )
        try:
            out = os.open(
                self._at(_RESULTS), os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600
            )
            with open(out, "ab") as stream:
                stream.write(text.encode("ascii"))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise StopError(f"the results of a batch cannot be saved in {self._folder}: {error.strerror}") from None
        self._results.update(results)

    def result(self, key: str) -> Json | None:
        """What came of a cell; None while nothing did."""
        return self._results.get(key)

    def _at(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _take(self, line: bytes) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
            said = json.loads(line)
            if isinstance(said["result"], dict):
                self._results[str(said["key"])] = said["result"]


def parts_of(gathered: Iterable[QueuedCell]) -> list[list[QueuedCell]]:
    """As many batches as the service's limits want, in the order of the keys."""
    parts: list[list[QueuedCell]] = []
    size = 0
    for one in sorted(gathered, key=lambda cell: cell.key):
        if not parts or len(parts[-1]) >= MOST or size + one.size > MOST_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(one)
        size += one.size
    return parts


def _read(file: str) -> Batch | None:
    try:
        with open(file, "rb") as stream:
            said = json.load(stream)
        return Batch(str(said["name"]), tuple(str(key) for key in said["keys"]), str(said["id"]), float(said["since"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


_POLL = (1.0, 30.0)  # seconds between two looks: at first, at most
_SKEW = 120.0  # seconds that two clocks may be apart
AWAITED = Failure("not_recorded", "it is in a batch that has no answers yet")
GATHERED = Failure("not_recorded", "it goes into the next batch")


class CollectedError(StopError):
    """Answers came while the run waited for them: begun again it goes further."""


class Batches:
    """Those of one run. ``begin`` before the first question, ``end`` after the last."""

    def __init__(self, options: Options, folder: str) -> None:
        self._options = options
        self._files = Files(folder)
        self._service = Service(options, lambda: None)
        self._gathered: dict[str, QueuedCell] = {}
        self._open: dict[str, Batch] = {}  # by key of a cell
        self._awaited = 0

    async def begin(self) -> None:
        """Collect what is ready, and find again what was submitted by a process that ended before it could write that down."""
        for batch in self._files.under_way():
            found = batch if batch.id else await self._found_again(batch)
            if found is None:
                self._files.done(batch)
            elif not await self._collected(found):
                self._open |= dict.fromkeys(found.keys, found)

    def answer(self, key: str, request: Request) -> Outcome | None:
        """What came of a cell, as an outcome of its request; None when nothing did."""
        result = self._files.result(key)
        if result is None:
            return None
        if result.get("type") == "errored":
            return Failure("bad_request", f"the service rejected this request ({result.get('said', '')})")
        message = message_of(result.get("message"))
        return message if isinstance(message, Failure) else outcome_of(request, message)

    def gather(self, key: str, body: dict[str, object], size: int) -> Failure:
        """Put a cell into the next batch."""
        self._gathered.setdefault(key, QueuedCell(key, body, size))
        return GATHERED

    def handed_in(self, key: str) -> Failure | None:
        """Why a cell need not be gathered: it is in a batch already, or in the next."""
        if key in self._open:
            self._awaited += 1
            return AWAITED
        return GATHERED if key in self._gathered else None

    async def end(self) -> None:
        """Submit what was gathered. Raises ``StopError`` with what is to be done next, ``CollectedError`` when answers were waited for."""
        submitted = 0
        for part in parts_of(self._gathered.values()):
            batch = await self._submitted(part)
            self._open |= dict.fromkeys(batch.keys, batch)
            submitted += len(part)
        if not submitted and not self._awaited:
            return
        if self._options.wait_until is not None and await self._waited(self._options.wait_until):
            raise CollectedError("a batch is done: run the same command again")
        waiting = f"submitted {submitted:,} requests as a batch" if submitted else "no new request was submitted"
        open_ones = f"{len(self._open):,} are not answered yet"
        raise StopError(f"{waiting}; {open_ones}: run the same command again to collect (most take less than an hour)")

    async def close(self) -> None:
        """Close the connections."""
        await self._service.close()

    async def _submitted(self, part: list[QueuedCell]) -> Batch:
        batch = batch_of(one.key for one in part)
        self._files.write(batch)
        requests = [{"custom_id": one.key, "params": one.body} for one in part]
        # Not tried again by the SDK: a try whose answer was lost may have been taken, and the next would be paid for as well.
        client = self._service.sdk.with_options(max_retries=0, timeout=max(600.0, self._options.timeout))
        try:
            made = await client.messages.batches.create(requests=cast("Iterable[Params]", requests))
        except Exception as error:
            raise self._not_taken(error, batch) from None
        if not isinstance(getattr(made, "id", None), str):
            raise self._not_taken(ValueError(), batch)
        known = batch._replace(id=made.id)
        self._files.write(known)
        return known

    def _not_taken(self, error: Exception, batch: Batch) -> StopError:
        said = failure_of(error, self._options, "")
        status = getattr(error, "status_code", None)
        if isinstance(status, int):  # it was refused: nothing is under way
            self._files.done(batch)
        if status in (404, 405, 501):
            return StopError("this server does not support batches: run without --batch")
        if isinstance(said, StopError):
            return said
        return StopError(f"the batch was probably not submitted; run the same command again: {said.reason}")

    async def _found_again(self, batch: Batch) -> Batch | None:
        """A batch that may have been submitted: one of that time and size that nobody else here knows."""
        known = {one.id for one in self._files.under_way()}
        async for made in self._listed():
            counts = made.request_counts
            many = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
            since = made.created_at.timestamp()
            if since < batch.since - _SKEW:
                break  # the newest come first
            if made.id not in known and many == len(batch.keys):
                found = batch._replace(id=made.id)
                self._files.write(found)
                return found
        return None

    async def _listed(self) -> AsyncIterator[MessageBatch]:
        try:
            async for made in self._service.sdk.messages.batches.list(limit=100):
                yield made
        except Exception as error:
            raise self._stopped(error) from None

    async def _collected(self, batch: Batch) -> bool:
        """Whether it has ended; then what came of it is kept, and what came to nothing can be handed in anew."""
        try:
            made = await self._service.sdk.messages.batches.retrieve(batch.id)
            if made.processing_status != "ended":
                return False
            results = await results_of(self._service.sdk, batch.id)
        except Exception as error:
            if getattr(error, "status_code", None) == 404:
                self._files.done(batch)  # results are gone after 29 days
                return True
            raise self._stopped(error) from None
        wanted = set(batch.keys)
        mine = {key: self._without_secrets(result) for key, result in results.items() if key in wanted}
        self._files.keep(mine)
        self._files.done(batch)
        return True

    def _without_secrets(self, result: Json) -> Json:
        """A server could send our key back."""
        text = json.dumps(result)
        for secret in (self._options.key, self._options.token):
            text = text.replace(secret, "***") if len(secret) >= 8 else text
        return dict(json.loads(text))

    async def _waited(self, ends: float) -> bool:
        """Whether any of the open batches ended in time."""
        pause = _POLL[0]
        while True:
            for batch in set(self._open.values()):
                if await self._collected(batch):
                    return True
            left = ends - time.monotonic()
            if left <= 0:
                return False
            await asyncio.sleep(min(pause, left))
            pause = min(_POLL[1], pause * 1.5)

    def _stopped(self, error: Exception) -> StopError:
        said = failure_of(error, self._options, "")
        return (
            said
            if isinstance(said, StopError)
            else StopError(f"the batches cannot be collected at the moment: {said.reason}")
        )
