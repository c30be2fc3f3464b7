"""Fields of a report's JSON by their type. Each raises ``DamagedError`` that names the place."""

from __future__ import annotations

import re

from plugin_eval_ci.dimensions import rounded
from plugin_eval_ci.json_values import DamagedError, Json, as_list, as_number, as_text

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def texts(row: Json, key: str, above: str = "") -> tuple[str, ...]:
    """A list of texts; empty when absent."""
    place = f"{above}.{key}" if above else key
    return tuple(as_text(one, f"{place}[{n}]") for n, one in enumerate(as_list(row.get(key), place)))


def count(row: Json, key: str, where: str) -> int:
    """A number from 0 that every reader of JSON keeps exactly; 0 when absent."""
    number = as_number(row.get(key), f"{where}.{key}") or 0
    if not 0 <= number < 1 << 53:
        raise DamagedError(f"{where}.{key} must be a count")
    return number


def score_of(value: object, where: str, most: float = 100.0) -> float | None:
    """A number from 0 to ``most``; None when absent."""
    if value is None:
        return None
    # NaN is no JSON but is read all the same; it is in no range, as 1e999 is not, which is read as infinity.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise DamagedError(f"{where} must be a number from 0 to {most:g}")
    return rounded(float(value))


def day(row: Json, key: str, above: str = "") -> str:
    """A day as YYYY-MM-DD."""
    written = as_text(row.get(key), f"{above}.{key}" if above else key)
    if not _DAY.fullmatch(written):
        raise DamagedError(f"{above}.{key} must be a day" if above else f"{key} must be a day")
    return written
