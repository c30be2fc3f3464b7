"""Shards put together: in any order and in any groups, the same report comes of them, that of one run over everything."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import Finding
from plugin_eval_ci.survey.report import Past, Survey, Target, finding_order, key_of

MOST_PAST = 104  # reports that the trend goes back: two years of weeks


def merge_shards(named: Sequence[tuple[str, Survey]]) -> Survey:
    """One report of several, each with a name for messages. Raises ``UsageError`` for reports that do not belong together."""
    first_name, first = named[0]
    if len(named) == 1 and not first.shards:
        return first
    for name, survey in named:
        if not survey.shards:
            raise UsageError(f"{name}: this report is complete: there is nothing to merge it with")
        _check_same(first_name, first, name, survey)
    numbers: dict[int, str] = {}
    for name, survey in named:
        for shard in survey.shards:
            if shard.number in numbers:
                where = f"{numbers[shard.number]} and {name}"
                raise UsageError(f"{where} both hold shard {shard.number} of {shard.total}")
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
    """Each target is in one shard only; a second one was made of another state of the repository."""
    known: dict[tuple[str, str, str], str] = {}
    for name, survey in named:
        keys = {(one.kind, one.path, one.name if one.kind == "plugin" else "") for one in survey.targets}
        if twice := min(keys & known.keys(), default=None):
            kind, path, _ = twice
            raise UsageError(
                f"{known[twice]} and {name} both hold the {kind} {path}: they show different states of the repository"
            )
        known |= dict.fromkeys(keys, name)


def complete_report(survey: Survey) -> Survey:
    """A report of all shards, with each finding at the target it is about: the document, else the innermost plugin."""
    documents = {target.path: n for n, target in enumerate(survey.targets) if target.kind != "plugin"}
    plugins: dict[str, int] = {}
    for n, target in enumerate(survey.targets):
        if target.kind == "plugin":
            plugins.setdefault(target.path, n)  # of several plugins of one folder, the first
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
    # A plugin at the root holds everything, but what is said of the repository is not said of it.
    return plugins.get(".") if path == "." else None


def _with(target: Target, findings: list[Finding]) -> Target:
    if not findings:
        return target
    return target._replace(findings=tuple(sorted((*target.findings, *findings), key=finding_order)))


def with_trend(survey: Survey, previous: Survey) -> Survey:
    """The report with the trend of an earlier one, and that one as its last point; a trend of other numbers is not continued."""
    if previous.methodology != survey.methodology or previous.depth.name != survey.depth.name:
        return survey._replace(history=())
    earlier: list[Past] = [*previous.history]
    if not previous.shards:
        earlier.append(previous.point())
    by_date = {past.date: past for past in earlier if past.date < survey.date}
    return survey._replace(history=tuple(by_date[date] for date in sorted(by_date))[-MOST_PAST:])
