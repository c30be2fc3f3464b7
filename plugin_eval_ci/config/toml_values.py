"""``[tool.plugin-eval]`` of a pyproject.toml to ``Value``. The parser gives no lines, so they are looked up in the text."""

from __future__ import annotations

import re
import tomllib

from plugin_eval_ci.config.discovery import text_of
from plugin_eval_ci.errors import UnreadableError
from plugin_eval_ci.model import Value, ValueKind

MAX_DEPTH = 12
_PART = r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*((?:{_PART})(?:[ \t]*\.[ \t]*(?:{_PART}))*)[ \t]*\]")
_KEY = re.compile(rf"[ \t]*((?:{_PART})(?:[ \t]*\.[ \t]*(?:{_PART}))*)[ \t]*=")
_PARTS = re.compile(_PART)
_LINE = re.compile(r"\(at line (\d+)")
_TRIPLE = re.compile("\"\"\"|'''")
_LOOKED_UP = 1_000  # items of a list whose own line is looked for
_Path = tuple[str, ...]


def read_toml(file: str) -> tuple[tuple[str, Value], ...] | None:
    """The entries of the table, or None if the file has none. Raises ``UnreadableError``."""
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
    return lines.value(path, tool["plugin-eval"], 0).entries


class _Lines:
    """The line of each key: the first that sets it, else that of its table."""

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

    def value(self, path: _Path, value: object, depth: int, line: int = 0) -> Value:
        line = line or self.of(path)
        if depth > MAX_DEPTH:
            return Value("other", "", line)
        if isinstance(value, dict):
            entries = ((key, self.of((*path, key)), item) for key, item in value.items())
            found = [
                (key, at if (*path, key) in self.known else self.from_line(at, key), item) for key, at, item in entries
            ]
            return Value(
                "mapping",
                "",
                line,
                (),
                tuple(
                    (key, self.value((*path, key), item, depth + 1, at)._replace(key_line=at))
                    for key, at, item in found
                ),
            )
        if isinstance(value, list):
            places = [
                self.from_line(line, item) if isinstance(item, str) and n < _LOOKED_UP else line
                for n, item in enumerate(value)
            ]
            return Value(
                "list",
                "",
                line,
                tuple(self.value(path, item, depth + 1, at) for item, at in zip(value, places, strict=True)),
            )
        if isinstance(value, bool):
            return Value("boolean", str(value).lower(), line)
        kind: ValueKind = "text" if isinstance(value, str) else "number" if isinstance(value, int | float) else "date"
        return Value(kind, str(value)[:1_000], line)


def _path(text: str) -> _Path:
    return tuple(part.strip("\"'") for part in _PARTS.findall(text))
