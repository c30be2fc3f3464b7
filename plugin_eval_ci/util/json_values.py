"""Values of untrusted JSON by type. An absent value is empty; one of another type raises an error that names its place."""

from __future__ import annotations

Json = dict[str, object]


class DamagedError(Exception):
    """The JSON is damaged. The message says what and where, and quotes nothing from the file."""


def as_object(value: object, where: str) -> Json:
    """An object; empty when absent."""
    if value is None or isinstance(value, dict):
        return value or {}
    raise DamagedError(f"{where} must be an object")


def as_list(value: object, where: str) -> list[object]:
    """A list; empty when absent."""
    if value is None or isinstance(value, list):
        return value or []
    raise DamagedError(f"{where} must be a list")


def as_text(value: object, where: str) -> str:
    """Text; empty when absent."""
    if value is None or isinstance(value, str):
        return value or ""
    raise DamagedError(f"{where} must be text")


def as_number(value: object, where: str) -> int | None:
    """A whole number; None when absent."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise DamagedError(f"{where} must be a whole number")
