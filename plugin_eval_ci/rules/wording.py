"""Words for messages: what stands in a file is quoted, cut and shown without control characters."""

from __future__ import annotations

from collections.abc import Iterable

from plugin_eval_ci.model import Value, ValueKind

_LIMIT = 80
_KINDS: dict[ValueKind, str] = {
    "text": "text",
    "boolean": "a yes/no value",
    "number": "a number",
    "date": "a date",
    "null": "empty",
    "list": "a list",
    "mapping": "a mapping",
}


def quoted(text: str) -> str:
    """A value as messages show it: in quotes, on one line, at most 80 characters, nothing invisible in it."""
    cut = text[:_LIMIT]
    shown = cut if cut.isprintable() else "".join(char if char.isprintable() else _escape(char) for char in cut)
    return f"'{shown[:_LIMIT]}…'" if len(text) > _LIMIT or len(shown) > _LIMIT else f"'{shown}'"


def kind_of(value: Value) -> str:
    """What YAML reads a value as, with the spelling of a scalar: ``a number ('31')``."""
    words = _KINDS[value.kind]
    return f"{words} ({quoted(value.text)})" if value.kind in ("boolean", "number", "date") else words


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant: the same but for letter case and separators, or one of few changes."""
    from difflib import get_close_matches

    plain = {_plain(name): name for name in known}
    close = get_close_matches(_plain(word)[:_LIMIT], plain, 1, 0.8)
    return plain[close[0]] if close else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
