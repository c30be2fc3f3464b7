"""Words for messages: what stands in a file is quoted, cut and shown without control characters."""

from __future__ import annotations

from collections.abc import Iterable

from plugin_eval_ci.model import Value, ValueKind

_LIMIT = 80
_ALIKE = 0.86
_KINDS: dict[ValueKind, str] = {
    "text": "text",
    "boolean": "a boolean",
    "number": "a number",
    "date": "a date",
    "null": "empty",
    "list": "a list",
    "mapping": "a mapping",
}


def quote(text: str) -> str:
    """A value as messages show it: in quotes, on one line, at most 80 characters, nothing invisible in it."""
    cut = text[:_LIMIT]
    shown = cut if cut.isprintable() else "".join(char if char.isprintable() else _escape(char) for char in cut)
    return f"'{shown[:_LIMIT]}…'" if len(text) > _LIMIT or len(shown) > _LIMIT else f"'{shown}'"


def kind_of(value: Value) -> str:
    """What YAML reads a value as, with the spelling of a scalar: ``a number ('31')``."""
    words = _KINDS[value.kind]
    return f"{words} ({quote(value.text)})" if value.kind in ("boolean", "number", "date") else words


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant: the same but for letter case and separators, or one of few changes."""
    from difflib import get_close_matches

    plain = {_plain(name): name for name in known}
    close = get_close_matches(_plain(word)[:_LIMIT], plain, 1, 0.8)
    return plain[close[0]] if close else None


def closest_name(name: str, known: Iterable[str]) -> str:
    """The known name that this one most likely was; empty without one so close that it must be meant."""
    from difflib import get_close_matches

    word = name.lower()
    letters = [(letter, word.count(letter)) for letter in set(word)]
    likely = sorted(other for other in known if _most_alike(letters, len(word), other) >= _ALIKE)
    close = get_close_matches(word, likely, 1, _ALIKE)
    return close[0] if close else ""


def _most_alike(letters: list[tuple[str, int]], length: int, other: str) -> float:
    """How alike two names can be by their letters in any order, as ``SequenceMatcher.quick_ratio`` has it and in a tenth of its time."""
    common = sum([min(count, other.count(letter)) for letter, count in letters])
    return 2.0 * common / (length + len(other)) if other else 0.0


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
