"""Another engine's SARIF 2.1.0 read as findings. Its words and its paths are a stranger's: sizes are bounded, wrong types are named.

Nothing a log names is opened. What lies outside the repository is counted and left out.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote

from plugin_eval_ci.errors import UsageError, not_json
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.util.json_values import DamagedError, Json, as_list, as_number, as_object, as_text

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # two letters at least: one is a drive
_FILE = re.compile(r"file:(?://(?:localhost(?=/))?)?", re.IGNORECASE)
_NO_PATH = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")  # no file system has these
_DRIVE = re.compile(r"/?([A-Za-z]:/)")


class Place:
    """A repository's root, under the name it was given and under its real one."""

    def __init__(self, root: str) -> None:
        self._roots = tuple(
            dict.fromkeys(path.replace(os.sep, "/").rstrip("/") for path in (root, os.path.realpath(root)))
        )

    def relative(self, uri: str, base: str) -> str | None:
        """The path below the root; ``.`` is the root, None is outside.

        A base outside of our tree belongs to another machine: what is relative to it is taken as relative to our root.
        """
        path = _plain(uri)
        if path is None:
            return None
        if _absolute(path):
            return self._below(path)
        start = _plain(base) if base else None
        from_base = self._below(f"{start}/{path}") if start and _absolute(start) and self._below(start) else None
        return from_base or self._below(f"{self._roots[0]}/{path}")

    def _below(self, path: str) -> str | None:
        normal = posixpath.normpath(path)
        for root in self._roots:
            if normal == (root or "/"):
                return "."
            if normal.startswith(f"{root}/"):
                return normal[len(root) + 1 :]
        return None


def _plain(uri: str) -> str | None:
    """The path of an address, with forward slashes; None where it does not name a file."""
    uri = uri.replace("\\", "/")
    if _FILE.match(uri):
        uri = _FILE.sub("", uri, count=1)
    elif _SCHEME.match(uri):
        return None
    path = _NO_PATH.sub("\ufffd", unquote(uri, errors="surrogateescape"))
    path = _DRIVE.sub(r"\1", path, count=1) if _DRIVE.match(path) else path
    return re.sub(r"^/+", "/", path)


def _absolute(path: str) -> bool:
    return path.startswith("/") or bool(_DRIVE.match(path))


MOST_BYTES = 32 * 1024 * 1024
MOST_RESULTS = 25_000  # more than code scanning takes of one run
MOST_CHARACTERS = 2_000
_LEVELS = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTICE, "none": Severity.NOTICE}
_NO_DEFECT = frozenset({"pass", "notApplicable"})
_ODD = re.compile(r"[^A-Za-z0-9._/@+-]+")
_LAST_LINE = 2**31 - 1


class SarifLog(NamedTuple):
    """What a log holds; ``outside`` counts results about other places than the repository."""

    findings: tuple[Finding, ...]
    outside: int


def read_sarif(file: str, root: str) -> SarifLog:
    """The findings of a log, without fingerprints. Raises ``UsageError`` with the file's name when it cannot be read."""
    try:
        return _runs(_document(file), root)
    except DamagedError as error:
        raise UsageError(f"{file}: {error}") from None


def _document(file: str) -> Json:
    try:
        if not os.path.isfile(file):
            raise DamagedError("no such file")
        with open(file, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise DamagedError(f"larger than {MOST_BYTES // 1024**2} MiB")
        document = as_object(json.loads(data), "the document")
    except OSError as error:
        raise DamagedError(f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"is {not_json(error)}") from None
    version = document.get("version")
    if not isinstance(version, str) or not version.startswith("2.1."):
        raise DamagedError("not a SARIF 2.1.0 log")
    if document.get("runs") is None:
        raise DamagedError("runs is missing")
    return document


def _runs(document: Json, root: str) -> SarifLog:
    found: list[Finding] = []
    outside = met = 0
    for number, value in enumerate(as_list(document.get("runs"), "runs")):
        where = f"runs[{number}]"
        run = as_object(value, where)
        results = as_list(run.get("results"), f"{where}.results")
        met += len(results)
        if met > MOST_RESULTS:
            raise DamagedError(f"holds more than {MOST_RESULTS:,} results")
        take = _taker(run, where, Place(root))
        for index, result in enumerate(results):
            there = f"{where}.results[{index}]"
            finding = take(as_object(result, there), there)
            if finding is not None:
                found.append(finding)
                outside += finding.path == ""
    return SarifLog(tuple(finding for finding in found if finding.path), outside)


def _taker(run: Json, where: str, place: Place) -> Callable[[Json, str], Finding | None]:
    """A function from one result of ``run`` to a finding: without a path when outside, None where it does not report a defect."""
    driver = as_object(as_object(run.get("tool"), f"{where}.tool").get("driver"), f"{where}.tool.driver")
    engine = _word(driver.get("name"), f"{where}.tool.driver.name") or "unknown"
    listed = f"{where}.tool.driver.rules"
    rules = [as_object(rule, listed) for rule in as_list(driver.get("rules"), listed)]
    by_id = {rule["id"]: rule for rule in rules if isinstance(rule.get("id"), str)}
    path_of = _pather(run, where, place)

    def take(result: Json, there: str) -> Finding | None:
        if _dismissed(result, there):
            return None
        about = as_object(result.get("rule"), f"{there}.rule")
        index = as_number(result.get("ruleIndex", about.get("index")), f"{there}.ruleIndex")
        name = as_text(result.get("ruleId", about.get("id")), f"{there}.ruleId")
        rule = by_id.get(name) or (rules[index] if index is not None and 0 <= index < len(rules) else {})
        own = _word(name or rule.get("id"), f"{there}.ruleId") or "unknown"
        physical, region = _where(result, there)
        path = path_of(as_object(physical.get("artifactLocation"), f"{there}.artifactLocation"), there)
        return _finding(f"{engine}/{own}", _level(result, rule, there), path, region, _message(result, rule, there))

    return take


def _pather(run: Json, where: str, place: Place) -> Callable[[Json, str], str]:
    """A function from the location of a file to its path below our root; empty for one outside."""
    listed, based = f"{where}.artifacts", f"{where}.originalUriBaseIds"
    bases, artifacts = as_object(run.get("originalUriBaseIds"), based), as_list(run.get("artifacts"), listed)

    def path_of(location: Json, there: str) -> str:
        number = as_number(location.get("index"), f"{there}.artifactLocation.index")
        if not location.get("uri") and number is not None and 0 <= number < len(artifacts):
            location = as_object(as_object(artifacts[number], listed).get("location"), listed)
        base = as_object(bases.get(as_text(location.get("uriBaseId"), f"{there}.uriBaseId")), based)
        uri = as_text(location.get("uri"), f"{there}.uri")
        return (place.relative(uri, as_text(base.get("uri"), based)) or "") if uri else "."

    return path_of


def _where(result: Json, there: str) -> tuple[Json, Json]:
    locations = as_list(result.get("locations"), f"{there}.locations")
    first = as_object(locations[0], f"{there}.locations[0]") if locations else {}
    physical = as_object(first.get("physicalLocation"), f"{there}.physicalLocation")
    region = as_object(physical.get("region"), f"{there}.region")
    return physical, {
        key: as_number(region.get(key), f"{there}.region.{key}") for key in ("startLine", "endLine", "startColumn")
    }


def _finding(rule: str, severity: Severity, path: str, region: Json, message: str) -> Finding:
    numbers = {
        key: min(value, _LAST_LINE) if isinstance(value, int) and value >= 1 else None for key, value in region.items()
    }
    line, end = numbers["startLine"] or 1, numbers["endLine"]
    end_line = end if end is not None and end > line else None
    return Finding(rule, severity, False, path, line, numbers["startColumn"], end_line, message, "", "", "", None)


def _dismissed(result: Json, there: str) -> bool:
    suppressions = [
        as_object(value, f"{there}.suppressions")
        for value in as_list(result.get("suppressions"), f"{there}.suppressions")
    ]
    if any(suppression.get("status", "accepted") == "accepted" for suppression in suppressions):
        return True
    return result.get("kind") in _NO_DEFECT or result.get("baselineState") == "absent"


def _level(result: Json, rule: Json, there: str) -> Severity:
    usual = as_object(rule.get("defaultConfiguration"), f"{there}: its rule's defaultConfiguration").get("level")
    level = result.get("level", usual)
    return _LEVELS.get(level, Severity.WARNING) if isinstance(level, str) else Severity.WARNING


def _message(result: Json, rule: Json, there: str) -> str:
    message = as_object(result.get("message"), f"{there}.message")
    text = as_text(message.get("text"), f"{there}.message.text") or as_text(
        message.get("markdown"), f"{there}.message.markdown"
    )
    if not text:
        strings = as_object(rule.get("messageStrings"), f"{there}: its rule's messageStrings")
        known = as_object(
            strings.get(as_text(message.get("id"), f"{there}.message.id")), f"{there}: its rule's messageStrings"
        )
        text = as_text(known.get("text"), f"{there}: its rule's messageStrings")
    for number, value in enumerate(as_list(message.get("arguments"), f"{there}.message.arguments")[:20]):
        text = text[: 10 * MOST_CHARACTERS].replace(
            f"{{{number}}}", as_text(value, f"{there}.message.arguments")[:MOST_CHARACTERS]
        )
    words = " ".join(text[: 10 * MOST_CHARACTERS].split()).encode("utf-8", "replace").decode("utf-8")
    return (words if len(words) <= MOST_CHARACTERS else words[: MOST_CHARACTERS - 1] + "…") or "no message"


def _word(value: object, where: str) -> str:
    return _ODD.sub("-", as_text(value, where)[:100]).strip("-/")
