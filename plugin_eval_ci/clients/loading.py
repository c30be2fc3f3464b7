"""Which client drops what: ``loading.json``, measured by running the clients and dated. Read only once something is to be said."""

import json
import os
import re
from functools import cache
from typing import NamedTuple

from plugin_eval_ci.model import Field, Value

# What YAML 1.1 or 1.2 reads as a number or a date where a plain word was meant. PyYAML knows one dialect, clients have both.
_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F_]+|0b[01_]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)


class Loading(NamedTuple):
    """What the clients do with each kind of defect, and the limits that they hold a skill to."""

    date: str
    clients: dict[str, str]
    drops: dict[str, tuple[str, ...]]
    renames: dict[str, tuple[str, ...]]
    limits: dict[str, int]
    booleans: frozenset[str]
    boolean_keys: frozenset[str]


@cache
def loading() -> Loading:
    """The table as shipped."""
    with open(os.path.join(os.path.dirname(__file__), "loading.json"), encoding="utf-8") as stream:
        data = json.load(stream)
    return Loading(
        data["date"],
        data["clients"],
        {kind: tuple(names) for kind, names in data["drops"].items()},
        {kind: tuple(names) for kind, names in data["renames"].items()},
        data["limits"],
        frozenset(data["booleans"]),
        frozenset(data["boolean_keys"]),
    )


def dropped_by(kind: str, what: str = "this skill") -> str:
    """Who drops a skill with this defect, as the end of a message: ``Copilot CLI 1.0.102 drops this skill``."""
    names = loading().drops[kind]
    return f"{named(names)} {'drops' if len(names) == 1 else 'drop'} {what}"


def renamed_by(kind: str) -> str:
    """Who shows another name than the one that is written."""
    return named(loading().renames[kind])


def named(names: tuple[str, ...]) -> str:
    """Clients with their versions, as a list in words."""
    words = [loading().clients[name] for name in names]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def units(text: str) -> int:
    """The length of a text as clients written in JavaScript count it, in units of UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def scalar_kind(value: Value, text: str) -> str:
    """What some client's YAML makes of a scalar of the file ``text``: ``number``, ``date`` and so on."""
    line = "".join(text.split("\n", value.line)[value.line - 1 : value.line])
    if value.kind == "number" and value.text.strip() and not _NUMBER.fullmatch(value.text.strip()):
        return "date"  # 12:30 and 1_000 are numbers in the older YAML alone
    if value.kind == "boolean":
        return "boolean" if value.text in loading().booleans else "text"
    if value.kind == "text" and _NUMBER.fullmatch(value.text) and f": {value.text}" in line:
        return "number"
    return value.kind


def refused_as(field: Field, text: str) -> str | None:
    """What a client wants in this field of a skill, where it drops the skill for having something else there."""
    if field.key in loading().boolean_keys:
        return None if field.value.kind == "boolean" and field.value.text in loading().booleans else "boolean"
    if field.key == "argument-hint":
        return None if scalar_kind(field.value, text) in ("text", "date", "null") else "text"
    return None
