"""Regular expressions of strangers on texts of models, in a time that grows with the length of the text and no faster.

Python's own engine goes back and tries again, which a pattern such as ``(a+)+b`` turns into years. This one reads the text once and
keeps every place of the pattern at which it may be (Thompson). What only going back can do is refused: back-references, lookaround,
atomic groups, possessive repeats, conditions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from plugin_eval_ci.trials.pattern_characters import Test, UnknownError, is_word, test_of

from re import _constants as codes  # type: ignore[attr-defined]  # isort: skip
from re import _parser as parser  # type: ignore[attr-defined]  # isort: skip

MOST_CHARACTERS = 20_000  # of a text; what is behind is not searched
_MOST_PATTERN = 2_000  # characters
_MOST_PLACES = 400  # of a pattern, repeats written out
_MOST_WORK = 1_000_000  # places looked at in one search, those seen before not counted: about three seconds
_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL
_REFUSED = {
    codes.GROUPREF: "a back-reference",
    codes.GROUPREF_EXISTS: "a condition",
    codes.ASSERT: "a lookaround",
    codes.ASSERT_NOT: "a lookaround",
    codes.ATOMIC_GROUP: "an atomic group",
    codes.POSSESSIVE_REPEAT: "a possessive repeat",
}


class PatternError(ValueError):
    """Why a pattern is not taken, in words."""


class _Place(NamedTuple):
    """``test``: reads a character that passes. ``at``: reads nothing, and holds or not where it stands. Neither: only a fork."""

    after: tuple[int, ...]
    test: Test | None = None
    at: str = ""


class _Around(NamedTuple):
    """What an anchor looks at: the characters before and after, as far as it matters."""

    start: bool
    end: bool
    after_newline: bool
    before_newline: bool
    last_newline: bool
    word_before: bool
    word_after: bool


class Pattern:
    """A pattern that is searched for. Raises ``PatternError`` for one that is not valid, too large, or refused."""

    def __init__(self, source: str, flags: int = 0) -> None:
        if len(source) > _MOST_PATTERN:
            raise PatternError(f"it has more than {_MOST_PATTERN:,} characters")
        try:
            tree = parser.parse(source, flags)
        except (re.error, RecursionError, OverflowError) as error:
            raise PatternError(f"it is no regular expression: {error}") from None
        self._places: list[_Place] = [_Place(())]  # the first is the end
        self._start = self._sequence(tree, tree.state.flags & _FLAGS, 0)
        self._closed: dict[tuple[frozenset[int], _Around], frozenset[int]] = {}
        self._steps: dict[tuple[frozenset[int], str], frozenset[int]] = {}
        self._work = 0

    def found_in(self, text: str) -> bool:
        """Whether the beginning of ``text``, of ``MOST_CHARACTERS``, holds it anywhere. Raises ``PatternError`` if that takes too long."""
        text, self._work = text[:MOST_CHARACTERS], 0
        here = frozenset((self._start,))
        for place in range(len(text) + 1):
            closed = self._closure(here, _around(text, place))
            if 0 in closed:
                return True
            if place < len(text):
                here = self._step(closed, text[place])
        return False

    def _step(self, closed: frozenset[int], character: str) -> frozenset[int]:
        key = closed, character
        if key not in self._steps:
            self._look(len(closed))
            passed = (place for place in (self._places[one] for one in closed) if place.test and place.test(character))
            self._steps[key] = frozenset((self._start, *(after for place in passed for after in place.after)))
        return self._steps[key]

    def _closure(self, here: frozenset[int], around: _Around) -> frozenset[int]:
        key = here, around
        if key not in self._closed:
            self._look(len(here))
            seen, waiting = set(here), list(here)
            while waiting:
                place = self._places[waiting.pop()]
                if place.test is None and (not place.at or _holds(place.at, around)):
                    fresh = [one for one in place.after if one not in seen]
                    seen.update(fresh)
                    waiting.extend(fresh)
            self._closed[key] = frozenset(seen)
        return self._closed[key]

    def _look(self, places: int) -> None:
        self._work += places
        if self._work > _MOST_WORK:
            self._closed.clear()
            self._steps.clear()
            raise PatternError("the search takes too long")

    def _add(self, place: _Place) -> int:
        if len(self._places) >= _MOST_PLACES:
            raise PatternError("its repeats written out are too large")
        self._places.append(place)
        return len(self._places) - 1

    def _sequence(self, nodes: Sequence[tuple[object, object]], flags: int, after: int) -> int:
        """The place at which a sequence begins that ends at ``after``."""
        for kind, value in reversed(list(nodes)):
            after = self._node(kind, value, flags, after)
        return after

    def _node(self, kind: object, value: object, flags: int, after: int) -> int:
        if kind in _REFUSED:
            raise PatternError(f"{_REFUSED[kind]} cannot be searched for in bounded time")
        if kind is codes.AT:
            return self._add(_Place((after,), at=_anchor(value, flags)))
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            return self._repeat(value, flags, after)
        if kind is codes.SUBPATTERN:
            _, added, dropped, inner = value  # type: ignore[misc]
            return self._sequence(inner, (flags | added) & ~dropped & _FLAGS, after)  # type: ignore[has-type]
        if kind is codes.BRANCH:
            _, branches = value  # type: ignore[misc]
            return self._add(_Place(tuple(self._sequence(one, flags, after) for one in branches)))  # type: ignore[has-type]
        try:
            return self._add(_Place((after,), test_of(kind, value, flags)))
        except UnknownError as error:
            raise PatternError(str(error)) from None

    def _repeat(self, value: object, flags: int, after: int) -> int:
        least, most, inner = value  # type: ignore[misc]
        if most is codes.MAXREPEAT:  # type: ignore[has-type]
            fork = self._add(_Place((after,)))
            self._places[fork] = _Place((self._sequence(inner, flags, fork), after))  # type: ignore[has-type]
            after = fork
        else:
            for _ in range(most - least):  # type: ignore[has-type]
                after = self._add(_Place((self._sequence(inner, flags, after), after)))  # type: ignore[has-type]
        for _ in range(least):  # type: ignore[has-type]
            after = self._sequence(inner, flags, after)  # type: ignore[has-type]
        return after


def _anchor(code: object, flags: int) -> str:
    lines = bool(flags & re.MULTILINE)
    return {
        codes.AT_BEGINNING: "line" if lines else "start",
        codes.AT_BEGINNING_STRING: "start",
        codes.AT_END: "line end" if lines else "end or newline",
        codes.AT_END_STRING: "end",
        codes.AT_BOUNDARY: "edge",
        codes.AT_NON_BOUNDARY: "no edge",
    }[code]


def _holds(at: str, around: _Around) -> bool:
    return {
        "start": around.start,
        "line": around.start or around.after_newline,
        "end": around.end,
        "end or newline": around.end or around.last_newline,
        "line end": around.end or around.before_newline,
        "edge": around.word_before != around.word_after,
        "no edge": around.word_before == around.word_after,
    }[at]


def _around(text: str, place: int) -> _Around:
    before, after = text[place - 1 : place] if place else "", text[place : place + 1]
    newline = after == "\n"
    return _Around(
        not place,
        not after,
        before == "\n",
        newline,
        newline and place + 1 == len(text),
        is_word(before),
        is_word(after),
    )
