"""Reads a report back from JSON: an earlier one, or a shard. It comes from an artifact, so its content is untrusted.

Unknown keys are ignored, wrong types are reported with their place, and derived values are computed again.
"""

from __future__ import annotations

import json
import re
from typing import cast

from plugin_eval_ci import SCHEMA_VERSION
from plugin_eval_ci.analysis.listing import Listing, Simulation
from plugin_eval_ci.errors import not_json
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.scoring.dimensions import DEPTHS, Depth, badge_of, grade_of, round_score
from plugin_eval_ci.survey.report import Cost, Kind, Market, Past, Shard, Survey, Target
from plugin_eval_ci.util.json_values import DamagedError, Json, as_list, as_number, as_object, as_text

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def texts(row: Json, key: str, above: str = "") -> tuple[str, ...]:
    """A list of texts; empty if absent."""
    place = f"{above}.{key}" if above else key
    return tuple(as_text(one, f"{place}[{n}]") for n, one in enumerate(as_list(row.get(key), place)))


def count(row: Json, key: str, where: str) -> int:
    """A whole number from 0 to the largest that JSON readers keep exactly; 0 if absent."""
    number = as_number(row.get(key), f"{where}.{key}") or 0
    if not 0 <= number < 1 << 53:
        raise DamagedError(f"{where}.{key} must be a whole number, 0 or more")
    return number


def score_of(value: object, where: str, most: float = 100.0) -> float | None:
    """A number from 0 to ``most``; None if absent."""
    if value is None:
        return None
    # Python reads NaN although JSON does not allow it, and 1e999 as infinity. Both are outside every range.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise DamagedError(f"{where} must be a number from 0 to {most:g}")
    return round_score(float(value))


def day(row: Json, key: str, above: str = "") -> str:
    """A date as YYYY-MM-DD."""
    written = as_text(row.get(key), f"{above}.{key}" if above else key)
    if not _DAY.fullmatch(written):
        raise DamagedError(
            f"{above}.{key} must be a date (YYYY-MM-DD)" if above else f"{key} must be a date (YYYY-MM-DD)"
        )
    return written


MAX_BYTES = 512 << 20  # enough for a hundred thousand skills
_KINDS = ("skill", "agent", "plugin")


class NewerError(DamagedError):
    """The report has a newer format than this version supports."""


def read_file(file: str) -> Survey:
    """The report in a file. Raises ``DamagedError`` if it is not a valid report, ``OSError`` if the file cannot be read."""
    with open(file, "rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise DamagedError(f"larger than {MAX_BYTES:,} bytes")
    return read_report(data)


def read_report(data: bytes) -> Survey:
    """The report in a JSON text. Raises ``DamagedError``, or ``NewerError`` for a newer version of the format."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DamagedError(not_json(error)) from error
    whole = as_object(document, "the document")
    _check_version(whole)
    if whole.get("kind") != "report":
        raise DamagedError("this is not a report")
    return _survey(whole)


def _check_version(whole: Json) -> None:
    written = as_text(whole.get("schema_version"), "schema_version")
    found = re.fullmatch(r"(\d{1,6})\.(\d{1,6})", written)
    if found is None:
        raise DamagedError(f"schema_version must have two numbers, such as {SCHEMA_VERSION}")
    if tuple(map(int, found.groups())) > tuple(map(int, SCHEMA_VERSION.split("."))):
        raise NewerError(f"format {written} is newer than the supported format {SCHEMA_VERSION}; update plugin-eval-ci")


def _survey(whole: Json) -> Survey:
    depth = _depth(as_text(whole.get("depth"), "depth"))
    return Survey(
        as_text(whole.get("name"), "name"),
        day(whole, "date"),
        depth,
        tuple(_target(one, f"targets[{n}]", depth) for n, one in enumerate(as_list(whole.get("targets"), "targets"))),
        _findings(whole, "findings"),
        texts(whole, "notes"),
        _shards(whole),
        tuple(_past(one, f"history[{n}]") for n, one in enumerate(as_list(whole.get("history"), "history"))),
        as_text(whole.get("methodology"), "methodology"),
        as_text(as_object(whole.get("tool"), "tool").get("version"), "tool.version"),
        tuple(_market(one, f"markets[{n}]") for n, one in enumerate(as_list(whole.get("markets"), "markets"))),
    )


def _depth(name: str) -> Depth:
    found = next((depth for depth in DEPTHS if depth.name == name), None)
    if found is None:
        raise DamagedError(f"depth must be one of {', '.join(depth.name for depth in DEPTHS)}")
    return found


def _shards(whole: Json) -> tuple[Shard, ...]:
    if whole.get("shards") is None:
        return ()
    part = as_object(whole.get("shards"), "shards")
    total = count(part, "total", "shards")
    numbers = [as_number(one, "shards.numbers") or 0 for one in as_list(part.get("numbers"), "shards.numbers")]
    if not numbers or len(set(numbers)) < len(numbers) or not all(1 <= number <= total for number in numbers):
        raise DamagedError(f"shards.numbers must be different numbers from 1 to {total}")
    return tuple(Shard(number, total) for number in sorted(numbers))


def _past(value: object, where: str) -> Past:
    row = as_object(value, where)
    counts = (count(row, key, where) for key in ("plugins", "skills", "findings"))
    return Past(day(row, "date", where), score_of(row.get("mean"), f"{where}.mean"), *counts)


def _market(value: object, where: str) -> Market:
    row = as_object(value, where)
    listing = _listing(row.get("listing"), f"{where}.listing")
    if listing is None:
        raise DamagedError(f"{where}.listing is missing")
    return Market(as_text(row.get("path"), f"{where}.path"), listing)


def _target(value: object, where: str, depth: Depth) -> Target:
    row = as_object(value, where)
    kind = as_text(row.get("kind"), f"{where}.kind")
    if kind not in _KINDS:
        raise DamagedError(f"{where}.kind must be one of {', '.join(_KINDS)}")
    score = score_of(row.get("score"), f"{where}.score")
    plugin = row.get("plugin")
    return Target(
        cast(Kind, kind),
        as_text(row.get("path"), f"{where}.path"),
        as_text(row.get("name"), f"{where}.name"),
        None if plugin is None else as_text(plugin, f"{where}.plugin"),
        score,
        None if score is None else grade_of(score),
        None if score is None else badge_of(score).name,
        depth.label,
        None if score is not None else as_text(row.get("reason"), f"{where}.reason"),
        _dimensions(row, f"{where}.dimensions"),
        _cost(row, f"{where}.context_cost"),
        _listing(row.get("listing"), f"{where}.listing"),
        texts(row, "owners", where),
        _findings(row, "findings", where),
        as_text(row.get("content"), f"{where}.content"),
    )


def _dimensions(row: Json, where: str) -> tuple[tuple[str, float], ...]:
    scores = as_object(row.get("dimensions"), where)
    found = ((name, score_of(value, f"{where}.{name}", 1.0)) for name, value in scores.items())
    return tuple((name, score) for name, score in found if score is not None)


def _cost(row: Json, where: str) -> Cost | None:
    if row.get("context_cost") is None:
        return None
    cost = as_object(row["context_cost"], where)
    return Cost(*(count(cost, key, where) for key in Cost._fields))


def _listing(value: object, where: str) -> Listing | None:
    if value is None:
        return None
    row = as_object(value, where)
    used = count(row, "characters", where)
    budgets = []
    for n, one in enumerate(as_list(row.get("budgets"), f"{where}.budgets")):
        budget = as_object(one, f"{where}.budgets[{n}]")
        place = f"{where}.budgets[{n}]"
        simulation = Simulation(used, count(budget, "characters", place), (), texts(budget, "dropped", place))
        budgets.append((count(budget, "context", place), simulation))
    if not budgets:
        raise DamagedError(f"{where}.budgets is empty")
    return Listing(count(row, "skills", where), used, count(row, "tokens", where), tuple(budgets))


def _findings(row: Json, key: str, above: str = "") -> tuple[Finding, ...]:
    place = f"{above}.{key}" if above else key
    return tuple(_finding(one, f"{place}[{n}]") for n, one in enumerate(as_list(row.get(key), place)))


def _finding(value: object, where: str) -> Finding:
    row = as_object(value, where)
    word = as_text(row.get("severity"), f"{where}.severity").upper()
    if word not in Severity.__members__:
        raise DamagedError(f"{where}.severity must be error, warning or notice")
    return Finding(
        as_text(row.get("rule"), f"{where}.rule"),
        Severity[word],
        row.get("anti_pattern") is True,
        as_text(row.get("path"), f"{where}.path"),
        max(1, count(row, "line", where)),
        as_number(row.get("column"), f"{where}.column"),
        as_number(row.get("end_line"), f"{where}.end_line"),
        as_text(row.get("message"), f"{where}.message"),
        as_text(row.get("fix"), f"{where}.fix"),
        as_text(row.get("target"), f"{where}.target"),
        as_text(row.get("fingerprint"), f"{where}.fingerprint"),
        None,
        as_text(row.get("content"), f"{where}.content"),
    )
