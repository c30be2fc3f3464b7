"""Findings that a team has accepted: a file to review, each entry with who it is about, why, and until when."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import CheckResult, Finding, Suppressed

FILE_NAME = ".plugin-eval-baseline.json"
VERSION = 1
_ABOUT = "Findings that are accepted for now. Written by plugin-eval baseline; reasons and dates may be edited by hand."
_KEYS = ("rule", "path", "message", "fingerprint", "reason", "expires")
_MAX_BYTES = 32 << 20
_FINGERPRINT = re.compile(r"[0-9a-f]{16}\Z")


class Entry(NamedTuple):
    """One accepted finding. The fingerprint decides; rule, path and message are for whoever reads the file."""

    rule: str
    path: str
    message: str
    fingerprint: str
    reason: str = ""
    expires: str = ""  # the last day on which it holds, as YYYY-MM-DD


class BaselineResult(NamedTuple):
    """What is left of a run. ``expired`` entries hide nothing any more, ``idle`` ones matched no finding."""

    checked: CheckResult
    expired: tuple[Entry, ...] = ()
    idle: tuple[Entry, ...] = ()


def entry_of(finding: Finding, reason: str = "", expires: str = "") -> Entry:
    """The entry that accepts a finding."""
    return Entry(finding.rule, finding.path, finding.message, finding.fingerprint, reason, expires)


def today() -> str:
    """The date here, as entries write it."""
    return time.strftime("%Y-%m-%d")


def apply(checked: CheckResult, findings: Iterable[Finding], entries: Iterable[Entry], day: str) -> BaselineResult:
    """Hide those of ``findings`` that have an entry. An entry hides one finding, so a second of its kind is shown."""
    waiting: dict[str, list[Entry]] = {}
    for entry in entries:
        waiting.setdefault(entry.fingerprint, []).append(entry)
    for same in waiting.values():
        same.sort(key=lambda entry: not is_expired(entry, day))  # taken from the end: those that hold come first
    left: dict[int, Finding | None] = {}
    hidden, expired = [], []
    for finding in findings:
        same = waiting.get(finding.fingerprint, [])
        if not same:
            continue
        entry = same.pop()
        if is_expired(entry, day):
            expired.append(entry)
            left[id(finding)] = finding._replace(
                message=f"{finding.message} (its baseline entry expired on {entry.expires})"
            )
        else:
            hidden.append(Suppressed(finding, "baseline", entry.reason))
            left[id(finding)] = None
    shown = [left.get(id(finding), finding) for finding in checked.findings]
    result = checked._replace(
        findings=tuple(f for f in shown if f is not None), suppressed=(*checked.suppressed, *hidden)
    )
    return BaselineResult(result, tuple(expired), tuple(entry for same in waiting.values() for entry in same))


def is_expired(entry: Entry, day: str) -> bool:
    """Whether the last day of an entry is over."""
    return bool(entry.expires) and entry.expires < day


def is_date(text: str) -> bool:
    """Whether a text is a day as entries write it."""
    try:
        time.strptime(text, "%Y-%m-%d")
    except ValueError:
        return False
    return len(text) == len("2026-12-31")


def render(entries: Iterable[Entry]) -> str:
    """The file: sorted, one value a line, nothing that changes by itself."""
    ordered = sorted(
        entries,
        key=lambda entry: (entry.path, entry.rule, entry.message, entry.fingerprint, entry.expires, entry.reason),
    )
    rows = [
        {key: value for key, value in zip(_KEYS, entry, strict=True) if value or key in _KEYS[:4]} for entry in ordered
    ]
    text = json.dumps({"version": VERSION, "about": _ABOUT, "entries": rows}, ensure_ascii=True, indent=2) + "\n"
    # Half a surrogate pair stands for a byte of a file name that is no text; written as an escape it is valid JSON.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def load(file: str) -> tuple[Entry, ...]:
    """The entries of a file. Raises ``UsageError`` with the line where the file is not a valid baseline."""
    if os.path.exists(file) and not os.path.isfile(file):  # a named pipe would wait for somebody to write
        raise UsageError(f"{file}: the baseline is not a regular file")
    try:
        with open(file, "rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: the baseline cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return parse(data, file)


def parse(data: bytes, file: str) -> tuple[Entry, ...]:
    """The entries in the bytes of ``file``. Raises as ``load``."""
    if len(data) > _MAX_BYTES:
        raise UsageError(f"{file}: the baseline has more than {_MAX_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}:{data.count(bytes([10]), 0, error.start) + 1}: the baseline is not UTF-8") from error
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{file}:{error.lineno}: the baseline is not valid JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise UsageError(f"{file}:1: the baseline is not valid JSON") from error
    if (
        not isinstance(document, dict)
        or document.get("version") != VERSION
        or not isinstance(document.get("entries"), list)
    ):
        raise UsageError(f"{file}:1: not a baseline of version {VERSION}; write one with plugin-eval baseline")
    return tuple(_entry(file, text, number, row) for number, row in enumerate(document["entries"]))


def _entry(file: str, text: str, number: int, row: object) -> Entry:
    if not isinstance(row, dict):
        _refuse(file, text, number, "an entry must be an object")
    for key in row:
        if key not in _KEYS:
            _refuse(file, text, number, f"unknown key {str(key)[:60]!r}; known: {', '.join(_KEYS)}")
    values = {key: row.get(key, "") for key in _KEYS}
    for key, value in values.items():
        if not isinstance(value, str) or (key in _KEYS[:4] and not value):
            _refuse(file, text, number, f"{key} must be text" + (" and not empty" if key in _KEYS[:4] else ""))
    if not _FINGERPRINT.match(values["fingerprint"]):
        _refuse(file, text, number, "fingerprint must be 16 hexadecimal digits")
    if values["expires"] and not is_date(values["expires"]):
        _refuse(file, text, number, f"expires must be a day such as 2026-12-31, not {values['expires'][:40]!r}")
    return Entry(**values)


def _refuse(file: str, text: str, number: int, message: str) -> NoReturn:
    from plugin_eval_ci.parse import json_lines  # reads line by line, which only a message needs

    value = json_lines.parse(text.replace("\r\n", "\n")).value
    rows = next((value.items for key, value in value.entries if key == "entries"), ()) if value else ()
    line = rows[number].line if number < len(rows) else 1
    raise UsageError(f"{file}:{line}: entry {number + 1} of the baseline: {message}")
