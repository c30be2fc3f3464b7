"""A pull request's report, from JSON back to its value. The file may be a stranger's: every type and size is checked, nothing is opened.

Of an artifact that a fork's run left, only numbers and words are taken; which pull request it is about, commits for links, and the
addresses of pages come from elsewhere.
"""

from __future__ import annotations

import json
import re
from typing import NoReturn

from plugin_eval_ci.difference.read_parts import COMMIT, findings, lines, listing, needs, one_of, side, text, whole
from plugin_eval_ci.difference.values import Difference, PluginChange, Row, Status
from plugin_eval_ci.errors import UsageError, not_json
from plugin_eval_ci.host import HostNeeds
from plugin_eval_ci.json_values import DamagedError, Json, as_list, as_object

MOST_BYTES = 32 * 1024 * 1024
MOST_ROWS = 20_000
MOST_NOTES = 20
_STATUSES: tuple[Status, ...] = ("added", "removed", "renamed", "changed", "present")
_VERSION = re.compile(r"1\.\d{1,4}", re.ASCII)
_METHODOLOGY = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+/-]{0,40}", re.ASCII)


def read(data: bytes, name: str) -> Difference:
    """The difference that ``data`` describes. Raises ``UsageError``, with ``name`` and the place, for what is none."""
    try:
        return _difference(_document(data))
    except DamagedError as error:
        raise UsageError(f"{name}: {error}") from None


def _document(data: bytes) -> Json:
    if len(data) > MOST_BYTES:
        raise DamagedError(f"larger than {MOST_BYTES // 1024**2} MiB")
    try:
        document = as_object(json.loads(data, parse_constant=_no_number), "the document")
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"is {not_json(error)}") from None
    version = document.get("schema_version")
    if not isinstance(version, str) or not _VERSION.fullmatch(version) or "changed" not in document:
        raise DamagedError("is no report of `plugin-eval diff --output json` that this version reads")
    return document


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _difference(document: Json) -> Difference:
    methodology = text(document.get("methodology"), "methodology")
    if not _METHODOLOGY.fullmatch(methodology):
        raise DamagedError("methodology must be a version")
    notes = as_list(document.get("notes"), "notes")[:MOST_NOTES]
    return Difference(
        _commit(document.get("base"), "base"),
        _commit(document.get("head"), "head"),
        whole(document.get("total"), "total"),
        tuple(_row(value, place) for value, place in _items(document, "changed")),
        findings(document.get("new_elsewhere"), "new_elsewhere"),
        findings(document.get("fixed_elsewhere"), "fixed_elsewhere"),
        tuple(_plugin(value, place) for value, place in _items(document, "plugins")),
        tuple(text(note, f"notes[{number}]") for number, note in enumerate(notes)),
        methodology,
    )


def _items(document: Json, key: str) -> list[tuple[Json, str]]:
    values = as_list(document.get(key), key)
    if len(values) > MOST_ROWS:
        raise DamagedError(f"{key} holds more than {MOST_ROWS:,} entries")
    return [(as_object(value, f"{key}[{number}]"), f"{key}[{number}]") for number, value in enumerate(values)]


def _commit(value: object, where: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not COMMIT.fullmatch(value):
        raise DamagedError(f"{where} must be a commit or null")
    return value


def _row(row: Json, where: str) -> Row:
    old_path = row.get("old_path")
    added, removed = lines(row.get("lines"), f"{where}.lines")
    return Row(
        one_of(row.get("status"), _STATUSES, f"{where}.status"),
        one_of(row.get("kind"), ("skill", "agent"), f"{where}.kind"),
        text(row.get("path"), f"{where}.path"),
        None if old_path is None else text(old_path, f"{where}.old_path"),
        text(row.get("name"), f"{where}.name"),
        added,
        removed,
        side(row.get("before"), f"{where}.before"),
        side(row.get("after"), f"{where}.after"),
        findings(row.get("new"), f"{where}.new"),
        findings(row.get("fixed"), f"{where}.fixed"),
        whole(row.get("old"), f"{where}.old"),
    )


def _plugin(plugin: Json, where: str) -> PluginChange:
    lists = as_object(plugin.get("listing"), f"{where}.listing")
    changes = as_object(plugin.get("needs"), f"{where}.needs")
    more, less = (needs(changes.get(key), f"{where}.needs.{key}") or HostNeeds() for key in ("added", "removed"))
    return PluginChange(
        text(plugin.get("path"), f"{where}.path"),
        text(plugin.get("name"), f"{where}.name"),
        listing(lists.get("before"), f"{where}.listing.before"),
        listing(lists.get("after"), f"{where}.listing.after"),
        (more, less),
    )
