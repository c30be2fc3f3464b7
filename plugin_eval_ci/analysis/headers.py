"""Questions about a header and a name that several rules ask."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from plugin_eval_ci.analysis.wording import nearest, quote
from plugin_eval_ci.model import Document, Hit, Severity, Skill, Value
from plugin_eval_ci.parse.facts import says_true as says_true

# The six keys of the specification, which every client takes; a header with no others needs no profile at all.
PORTABLE = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
_FALSE = frozenset({"false", "no", "off", "0"})


def value_of(document: Document, key: str) -> Value | None:
    """The value of a key, or None when the key is not there."""
    field = document.header.field(key)
    return field.value if field else None


def is_blank(value: Value | None) -> bool:
    """Whether a value is absent, null or white space."""
    return value is None or value.kind == "null" or (value.kind == "text" and not value.text.strip())


def says_false(value: Value | None) -> bool:
    """Whether Claude Code reads a value as false: false, no, off or 0 in any letter case."""
    return value is not None and value.kind in ("boolean", "number", "text") and value.text.strip().lower() in _FALSE


def is_readable(document: Document) -> bool:
    """Whether the header is sound and its name and description are text, or left out."""
    if document.header.problem is not None:
        return False
    values = (value_of(document, "name"), value_of(document, "description"))
    return all(value is None or value.kind in ("text", "null") for value in values)


def declared_name(document: Document) -> str | None:
    """The name if it is written as text and not blank."""
    return document.header.text("name") or None


def folder_name(skill: Skill) -> str:
    """The name of the skill's own folder."""
    return os.path.basename(skill.directory)


def plain_name(text: str) -> str:
    """The nearest name the spec allows: lower case, one hyphen for whatever it does not allow; may be empty."""
    from unicodedata import normalize

    visible = "".join(char for char in normalize("NFKC", text) if char.isprintable() or char.isspace())
    return re.sub(r"[\W_]+", "-", visible.lower()).strip("-")


def fits(value: Value, kind: str) -> bool:
    """Whether a client reads the value; a number or a date where text is expected is read as it is spelled."""
    if kind == "boolean":
        return says_true(value) or says_false(value)
    if kind == "words":
        return value.kind != "mapping" and all(item.kind not in ("list", "mapping") for item in value.items)
    if kind == "number":
        return value.kind == "number" or (value.kind == "text" and value.text.strip().isdigit())
    return value.kind == kind if kind == "mapping" else value.kind not in ("list", "mapping", "boolean")


_SHOWN = 6


def hit_of(kind: str, keys: list[tuple[str, int]], advice: str, own: frozenset[str] | None = None) -> Hit | None:
    """The hit for some keys with their lines; ``own`` are those that may be suggested, if not all that are known."""
    from plugin_eval_ci.clients import known_keys

    known = known_keys(kind)
    unknown: dict[str, int] = {}
    for key, line in keys:
        if key not in known and not key.startswith(("$", "_", "x-")):
            unknown.setdefault(key, line)
    if not unknown:
        return None
    near = [
        (key, close)
        for key in list(unknown)[:_SHOWN]
        if (close := _meant(key, (known if own is None else own) - {name for name, _ in keys}))
    ]
    first = near[0][0] if near else next(iter(unknown))
    names = ", ".join(quote(key) for key in [first, *(key for key in unknown if key != first)][:_SHOWN])
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    fix = f"Did you mean {quote(near[0][1])}?" if near else advice
    severity = Severity.WARNING if near else Severity.NOTICE
    return Hit(
        unknown[first],
        f"no client known to this tool reads {names}{more}",
        fix,
        first,
        severity=severity,
    )


@lru_cache(maxsize=512)
def _meant(key: str, known: frozenset[str]) -> str | None:
    """``nearest``, which is slow, once for a key that many files of a repository have."""
    return nearest(key, known)
