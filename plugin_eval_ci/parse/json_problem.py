"""What is wrong with a JSON text, in words: line, column, what was expected, and how to mend it."""

from __future__ import annotations

import re

_BLANK = re.compile(r"[ \t\r\n]*+")
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
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def explained(text: str, at: int, state: str, opened: tuple[str, int] | None) -> tuple[int, int, str, str]:
    """Line, column, message and fix for the defect at the first character that is not blank from ``at`` on.

    ``state`` is what the reader waits for, ``opened`` the bracket that is still open and its line.
    """
    blank = _BLANK.match(text, at)
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
        return at, f"{_shown(char)} is no quotation mark of JSON", "Put keys and text in straight double quotes."
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
        return at, f"{_shown(text[at : at + 2])} is no escape of JSON", "Double the backslash."
    return at, f"the control character U+{ord(char):04X} in a text", f"Write it as \\u{ord(char):04x}."


def _wrong_value(text: str, at: int) -> tuple[str, str] | None:
    for name in _NO_NUMBERS:
        if text.startswith(name, at):
            return f"{name} is no value of JSON", "Write a number, or null."
    word = _WORD.match(text, at)
    if word:
        right = _WORDS.get(word[0]) or (word[0].lower() if word[0].lower() in ("true", "false", "null") else None)
        fix = f"Write {right}." if right else "Put the text in double quotes."
        return f"{_shown(word[0])} without double quotes is no value of JSON", fix
    number = _NUMBER.match(text, at)
    if number:
        return (
            f"{_shown(number[0])} is no number as JSON writes it",
            "Write it with digits, as in 10, -1.5 or 2e3, or as a text.",
        )
    return None


def _shown(text: str) -> str:
    cut = text[:40]
    return f"'{cut}'" if cut.isprintable() else f"'{cut.encode('unicode_escape').decode('ascii')[:60]}'"
