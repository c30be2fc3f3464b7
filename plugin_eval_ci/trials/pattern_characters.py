"""Which characters pass a place of a pattern, as predicates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from re import _constants as codes  # type: ignore[attr-defined]  # isort: skip

Test = Callable[[str], bool]


class UnknownError(ValueError):
    """A kind of place that is not known here."""


def test_of(kind: object, value: object, flags: int) -> Test:
    """Whether a character passes; without regard to case it passes when one of its cases does."""
    plain = _plain_test(kind, value, flags)
    if not flags & re.IGNORECASE:
        return plain
    if kind is codes.NOT_LITERAL:
        return lambda one: all(plain(case) for case in (one, one.lower(), one.upper()))
    return lambda one: plain(one) or plain(one.lower()) or plain(one.upper())


def _plain_test(kind: object, value: object, flags: int) -> Test:
    if kind is codes.ANY:
        return (lambda one: True) if flags & re.DOTALL else (lambda one: one != "\n")
    if kind is codes.LITERAL:
        return lambda one: len(one) == 1 and ord(one) == value
    if kind is codes.NOT_LITERAL:
        return lambda one: not (len(one) == 1 and ord(one) == value)
    if kind is codes.RANGE:
        low, high = value  # type: ignore[misc]
        return lambda one: len(one) == 1 and low <= ord(one) <= high  # type: ignore[has-type]
    if kind is codes.CATEGORY:
        return _CATEGORIES[value]
    if kind is codes.IN:
        listed = list(value)  # type: ignore[call-overload]
        negated = listed[0][0] is codes.NEGATE
        tests = [test_of(inner, of, flags) for inner, of in listed[negated:]]
        return lambda one: any(test(one) for test in tests) != negated
    raise UnknownError(f"{str(kind).lower()} is not known here")


def is_word(one: str) -> bool:
    return one.isalnum() or one == "_"


def _digit(one: str) -> bool:
    return one != "" and unicodedata.category(one[0]) == "Nd"


_CATEGORIES: dict[object, Test] = {
    codes.CATEGORY_DIGIT: _digit,
    codes.CATEGORY_NOT_DIGIT: lambda one: not _digit(one),
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: lambda one: not one.isspace(),
    codes.CATEGORY_WORD: is_word,
    codes.CATEGORY_NOT_WORD: lambda one: not is_word(one),
}
