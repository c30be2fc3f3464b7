"""Files of any size, line by line: damaged lines are counted, and the rest is read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

from plugin_eval_ci.traces.events import events_of
from plugin_eval_ci.traces.tally import Tally
from plugin_eval_ci.traces.values import Lines

LONGEST_LINE = 16 << 20  # bytes; a longer one is counted, not read
_PIECE = 1 << 20


def files_in(path: str) -> Iterator[str]:
    """The records in a folder and below, in order; a file is itself. No link is followed to another folder."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".jsonl", ".ndjson")))


def read_file(file: str, tally: Tally, tick: Callable[[], None] = lambda: None) -> Lines:
    """Count a file into ``tally``. Raises ``OSError``."""
    inside = "subagents" in file.split(os.sep)
    with open(file, "rb") as stream:
        lines = read_stream(stream, tally, os.path.basename(file) if inside else "", tick)
    tally.end_file()
    return lines


def read_stream(stream: BinaryIO, tally: Tally, side: str = "", tick: Callable[[], None] = lambda: None) -> Lines:
    """Count what a stream says; ``side`` names the agent's own agent whose record it is."""
    read = damaged = too_long = 0
    while line := stream.readline(LONGEST_LINE + 1):
        tick()
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            too_long += 1
            while (piece := stream.readline(_PIECE)) and not piece.endswith(b"\n"):
                pass
            continue
        if not line.strip():
            continue
        read += 1
        entry = _entry(line)
        if entry is None:
            damaged += 1
            continue
        session = entry.get("sessionId") or entry.get("session_id")
        inner = entry.get("agentId") or ("sidechain" if entry.get("isSidechain") is True else side)
        for event in events_of(entry):
            tally.take(
                event, session if isinstance(session, str) else "", inner if isinstance(inner, str) else "sidechain"
            )
    return Lines(read, damaged, too_long)


def _entry(line: bytes) -> dict[str, object] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
