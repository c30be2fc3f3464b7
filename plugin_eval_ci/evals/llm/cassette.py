"""Answers on disk: each is written whole before anybody sees it. A file of lines, one JSON object a line.

A cell is one sample of one request, and its name is the hash of everything that can change the answer. What happened on the way
(retries, the number of calls at once, times) is not part of it. A process that is killed leaves at most an unfinished last line, which
readers pass over and the next writer ends.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from typing import BinaryIO, NamedTuple, get_args

from plugin_eval_ci.evals.llm.json_schema import data_of
from plugin_eval_ci.evals.llm.request import Failure, FailureKind, Outcome, Reply, Request, calls_in
from plugin_eval_ci.scoring.spending import Usage

_METHOD = 1  # of how a request is hashed and sent: another number, other cells
_BEGIN = b'{"key":"'
_KEY = slice(len(_BEGIN), len(_BEGIN) + 64)
_MOST_NUMBER = 1e12  # tokens, seconds: a line that says more was not written by us
LASTING: tuple[FailureKind, ...] = (
    "refusal",
    "truncated",
    "malformed",
)  # what the model did, not what happened to the call


class Cell(NamedTuple):
    """``model``: the name that is sent."""

    key: str
    purpose: str
    model: str
    sample: int


def cell_of(request: Request, model: str, sample: int) -> Cell:
    """The cell of a sample of a request to a model."""
    said = {
        "method": _METHOD,
        "model": model,
        "system": request.system,
        "user": request.user,
        "max_tokens": request.max_tokens,
        "schema": request.schema,
        "effort": request.effort,
        "version": request.version,
        "purpose": request.purpose,
        "sample": sample,
    }
    if request.tools or request.turns:  # others keep the names they have
        said |= {"tools": request.tools, "turns": request.turns}
    text = json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return Cell(hashlib.sha256(text.encode("ascii")).hexdigest(), request.purpose, model, sample)


class Ledger:
    """A file of outcomes, the last of a cell counts. Only places are held in memory. Threads may share it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._places: dict[bytes, tuple[int, int]] = {}
        self._lock = threading.Lock()
        self._out: int | None = None
        self._in: BinaryIO | None = None
        self._whole = True  # whether the last line is finished
        self._unsynced = False
        if os.path.exists(file):
            self._index()

    def __len__(self) -> int:
        return len(self._places)

    def get(self, cell: Cell, request: Request) -> Outcome | None:
        """The recorded outcome, its data checked against the schema anew; None without one, or with one that is damaged."""
        with self._lock:
            place = self._places.get(cell.key.encode())
            if place is None:
                return None
            if self._in is None:
                self._in = open(self.file, "rb")  # noqa: SIM115
            self._in.seek(place[0])
            line = self._in.read(place[1])
        return _outcome(line, request)

    def add(self, cell: Cell, outcome: Outcome) -> None:
        """Hand an outcome to the system, which has it even if this process is killed now. Raises ``OSError`` if it does not take it."""
        line = _line(cell, outcome)
        with self._lock:
            if self._out is None:
                os.makedirs(os.path.dirname(self.file) or ".", exist_ok=True)
                self._out = os.open(
                    self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600
                )
            start = b"" if self._whole else b"\n"
            self._whole = False
            view = start + line
            while view:
                view = view[os.write(self._out, view) :]
            self._whole = True
            self._unsynced = True
            end = os.lseek(self._out, 0, os.SEEK_CUR)
            self._places[line[_KEY]] = (end - len(line), len(line))

    def sync(self) -> None:
        """Wait until what was added would outlast the machine."""
        with self._lock:
            out = os.dup(self._out) if self._out is not None and self._unsynced else None
            self._unsynced = False
        if out is not None:
            try:
                os.fsync(out)
            finally:
                os.close(out)

    def tidy(self) -> None:
        """Write the file anew: one line a cell, in the order of their names, so that a commit shows what changed and no more."""
        with self._lock:
            self._close()
            if not self._places:
                return
            with open(self.file, "rb") as stream:
                lines = []
                for start, length in self._places.values():
                    stream.seek(start)
                    lines.append(stream.read(length))
            partial = f"{self.file}.{os.getpid()}.partial"
            try:
                with open(partial, "wb") as stream:
                    stream.writelines(sorted(lines))
                    stream.flush()
                    os.fsync(stream.fileno())
                os.replace(partial, self.file)
            except OSError:  # no room for a second copy: what was added stands as it came
                with contextlib.suppress(OSError):
                    os.unlink(partial)
            self._index()

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._out is not None:
            os.fsync(self._out)
            os.close(self._out)
        if self._in is not None:
            self._in.close()
        self._out = self._in = None

    def _index(self) -> None:
        self._places.clear()
        at, self._whole = 0, True
        with open(self.file, "rb") as stream:
            for line in stream:
                self._whole = line.endswith(b"\n")
                if line.startswith(_BEGIN) and line.endswith(b"}\n"):
                    self._places[line[_KEY]] = (at, len(line))
                at += len(line)


def _line(cell: Cell, outcome: Outcome) -> bytes:
    said: dict[str, object] = {"key": cell.key, "purpose": cell.purpose, "asked": cell.model, "sample": cell.sample}
    if isinstance(outcome, Reply):
        seconds = round(outcome.seconds, 3)
        said |= {
            "kind": "reply",
            "model": outcome.model,
            "seconds": seconds,
            "usage": outcome.usage,
            "text": outcome.text,
        }
        said |= ({"cut": True} if outcome.cut else {}) | ({"blocks": outcome.blocks} if outcome.blocks else {})
    else:
        said |= {"kind": outcome.kind, "usage": outcome.usage, "reason": outcome.reason}
    return json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def _outcome(line: bytes, request: Request) -> Outcome | None:
    try:
        said = json.loads(line)
        usage = Usage(*map(int, said["usage"]))
        if said["kind"] != "reply":
            return Failure(said["kind"], str(said["reason"]), usage) if said["kind"] in get_args(FailureKind) else None
        text, model, seconds = str(said["text"]), str(said["model"]), float(said["seconds"])
        cut = said.get("cut") is True
        blocks = tuple(dict(block) for block in said.get("blocks", ()))
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None
    if not 0 <= seconds < _MOST_NUMBER or any(not 0 <= number < _MOST_NUMBER for number in usage):
        return None
    calls = calls_in(blocks)
    data = None if request.schema is None or calls else data_of(text, request.schema)
    if isinstance(data, str):
        return None
    return Reply(text, data, usage, model, seconds, recorded=True, cut=cut, calls=calls, blocks=blocks)
