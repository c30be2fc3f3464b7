"""Merges shards. The result is the same in any order and grouping, and equals the report of a single run."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import Finding
from plugin_eval_ci.survey.report import Past, Survey, Target, finding_order, key_of

MOST_PAST = 104  # reports in the trend: two years of weekly ones


def merge_shards(named: Sequence[tuple[str, Survey]]) -> Survey:
    """Merge several reports, each with a name for messages. Raises ``UsageError`` if they do not belong together."""
    first_name, first = named[0]
    if len(named) == 1 and not first.shards:
        return first
    for name, survey in named:
        if not survey.shards:
            raise UsageError(f"{name}: this report is complete (expected a shard, made with report --shard)")
        _check_same(first_name, first, name, survey)
    numbers: dict[int, str] = {}
    for name, survey in named:
        for shard in survey.shards:
            if shard.number in numbers:
                where = f"{numbers[shard.number]} and {name}"
                raise UsageError(f"{where} both contain shard {shard.number} of {shard.total}")
            numbers[shard.number] = name
    _check_once(named)
    surveys = [survey for _, survey in named]
    merged = first._replace(
        targets=tuple(sorted((one for survey in surveys for one in survey.targets), key=key_of)),
        findings=tuple(sorted((one for survey in surveys for one in survey.findings), key=finding_order)),
        markets=tuple(sorted(one for survey in surveys for one in survey.markets)),
        notes=tuple(sorted({note for survey in surveys for note in survey.notes})),
        shards=tuple(sorted(shard for survey in surveys for shard in survey.shards)),
    )
    complete = len(merged.shards) == merged.shards[0].total
    return complete_report(merged._replace(shards=())) if complete else merged


def _check_same(first_name: str, first: Survey, name: str, survey: Survey) -> None:
    for what, one, other in (
        ("methodology", first.methodology, survey.methodology),
        ("version", first.version, survey.version),
        ("depth", first.depth.name, survey.depth.name),
        ("date", first.date, survey.date),
        ("repository", first.name, survey.name),
        ("number of shards", str(first.shards[0].total), str(survey.shards[0].total)),
    ):
        if one != other:
            raise UsageError(f"{first_name} and {name} cannot be merged: their {what} differs ({one} and {other})")


def _check_once(named: Sequence[tuple[str, Survey]]) -> None:
    """Check that each target is in one shard only. A duplicate comes from another state of the repository."""
    known: dict[tuple[str, str, str], str] = {}
    for name, survey in named:
        keys = {(one.kind, one.path, one.name if one.kind == "plugin" else "") for one in survey.targets}
        if twice := min(keys & known.keys(), default=None):
            kind, path, _ = twice
            raise UsageError(
                f"{known[twice]} and {name} both contain the {kind} {path}: they were made from different states of the repository"
            )
        known |= dict.fromkeys(keys, name)


def complete_report(survey: Survey) -> Survey:
    """The report of all shards, with each finding assigned to its target: the document, else the innermost plugin."""
    documents = {target.path: n for n, target in enumerate(survey.targets) if target.kind != "plugin"}
    plugins: dict[str, int] = {}
    for n, target in enumerate(survey.targets):
        if target.kind == "plugin":
            plugins.setdefault(target.path, n)  # the first, if several plugins share a folder
    more: dict[int, list[Finding]] = {}
    rest: list[Finding] = []
    for finding in survey.findings:
        place = documents.get(finding.path, _innermost(finding.path, plugins))
        (more.setdefault(place, []) if place is not None else rest).append(finding)
    targets = tuple(_with(target, more.get(n, [])) for n, target in enumerate(survey.targets))
    return survey._replace(targets=targets, findings=tuple(rest))


def _innermost(path: str, plugins: dict[str, int]) -> int | None:
    folder = path
    while folder:
        if folder in plugins:
            return plugins[folder]
        folder = folder.rpartition("/")[0]
    # A plugin at the root contains everything, but findings about the repository are not about the plugin.
    return plugins.get(".") if path == "." else None


def _with(target: Target, findings: list[Finding]) -> Target:
    if not findings:
        return target
    return target._replace(findings=tuple(sorted((*target.findings, *findings), key=finding_order)))


def with_trend(survey: Survey, previous: Survey) -> Survey:
    """The report with the trend of ``previous`` and with ``previous`` as its last point. A trend of incomparable numbers ends."""
    if previous.methodology != survey.methodology or previous.depth.name != survey.depth.name:
        return survey._replace(history=())
    earlier: list[Past] = [*previous.history]
    if not previous.shards:
        earlier.append(previous.point())
    by_date = {past.date: past for past in earlier if past.date < survey.date}
    return survey._replace(history=tuple(by_date[date] for date in sorted(by_date))[-MOST_PAST:])
