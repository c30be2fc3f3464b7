"""Questions about a header and a name that several rules ask."""

from __future__ import annotations

import os
import re

from plugin_eval_ci.model import Document, Skill, Value
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
