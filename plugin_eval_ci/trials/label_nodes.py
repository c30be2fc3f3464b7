"""The values of a label file by type; a wrong one is named with its line."""

from __future__ import annotations

import re
from typing import TypeVar

from plugin_eval_ci.config import near
from plugin_eval_ci.config.node import Entry, Node, UnreadableError

MOST_CHARACTERS = 20_000  # of a prompt; and of a file that goes with it
MOST_FILES = 20
_ID = re.compile(r"[\w.-]{1,64}")
_T = TypeVar("_T", bound=str)


def keyed(entries: tuple[Entry, ...], known: tuple[str, ...] = ()) -> dict[str, Node]:
    """Values by key; those without a place of their own stand where their key does."""
    given: dict[str, Node] = {}
    for key, line, value in entries:
        if known and key not in known:
            close = near(key, known)
            raise UnreadableError(
                line, f"unknown key {key[:60]!r}; {close + ' ' if close else ''}known: {', '.join(known)}"
            )
        if key in given:
            raise UnreadableError(line, f"{key[:60]!r} is given twice")
        given[key] = value
    return given


def text_in(key: str, node: Node) -> str:
    """Text as written, which may be neither empty nor very long."""
    if node.kind != "text":
        raise UnreadableError(node.line, f"{key} must be text{'; put it in quotes' if node.text else ''}")
    if not node.text.strip():
        raise UnreadableError(node.line, f"{key} is empty")
    if len(node.text) > MOST_CHARACTERS:
        raise UnreadableError(
            node.line, f"{key} has {len(node.text):,} characters; at most {MOST_CHARACTERS:,} are read"
        )
    return node.text


def word_in(key: str, node: Node) -> str:
    """Text without the space around it."""
    return text_in(key, node).strip()


def ident(key: str, node: Node) -> str:
    """A name for a prompt or a family."""
    if node.kind not in ("text", "number") or not _ID.fullmatch(node.text):
        raise UnreadableError(node.line, f"{key} must be a word of letters, digits, dots and hyphens")
    return node.text


def choice_in(key: str, node: Node, among: tuple[_T, ...]) -> _T:
    """One of a few words."""
    word = word_in(key, node)
    for one in among:
        if one == word:
            return one
    close = near(word, among)
    raise UnreadableError(node.line, f"{key} is none of {', '.join(among)}{f'; {close}' if close else ''}")


def files_in(node: Node) -> tuple[tuple[str, str], ...]:
    """Paths with what stands in them, sorted."""
    if node.kind != "mapping":
        raise UnreadableError(node.line, "files must be a mapping of path: text")
    if len(node.entries) > MOST_FILES:
        raise UnreadableError(node.line, f"{len(node.entries):,} files; at most {MOST_FILES} go with a prompt")
    given = keyed(node.entries)
    for path, value in given.items():
        if not path.strip() or path.startswith(("/", "~")) or ".." in path.split("/"):
            raise UnreadableError(value.line, f"files: {path[:60]!r} must be a path below the working folder")
        if value.kind not in ("text", "nothing") or len(value.text) > MOST_CHARACTERS:
            raise UnreadableError(
                value.line, f"files: {path[:60]!r} must have text of at most {MOST_CHARACTERS:,} characters"
            )
    return tuple(sorted((path, value.text if value.kind == "text" else "") for path, value in given.items()))
