"""What a configuration file holds, whatever its syntax: values that keep their line."""

from __future__ import annotations

from typing import Literal, NamedTuple

NodeKind = Literal["text", "flag", "number", "list", "mapping", "nothing", "other"]
MAX_BYTES = 256 * 1024  # of a pyproject.toml, where other tools are configured too
MAX_OWN_BYTES = 64 * 1024
MAX_DEPTH = 12


class Node(NamedTuple):
    """A value. ``text`` is a scalar as written; ``items`` and ``entries`` hold what is below it."""

    kind: NodeKind
    line: int
    text: str = ""
    items: tuple[Node, ...] = ()
    entries: tuple[Entry, ...] = ()


class Entry(NamedTuple):
    """A key, its line and its value."""

    key: str
    line: int
    value: Node


class UnreadableError(Exception):
    """The file cannot be read; ``line`` says where."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def text_of(file: str, limit: int = MAX_BYTES) -> str:
    """The text of a file. Raises ``UnreadableError`` for one that is too large, not UTF-8, or not there."""
    try:
        with open(file, "rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(1, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > limit:
        raise UnreadableError(1, f"cannot be read: it has more than {limit:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(line, f"cannot be read: byte 0x{data[error.start]:02x} is not UTF-8") from error
