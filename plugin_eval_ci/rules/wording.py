"""Words for messages: what stands in a file is quoted, cut and shown without control characters."""

from __future__ import annotations

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


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
