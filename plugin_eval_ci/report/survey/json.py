"""A report as JSON, documented by ``schemas/report.schema.json``: one line a target, so that two reports are easy to compare.

``survey.load`` reads back only what cannot be derived; counts, means and grades are for other readers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.document import Json, json_head, rounded
from plugin_eval_ci.report.lint.json import finding_object
from plugin_eval_ci.report.needs import listing_object
from plugin_eval_ci.report.words import by_severity
from plugin_eval_ci.scoring.dimensions import BADGES, NO_BADGE, round_score
from plugin_eval_ci.survey.report import Survey, Target
from plugin_eval_ci.survey.since import Change, Since
from plugin_eval_ci.util import faults


def render(survey: Survey, since: Since | None = None) -> str:
    """The document, with a final newline."""
    return "".join(_lines(survey, since))


def _lines(survey: Survey, since: Since | None) -> Iterator[str]:
    yield "{\n"
    for key, value in _head(survey, since).items():
        yield f"{json.dumps(key)}: {_dumped(value)},\n"
    for key, rows in (
        ("history", [past._asdict() for past in survey.history]),
        ("markets", [{"path": market.path, "listing": listing_object(market.listing)} for market in survey.markets]),
        ("targets", map(_target, survey.targets)),
        ("findings", map(_finding, survey.findings)),
    ):
        written = ",\n".join(map(_dumped, rows))
        yield f'"{key}": [{written and chr(10)}{written}{written and chr(10)}],\n'
    yield f'"internal_errors": {_dumped(faults.objects())},\n'
    yield f'"notes": {_dumped(list(survey.notes))}\n}}\n'


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)  # ASCII: no character of a stranger moves a cursor


def _head(survey: Survey, since: Since | None) -> Json:
    shards = [shard.number for shard in survey.shards]
    return {
        **json_head(survey.version, survey.methodology),
        "kind": "report",
        "name": survey.name,
        "date": survey.date,
        "depth": survey.depth.name,
        "shards": {"numbers": shards, "total": survey.shards[0].total} if shards else None,
        "summary": _summary(survey),
        "since": _since(since) if since is not None else None,
    }


def _summary(survey: Survey) -> Json:
    findings = survey.everything_found
    rules = Counter(finding.rule for finding in findings)
    counted = survey.of("plugin") or survey.targets
    badges = Counter(target.badge for target in counted)
    return {
        "plugins": len(survey.of("plugin")),
        "skills": len(survey.of("skill")),
        "agents": len(survey.of("agent")),
        "unmeasured": sum(target.score is None for target in survey.targets),
        "mean": survey.mean(),
        "badges": {badge.name: badges[badge.name] for badge in (*BADGES, NO_BADGE)},
        **{f"{level.word}s": count for level, count in by_severity(findings)},
        "rules": {rule: rules[rule] for rule in sorted(rules)},
    }


def _since(since: Since) -> Json:
    return {
        "date": since.date,
        "comparable": not since.why,
        "why": since.why or None,
        "added": [_named(target) for target in since.added],
        "gone": [_named(target) for target in since.gone],
        "moved": [{**_named(change.after), "from": change.before.path} for change in since.moved],
        "better": [_change(change) for change in since.better],
        "worse": [_change(change) for change in since.worse],
        "lost": [_named(change.after) for change in since.lost],
        "new": [_finding(finding) for finding in since.new],
        "fixed": [_finding(finding) for finding in since.fixed],
    }


def _named(target: Target) -> Json:
    return {"kind": target.kind, "path": target.path, "name": target.name}


def _change(change: Change) -> Json:
    scores = {"before": change.before.score, "after": change.after.score, "difference": change.difference}
    return {**_named(change.after), **scores}


def _target(target: Target) -> Json:
    return {
        **_named(target),
        "plugin": target.plugin,
        "score": rounded(target.score),
        "grade": target.grade,
        "badge": target.badge,
        "confidence_label": target.label,
        "reason": target.reason,
        "dimensions": {name: round_score(score) for name, score in target.dimensions},
        "context_cost": None if target.cost is None else target.cost._asdict(),
        "listing": listing_object(target.listing),
        "owners": list(target.owners),
        "content": target.content,
        "findings": [_finding(finding) for finding in target.findings],
    }


def _finding(finding: Finding) -> Json:
    document = finding_object(finding)
    del document["state"]  # a report has no base
    return {**document, "content": finding.content}
