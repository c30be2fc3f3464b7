"""Wording that the formats of a report share."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.lint.causes import Cause, causes_of
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.badge import badge_of_survey
from plugin_eval_ci.report.words import many, severities
from plugin_eval_ci.survey.report import Survey, Target
from plugin_eval_ci.survey.since import Since


def clip(text: str, most: int = 160) -> str:
    """Text from outside, cut to ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def count_targets(survey: Survey) -> str:
    """``3 plugins, 8 skills, 1 agent``."""
    kinds = (("plugin", survey.of("plugin")), ("skill", survey.of("skill")), ("agent", survey.of("agent")))
    return ", ".join(many(len(some), kind) for kind, some in kinds if some) or "nothing"


def verdict(survey: Survey) -> str:
    """The badge of the repository and the number of targets."""
    return f"{badge_of_survey(survey).message} · {count_targets(survey)}"


def partly(survey: Survey) -> str:
    """What an incomplete report lacks; empty for a complete one."""
    if not survey.shards:
        return ""
    total = survey.shards[0].total
    have = {shard.number for shard in survey.shards}
    missing = [str(number) for number in range(1, total + 1) if number not in have]
    shown = ", ".join(missing[:20]) + (" …" if len(missing) > 20 else "")
    said = f"incomplete: {len(have)} of {many(total, 'shard')}"
    return f"{said}; missing: {shown}" if missing else said


def change_sentence(since: Since | None) -> str:
    """One sentence on what changed since the earlier report."""
    if since is None:
        return "This is the first report."
    if since.why:
        return f"Scores are not compared with those of {since.date}: {since.why}."
    parts = [
        (len(since.better), "better"),
        (len(since.worse), "worse"),
        (len(since.added), "new"),
        (len(since.gone), "gone"),
        (len(since.lost), "no longer measured"),
    ]
    said = ", ".join(f"{count:,} {word}" for count, word in parts if count)
    found = f"{many(len(since.new), 'new finding')}, {len(since.fixed):,} fixed"
    return f"Since {since.date}: {said or 'no score changed'}; {found}."


def count_findings(survey: Survey) -> str:
    """``2 errors, 1 notice``, everywhere."""
    return severities(survey.everything_found) or "no findings"


def causes(survey: Survey, findings: Sequence[Finding], most: int = 500) -> list[Cause]:
    """The first ``most`` causes of ``findings``; those in identical copies of a skill are counted, not listed."""
    contents = {target.path.removesuffix("/SKILL.md"): target.content for target in survey.targets if target.content}
    return causes_of(findings, contents)[:most]


def by_rule(findings: Sequence[Finding]) -> list[tuple[str, Severity, int, int]]:
    """Each rule with its worst severity, the number of its findings and of the files they are in; the most severe first."""
    rows: dict[str, list[Finding]] = {}
    for finding in findings:
        rows.setdefault(finding.rule, []).append(finding)
    table = [
        (rule, max(f.severity for f in some), len(some), len({f.path for f in some})) for rule, some in rows.items()
    ]
    return sorted(table, key=lambda row: (-row[1], -row[2], row[0]))


def members(survey: Survey) -> dict[str, list[Target]]:
    """The measured skills and agents by the folder of their plugin, the worst first."""
    found: dict[str, list[Target]] = {}
    for target in sorted(survey.targets, key=lambda one: (one.score or 0.0, one.path)):
        if target.plugin is not None and target.score is not None:
            found.setdefault(target.plugin, []).append(target)
    return found


def listing_words(listing: Listing) -> str:
    """The space that skills take in the listing, in the smallest context window."""
    window, simulation = listing.budgets[0]
    lost = len(simulation.dropped)
    more = f"; {many(lost, 'skill')} would lose their description" if lost else ""
    return (
        f"{many(listing.skills, 'skill')}, {simulation.used:,} of {simulation.budget:,} characters"
        f" in a {window:,}-token context{more}"
    )
