"""Reads the report of a pull request from JSON. Sizes are limited, and errors name the place."""

from __future__ import annotations

import json
import re
from typing import NoReturn, TypeVar

from plugin_eval_ci.analysis.host_needs import HostNeeds
from plugin_eval_ci.analysis.listing import Listing, Simulation
from plugin_eval_ci.diff.values import Difference, PluginChange, Row, Side, Status
from plugin_eval_ci.errors import UsageError, not_json
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.scoring.context_cost import ContextCost
from plugin_eval_ci.scoring.dimensions import NO_BADGE, badge_of, grade_of
from plugin_eval_ci.util.json_values import DamagedError, Json, as_list, as_number, as_object, as_text

MOST_CHARACTERS = 2_000  # of each text; the rest is cut
MOST_FINDINGS = 25_000  # in each list
MOST_WORDS = 200
MOST_NUMBER = 10**12
COMMIT = re.compile(r"[0-9a-f]{40,64}", re.ASCII)
_RULE = re.compile(r"[A-Z][A-Z0-9_]{0,63}|[A-Za-z0-9._+-]{1,64}/[^\s]{1,128}", re.ASCII)
_WORDS = {severity.word: severity for severity in Severity}
_NEEDS = HostNeeds._fields
Word = TypeVar("Word", bound=str)


def text(value: object, where: str) -> str:
    """A text, cut at a length that no real report reaches. Empty if absent."""
    said = as_text(value, where)
    return said if len(said) <= MOST_CHARACTERS else said[: MOST_CHARACTERS - 1] + "…"


def whole(value: object, where: str, least: int = 0) -> int:
    """A whole number; ``least`` if absent."""
    number = as_number(value, where)
    if number is None:
        return least
    if not least <= number <= MOST_NUMBER:
        raise DamagedError(f"{where} must be a whole number from {least} to {MOST_NUMBER}")
    return number


def one_of(value: object, words: tuple[Word, ...], where: str) -> Word:
    """One of ``words``."""
    for word in words:
        if value == word:
            return word
    raise DamagedError(f"{where} must be one of {', '.join(words)}")


def lines(value: object, where: str) -> tuple[int, int]:
    """Lines added and removed."""
    counts = as_object(value, where)
    return whole(counts.get("added"), f"{where}.added"), whole(counts.get("removed"), f"{where}.removed")


def read_side(value: object, where: str) -> Side | None:
    """One side. Grade and badge are derived from the score again, so the file cannot claim better ones."""
    if value is None:
        return None
    state = as_object(value, where)
    score = _score(state.get("score"), f"{where}.score")
    badge = NO_BADGE if score is None else badge_of(score)
    grade = None if score is None else grade_of(score)
    cost = _cost(state.get("context_cost"), f"{where}.context_cost")
    return Side(score, grade, badge.name, cost, needs(state.get("host"), f"{where}.host"))


def _score(value: object, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        raise DamagedError(f"{where} must be a number from 0 to 100, or null")
    return float(value)


def _cost(value: object, where: str) -> ContextCost | None:
    if value is None:
        return None
    cost = as_object(value, where)
    installed, activated, bundle = (
        whole(cost.get(key), f"{where}.{key}") for key in ("installed", "activated", "bundle")
    )
    return ContextCost(installed, activated, bundle, 0)


def needs(value: object, where: str) -> HostNeeds | None:
    """The requirements for the host."""
    if value is None:
        return None
    kinds = as_object(value, where)
    return HostNeeds(*(_words(kinds.get(key), f"{where}.{key}") for key in _NEEDS))


def _words(value: object, where: str) -> tuple[str, ...]:
    return tuple(text(word, f"{where}[{n}]") for n, word in enumerate(as_list(value, where)[:MOST_WORDS]))


def read_listing(value: object, where: str) -> Listing | None:
    """The skill listing of a plugin. The file does not contain the names of the kept descriptions."""
    if value is None:
        return None
    listed = as_object(value, where)
    skills, characters, tokens = (
        whole(listed.get(key), f"{where}.{key}") for key in ("skills", "characters", "tokens")
    )
    budgets = []
    for number, one in enumerate(as_list(listed.get("budgets"), f"{where}.budgets")[:10]):
        there = f"{where}.budgets[{number}]"
        budget = as_object(one, there)
        dropped = _words(budget.get("dropped"), f"{there}.dropped")
        most = whole(budget.get("characters"), f"{there}.characters")
        budgets.append((whole(budget.get("context"), f"{there}.context"), Simulation(characters, most, (), dropped)))
    return Listing(skills, characters, tokens, tuple(budgets))


def findings(value: object, where: str) -> tuple[Finding, ...]:
    """A list of findings."""
    values = as_list(value, where)
    if len(values) > MOST_FINDINGS:
        raise DamagedError(f"{where} has more than {MOST_FINDINGS:,} findings")
    return tuple(_finding(one, f"{where}[{number}]") for number, one in enumerate(values))


def _finding(value: object, where: str) -> Finding:
    finding = as_object(value, where)
    rule = finding.get("rule")
    if not isinstance(rule, str) or not _RULE.fullmatch(rule):
        raise DamagedError(f"{where}.rule must be the name of a rule")
    severity = one_of(finding.get("severity"), tuple(_WORDS), f"{where}.severity")
    return Finding(
        rule,
        _WORDS[severity],
        finding.get("anti_pattern") is True,
        text(finding.get("path"), f"{where}.path"),
        whole(finding.get("line"), f"{where}.line", 1),
        None,
        None,
        text(finding.get("message"), f"{where}.message"),
        text(finding.get("fix"), f"{where}.fix"),
        text(finding.get("target"), f"{where}.target"),
        text(finding.get("fingerprint"), f"{where}.fingerprint"),
        None,
    )


MOST_BYTES = 32 * 1024 * 1024
MOST_ROWS = 20_000
MOST_NOTES = 20
_STATUSES: tuple[Status, ...] = ("added", "removed", "renamed", "changed", "present")
_VERSION = re.compile(r"1\.\d{1,4}", re.ASCII)
_METHODOLOGY = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+/-]{0,40}", re.ASCII)


def read_difference(data: bytes, name: str) -> Difference:
    """The difference in ``data``. Raises ``UsageError`` with ``name`` and the place if it is not valid."""
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
        raise DamagedError(not_json(error)) from None
    version = document.get("schema_version")
    if not isinstance(version, str) or not _VERSION.fullmatch(version) or "changed" not in document:
        raise DamagedError(
            "not a report that this version can read (expected the output of plugin-eval diff --format json)"
        )
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
        raise DamagedError(f"{key} has more than {MOST_ROWS:,} entries")
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
        read_side(row.get("before"), f"{where}.before"),
        read_side(row.get("after"), f"{where}.after"),
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
        read_listing(lists.get("before"), f"{where}.listing.before"),
        read_listing(lists.get("after"), f"{where}.listing.after"),
        (more, less),
    )
