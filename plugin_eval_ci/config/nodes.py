"""``[tool.plugin-eval]`` of a pyproject.toml to nodes. The parser gives no lines, so they are looked up in the text."""

from __future__ import annotations

import re
import tomllib
from typing import Literal, NamedTuple

import yaml

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


_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPENING = re.compile(r"[\[{]|[-?](?=[ \t])")
_KINDS: dict[str, NodeKind] = {"str": "text", "bool": "flag", "int": "number", "float": "number", "null": "nothing"}


def read_yaml(file: str) -> tuple[Entry, ...]:
    """The entries of the mapping a file holds. Raises ``UnreadableError``."""
    node = compose(text_of(file, MAX_OWN_BYTES))
    if node is None:
        return ()
    if node.kind != "mapping":
        raise UnreadableError(1, "must be a mapping of key: value lines")
    return node.entries


def compose(text: str) -> Node | None:
    """What a text says; None when it says nothing. Raises ``UnreadableError``."""
    try:
        if len(_OPENING.findall(text)) > MAX_DEPTH:
            _refuse_depth(text)
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        last = text.count("\n") + (not text.endswith("\n"))  # where what is missing at the end is told
        line = min(error.problem_mark.line + 1, max(1, last)) if error.problem_mark else 1
        raise UnreadableError(line, f"invalid YAML: {error.problem}") from error
    except (ValueError, OverflowError, RecursionError, yaml.YAMLError) as error:
        raise UnreadableError(1, f"cannot be read: {str(error) or type(error).__name__}") from error
    if node is None or node.tag == "tag:yaml.org,2002:null":
        return None
    return _Reader().node(node, 0)


def _refuse_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise UnreadableError(event.start_mark.line + 1 if event.start_mark else 1, "nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


class _Reader:
    """Each node of the graph is read once, so that aliases of aliases stay as small as their text."""

    def __init__(self) -> None:
        self.known: dict[int, Node] = {}

    def node(self, node: yaml.Node, depth: int) -> Node:
        line = node.start_mark.line + 1
        if id(node) in self.known:
            return self.known[id(node)]
        if depth > MAX_DEPTH:
            return Node("other", line)
        self.known[id(node)] = Node("other", line)  # what refers to itself
        self.known[id(node)] = found = self.fresh(node, line, depth)
        return found

    def fresh(self, node: yaml.Node, line: int, depth: int) -> Node:
        if isinstance(node, yaml.SequenceNode):
            return Node("list", line, items=tuple(self.node(item, depth + 1) for item in node.value))
        if isinstance(node, yaml.MappingNode):
            pairs = [(key, self.node(value, depth + 1)) for key, value in node.value]
            return Node("mapping", line, entries=tuple(_entry(key, value) for key, value in pairs))
        kind = _KINDS.get(node.tag.removeprefix("tag:yaml.org,2002:"), "other")
        return Node(kind, line, str(node.value))


def _entry(key: yaml.Node, value: Node) -> Entry:
    return Entry(str(key.value) if isinstance(key, yaml.ScalarNode) else "?", key.start_mark.line + 1, value)


_PART = r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*((?:{_PART})(?:[ \t]*\.[ \t]*(?:{_PART}))*)[ \t]*\]")
_KEY = re.compile(rf"[ \t]*((?:{_PART})(?:[ \t]*\.[ \t]*(?:{_PART}))*)[ \t]*=")
_PARTS = re.compile(_PART)
_LINE = re.compile(r"\(at line (\d+)")
_TRIPLE = re.compile("\"\"\"|'''")
_LOOKED_UP = 1_000  # items of a list whose own line is looked for
_Path = tuple[str, ...]


def read_toml(file: str) -> tuple[Entry, ...] | None:
    """The entries of our table, or None when the file has none. Raises ``UnreadableError``."""
    text = text_of(file)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = _LINE.search(str(error))
        line = text.count("\n") + 1 if "end of document" in str(error) else int(found[1]) if found else 1
        raise UnreadableError(line, f"invalid TOML: {str(error) or 'nested too deeply'}") from error
    tool = document.get("tool")
    if not isinstance(tool, dict) or "plugin-eval" not in tool:
        return None
    lines = _Lines(text)
    path = ("tool", "plugin-eval")
    if not isinstance(tool["plugin-eval"], dict):
        raise UnreadableError(lines.of(path), "tool.plugin-eval must be a table")
    return lines.node(path, tool["plugin-eval"], 0).entries


class _Lines:
    """Where each key stands: the first line that sets it, else that of the table it is in."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.known: dict[_Path, int] = {}
        self.starts: set[int] = set()  # lines that begin a key or a table
        table: _Path = ()
        quote = ""
        for number, line in enumerate(self.lines, 1):
            if not quote:
                if header := _HEADER.match(line):
                    table = _path(header[1])
                    self.note(table, number)
                elif key := _KEY.match(line):
                    self.note(table + _path(key[1]), number)
            for mark in _TRIPLE.findall(line):
                quote = mark if not quote else "" if mark == quote else quote

    def note(self, path: _Path, line: int) -> None:
        self.starts.add(line)
        for length in range(1, min(len(path), MAX_DEPTH) + 1):
            self.known.setdefault(path[:length], line)

    def of(self, path: _Path) -> int:
        while path and path not in self.known:
            path = path[:-1]
        return self.known.get(path, 1)

    def from_line(self, line: int, word: str) -> int:
        """The line of a word in a value that begins on ``line``."""
        for number, text in enumerate(self.lines[line - 1 : line + 2_000], line):
            if number > line and number in self.starts:
                break
            if word and word in text:
                return number
        return line

    def node(self, path: _Path, value: object, depth: int, line: int = 0) -> Node:
        line = line or self.of(path)
        if depth > MAX_DEPTH:
            return Node("other", line)
        if isinstance(value, dict):
            entries = ((key, self.of((*path, key)), item) for key, item in value.items())
            found = [
                (key, at if (*path, key) in self.known else self.from_line(at, key), item) for key, at, item in entries
            ]
            return Node(
                "mapping",
                line,
                entries=tuple(Entry(k, at, self.node((*path, k), item, depth + 1, at)) for k, at, item in found),
            )
        if isinstance(value, list):
            places = [
                self.from_line(line, item) if isinstance(item, str) and n < _LOOKED_UP else line
                for n, item in enumerate(value)
            ]
            return Node(
                "list",
                line,
                items=tuple(self.node(path, item, depth + 1, at) for item, at in zip(value, places, strict=True)),
            )
        if isinstance(value, bool):
            return Node("flag", line, str(value).lower())
        kind: NodeKind = "text" if isinstance(value, str) else "number" if isinstance(value, int | float) else "other"
        return Node(kind, line, str(value)[:1_000] if kind != "number" else "")


def _path(text: str) -> _Path:
    return tuple(part.strip("\"'") for part in _PARTS.findall(text))
