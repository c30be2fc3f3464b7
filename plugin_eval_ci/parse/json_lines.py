"""JSON text to ``Value``, with the line of every key and value, and with words for what is wrong with it.

The standard decoder gives no positions. This reader is a loop with its own stack, looks at each character once, and
reads exactly what the standard allows: no comments, no trailing commas, no NaN.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from plugin_eval_ci.model import Problem, Value, ValueKind

_WHITESPACE = re.compile(r"[ \t\r\n]*+")
_WORD = re.compile(r"[A-Za-z_$][\w$-]*+")
_NUMBER = re.compile(r"[-+.]?[0-9][\w.+-]*+|[-+.]")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*')
_EXPECTED = {
    "value": "a value",
    "first value": "a value or ]",
    "first key": "a key in double quotes or }",
    "key": "a key in double quotes",
    "colon": "a colon after the key",
    "comma": "a comma or the closing bracket",
    "end": "the end of the file",
}
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def explain_json_error(text: str, at: int, state: str, opened: tuple[str, int] | None) -> tuple[int, int, str, str]:
    """Line, column, message and fix for the defect at the first character that is not blank from ``at`` on.

    ``state`` is what the reader waits for, ``opened`` the bracket that is still open and its line.
    """
    blank = _WHITESPACE.match(text, at)
    at = blank.end() if blank else at
    place, message, fix = _what(text, at, state, opened)
    line = text.count("\n", 0, place) + 1
    return line, place - text.rfind("\n", 0, place), f"invalid JSON: {message}", fix


def _what(text: str, at: int, state: str, opened: tuple[str, int] | None) -> tuple[int, str, str]:
    expected = _EXPECTED[state]
    if at >= len(text):
        return _at_end(text, state, opened)
    char = text[at]
    if char == "#" or text.startswith(("//", "/*"), at):
        return at, "a comment, which JSON does not have", "Remove the comment."
    if text.startswith(("<<<<<<<", "=======", ">>>>>>>"), at):
        return at, "a marker of an unfinished merge", "Finish the merge and remove the markers."
    if char in "}]" and state in ("key", "value") and opened is not None:
        comma = text.rfind(",", 0, at)
        if comma >= 0 and not text[comma + 1 : at].strip(" \t\r\n"):
            return comma, f"a trailing comma before {char}", "Remove the comma."
    if char == '"' and (string := _STRING.match(text, at)) and text[string.end() : string.end() + 1] != '"':
        return _in_string(text, string.end())
    if state == "comma" and (char in '"{[-' or char.isalnum()):
        return at, "a comma is missing between two entries", "Put a comma after the entry before it."
    if state == "end":
        return (
            at,
            f"text after the end of the JSON value: {_shown(char)}",
            "Remove what stands behind the last bracket.",
        )
    if char in "'\u201c\u201d\u2018\u2019`":
        return at, f"{_shown(char)} is not a quotation mark in JSON", "Put keys and text in straight double quotes."
    if state in ("key", "first key") and (_WORD.match(text, at) or char.isdigit()):
        return at, "a key without double quotes", "Put the key in double quotes."
    if state in ("value", "first value") and (wrong := _wrong_value(text, at)):
        return at, *wrong
    if char in "]}" and opened is not None and char != {"{": "}", "[": "]"}[opened[0]]:
        return (
            at,
            f"{char} does not close the {opened[0]} of line {opened[1]}",
            f"Close it with {'}' if opened[0] == '{' else ']'}.",
        )
    return at, f"{_shown(char)} where {expected} is expected", f"Write {expected} here."


def _at_end(text: str, state: str, opened: tuple[str, int] | None) -> tuple[int, str, str]:
    if not text.strip("\ufeff \t\r\n"):
        return 0, "the file is empty", "Write an object: {}."
    last = len(text.rstrip()) - 1
    if opened is None:
        return last, f"the file ends where {_EXPECTED[state]} is expected", "Complete the file."
    closing = "}" if opened[0] == "{" else "]"
    return last, f"the file ends inside the {opened[0]} of line {opened[1]}", f"Close it with {closing}."


def _in_string(text: str, at: int) -> tuple[int, str, str]:
    char = text[at : at + 1]
    if char in ("", "\n", "\r"):
        return max(0, at - 1), "a text is not closed on its line", 'Close it with ", and write line breaks as \\n.'
    if char == "\\":
        return at, f"{_shown(text[at : at + 2])} is not an escape in JSON", "Double the backslash."
    return at, f"the control character U+{ord(char):04X} in a text", f"Write it as \\u{ord(char):04x}."


def _wrong_value(text: str, at: int) -> tuple[str, str] | None:
    for name in _NO_NUMBERS:
        if text.startswith(name, at):
            return f"{name} is not a JSON value", "Write a number, or null."
    word = _WORD.match(text, at)
    if word:
        right = _PYTHON_WORDS.get(word[0]) or (
            word[0].lower() if word[0].lower() in ("true", "false", "null") else None
        )
        fix = f"Write {right}." if right else "Put the text in double quotes."
        return f"{_shown(word[0])} without double quotes is not a JSON value", fix
    number = _NUMBER.match(text, at)
    if number:
        return (
            f"{_shown(number[0])} is not a valid JSON number",
            "Write it with digits, as in 10, -1.5 or 2e3, or as a text.",
        )
    return None


def _shown(text: str) -> str:
    cut = text[:40]
    return f"'{cut}'" if cut.isprintable() else f"'{cut.encode('unicode_escape').decode('ascii')[:60]}'"


INVALID = "MANIFEST_INVALID"
AMBIGUOUS = "MANIFEST_AMBIGUOUS"
MAX_DEPTH = 100
MAX_VALUES = 250_000
_MAX_NOTES = 20
_TOKEN = re.compile(
    r"""[ \t\r\n]*+(?:
        (?P<text>"(?P<raw>[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*)")
      | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?![0-9A-Za-z_.+-])
      | (?P<word>true|false|null)(?![0-9A-Za-z_])
      | (?P<mark>[\[\]{}:,])
    )""",
    re.VERBOSE,
)
_BLANK = re.compile(r"[ \t\r\n]*+")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS: dict[str, ValueKind] = {"true": "boolean", "false": "boolean", "null": "null"}


class Json(NamedTuple):
    """What a text holds: a value or a problem, and defects that leave it readable."""

    value: Value | None
    problem: Problem | None
    notes: tuple[Problem, ...] = ()


class _JsonError(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class _Frame:
    """A list or an object that is still open."""

    __slots__ = ("entries", "items", "key", "key_line", "line", "mark", "seen", "under")

    def __init__(self, mark: str, line: int, under: int) -> None:
        self.mark = mark
        self.line = line
        self.under = under  # line of the key it stands under
        self.items: list[Value] = []
        self.entries: list[tuple[str, Value]] = []
        self.seen: dict[str, int] = {}
        self.key = ""
        self.key_line = 0


def parse(text: str) -> Json:
    """Read one JSON document. Lines end with a newline only, as in ``Source.text``."""
    reader = _Reader(text)
    try:
        return Json(reader.read(), None, tuple(reader.notes))
    except _JsonError as broken:
        return Json(None, broken.problem, tuple(reader.notes))


class _Reader:
    """One pass over the text. ``state`` names what may come next; ``json_problem`` has the words for each."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.notes: list[Problem] = []
        self.stack: list[_Frame] = []
        self.line, self.counted = 1, 0
        self.values = 0
        self.state = "value"

    def read(self) -> Value:
        at = 0
        if self.text.startswith("\ufeff"):
            self.notes.append(byte_order_mark())
            at = 1
        while True:
            match = _TOKEN.match(self.text, at)
            if match is None:
                self.fail(at)
            kind = match.lastgroup or ""
            start, at = match.start(kind), match.end()
            done = self.mark(match["mark"], start) if kind == "mark" else self.scalar(match, kind, start)
            if done is not None:
                if (rest := _BLANK.match(self.text, at)) and rest.end() < len(self.text):
                    self.state = "end"
                    self.fail(at)
                return done

    def mark(self, mark: str, start: int) -> Value | None:
        line = self.line_at(start)
        if mark in "{[":
            if self.state not in ("value", "first value"):
                self.fail(start)
            if len(self.stack) >= MAX_DEPTH:
                self.refuse(line, f"the JSON is nested more than {MAX_DEPTH} levels deep", "Flatten the file.")
            self.stack.append(_Frame(mark, line, self.stack[-1].key_line if self.stack else 0))
            self.state = "first key" if mark == "{" else "first value"
            return None
        if mark in ":,":
            if self.state != ("colon" if mark == ":" else "comma"):
                self.fail(start)
            self.state = "key" if mark == "," and self.stack[-1].mark == "{" else "value"
            return None
        wanted = ("comma", "first key") if mark == "}" else ("comma", "first value")
        if self.state not in wanted or not self.stack or self.stack[-1].mark != ("{" if mark == "}" else "["):
            self.fail(start)
        frame = self.stack.pop()
        if frame.mark == "{":
            return self.add(Value("mapping", "", frame.line, (), tuple(frame.entries), frame.under))
        return self.add(Value("list", "", frame.line, tuple(frame.items), (), frame.under))

    def scalar(self, match: re.Match[str], kind: str, start: int) -> Value | None:
        line = self.line_at(start)
        if self.state in ("first key", "key"):
            if kind != "text":
                self.fail(start)
            self.key(self.unescaped(match["raw"], line), line)
            return None
        if self.state not in ("value", "first value"):
            self.fail(start)
        under = self.stack[-1].key_line if self.stack else 0
        if kind == "text":
            return self.add(Value("text", self.unescaped(match["raw"], line), line, (), (), under))
        return self.add(Value("number" if kind == "number" else _WORDS[match[kind]], match[kind], line, (), (), under))

    def key(self, name: str, line: int) -> None:
        frame = self.stack[-1]
        if name in frame.seen:
            message = f"{name[:40]!r} stands on line {frame.seen[name]} and again here: most readers keep only the last"
            self.note(line, message, "Keep one of the two.")
        frame.seen.setdefault(name, line)
        frame.key, frame.key_line, self.state = name, line, "colon"

    def add(self, value: Value) -> Value | None:
        """Put a finished value where it belongs; the outermost one comes back."""
        self.values += 1
        if self.values > MAX_VALUES:
            self.refuse(value.line, f"the JSON holds more than {MAX_VALUES:,} values", "Split the file.")
        if not self.stack:
            return value
        frame = self.stack[-1]
        if frame.mark == "{":
            frame.entries.append((frame.key, value))
        else:
            frame.items.append(value)
        self.state = "comma"
        return None

    def unescaped(self, raw: str, line: int) -> str:
        if "\\" not in raw:
            return raw
        text = _ESCAPE.sub(_char, raw)
        if _SURROGATE.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
            if _SURROGATE.search(text):
                self.note(line, "half of a surrogate pair: no such character exists", "Write the character itself.")
                text = _SURROGATE.sub("\ufffd", text)
        return text

    def line_at(self, position: int) -> int:
        self.line += self.text.count("\n", self.counted, position)
        self.counted = position
        return self.line

    def note(self, line: int, message: str, fix: str) -> None:
        if len(self.notes) < _MAX_NOTES:
            self.notes.append(Problem(AMBIGUOUS, line, message, fix))

    def fail(self, at: int) -> NoReturn:
        opened = (self.stack[-1].mark, self.stack[-1].line) if self.stack else None
        line, column, message, fix = explain_json_error(self.text, at, self.state, opened)
        raise _JsonError(Problem(INVALID, line, message, fix, column))

    def refuse(self, line: int, message: str, fix: str) -> NoReturn:
        raise _JsonError(Problem(INVALID, line, message, fix))


def byte_order_mark() -> Problem:
    """The note about a byte order mark."""
    message = "the file begins with a byte order mark, which many JSON readers refuse"
    return Problem(AMBIGUOUS, 1, message, "Save it as UTF-8 without BOM.")


def _char(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _PLAIN.get(match[2], match[2])
