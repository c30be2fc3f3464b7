"""What is known on disk of batches: which are under way, and what came of those that ended. It lies beside the cache of answers.

A batch is written down before it is submitted, so that a process that is killed between the two leaves a trace: whoever comes next looks
for it at the service and does not pay again. What came back is kept as it came; it becomes an answer when somebody asks for it, for only
then is it known which form the answer must have.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from plugin_eval_ci.ask import Json, StopError

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


class Gathered(NamedTuple):
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
        """Batches that were written down and not done yet. A file that is damaged is none."""
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
            raise StopError(f"the batch cannot be written down in {self._folder}: {error.strerror}") from None

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
            raise StopError(f"the results of a batch cannot be kept in {self._folder}: {error.strerror}") from None
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


def parts_of(gathered: Iterable[Gathered]) -> list[list[Gathered]]:
    """As many batches as the service's limits want, in the order of the keys."""
    parts: list[list[Gathered]] = []
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
