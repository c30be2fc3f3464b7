"""The static layer: facts and findings of one skill or agent to a ``Measurement``; no model, no clock."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import fsum

from plugin_eval_ci import languages
from plugin_eval_ci.model import Agent, Body, Document, Finding, Skill
from plugin_eval_ci.parse.facts import directive_lines
from plugin_eval_ci.scoring.dimensions import STATIC_SUB_SCORES, clamp, penalty_of
from plugin_eval_ci.scoring.measurement import (
    DimensionValue,
    Measurement,
    Part,
    Rank,
    SubScore,
    Unmeasured,
    part_if,
    sub_score,
)
from plugin_eval_ci.scoring.static.frontmatter_quality import frontmatter_quality, repair
from plugin_eval_ci.scoring.static.structure import (
    MOVE_DETAIL,
    ecosystem_coherence,
    orchestration_wiring,
    progressive_disclosure,
    structural_completeness,
)

LAYER = "static"


def static_skill(skill: Skill, findings: Sequence[Finding]) -> Measurement | Unmeasured:
    """The static layer of a skill; ``findings`` are that skill's, those that another one subsumes included."""
    if (reason := unreadable(skill)) is not None:
        return Unmeasured(LAYER, reason)
    scores = (
        frontmatter_quality(skill),
        orchestration_wiring(skill),
        progressive_disclosure(skill),
        structural_completeness(skill),
        token_efficiency(skill),
        ecosystem_coherence(skill),
        harness_portability(findings),
    )
    flags = tuple(finding.rule for finding in anti_patterns(findings))
    return Measurement(LAYER, layer_score(scores, len(flags)), scores, _dimensions(scores), flags)


def unreadable(document: Document) -> str | None:
    """Why a document cannot be measured, or None."""
    problem = document.source.problem
    return f"{document.source.path}: {problem.message}" if problem is not None and not document.source.text else None


def layer_score(scores: Sequence[SubScore], flags: int) -> float:
    """Weighted sub-scores times the penalty."""
    by_name = {score.name: score.score for score in scores}
    return clamp(fsum(row.weight * by_name[row.name] for row in STATIC_SUB_SCORES) * penalty_of(flags))


def _dimensions(scores: Sequence[SubScore]) -> tuple[DimensionValue, ...]:
    by_name = {score.name: score.score for score in scores}
    return tuple(DimensionValue(row.dimension, by_name[row.name]) for row in STATIC_SUB_SCORES if row.dimension)


def anti_patterns(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that the methodology counts, one per distinct target."""
    counted = {
        (finding.path, finding.rule, finding.target): finding for finding in reversed(findings) if finding.anti_pattern
    }
    return tuple(
        finding for finding in findings if counted.get((finding.path, finding.rule, finding.target)) is finding
    )


def portability(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings of section 5: they have a weight but are not anti-patterns."""
    return (finding for finding in findings if finding.weight is not None and not finding.anti_pattern)


def harness_portability(findings: Sequence[Finding]) -> SubScore:
    """3.7: 1 less the severities of the portability findings."""
    parts = (
        Part(
            -(finding.weight or 0.0),
            0.0,
            f"{finding.rule}: {finding.message}. {finding.fix}",
            edit=MOVE_DETAIL if finding.rule == "SKILL_OVER_CODEX_CAP" else "",
            line=finding.line,
        )
        for finding in portability(findings)
    )
    return sub_score("harness_portability", (Part(1.0, 1.0), *parts))


def static_agent(agent: Agent, findings: Sequence[Finding]) -> Measurement | Unmeasured:
    """3.8: the static layer of an agent, which feeds no dimension."""
    if (reason := unreadable(agent)) is not None:
        return Unmeasured(LAYER, reason)
    score = agent_quality(agent)
    flags = tuple(finding.rule for finding in anti_patterns(findings))
    return Measurement(LAYER, clamp(score.score * penalty_of(len(flags))), (score,), (), flags)


def agent_quality(agent: Agent) -> SubScore:
    """0.50 to begin with; when to use it, its tools, its description and its model add."""
    length = len(agent.description)
    line = agent.header.line("description")
    rows = (
        part_if(
            languages.has_agent_proactive(agent.description),
            0.20,
            'If clients should pick the agent unprompted, say "use proactively" in the description.',
            rank=Rank.IF_MEANT,
            line=line,
        ),
        part_if(restricts_tools(agent), 0.10, "Restrict the agent to the tools it needs (tools:).", line=1),
        Part(
            0.10 if length >= 40 else 0.05 if length >= 20 else 0.0,
            0.10,
            f"Describe what the agent does, in at least 40 characters (now {length}).",
            edit="agent description",
            line=line,
        ),
        part_if(bool(agent.header.text("model")), 0.10, "Name the agent's model (model:).", line=1),
    )
    problem = agent.header.problem
    if problem is None:
        return sub_score("agent_quality", (Part(0.50, 0.50), *rows))
    unread = "The points are unknown until clients can read description, tools and model."
    unreadable_header = Part(0.0, 0.0, f"{repair(problem)} {unread}", rank=Rank.FIRST, line=problem.line)
    return sub_score("agent_quality", (Part(0.50, 0.50), unreadable_header, *(row._replace(advice="") for row in rows)))


def restricts_tools(agent: Agent) -> bool:
    """Whether ``tools`` or ``disallowedTools`` names any; ``*`` restricts nothing."""
    for key in ("tools", "disallowedTools"):
        field = agent.header.field(key)
        if field is None:
            continue
        if field.value.kind == "list":
            names = [item.text.strip() for item in field.value.items]
        else:
            names = [field.value.text.strip()] if field.value.kind == "text" else []
        if any(name and name != "*" for name in names):
            return True
    return False


_NOT_WORDS = re.compile(r"[^\w\s]|_")
_DIGITS = re.compile(r"\d+")
_DENSITY = ((50, 0.4), (20, 0.2), (10, 0.1))  # per cent of the lines, to be exceeded
_REPETITION = 0.4


def token_efficiency(skill: Skill) -> SubScore:
    """1 less what dense directives and repeated lines cost."""
    directives = directive_lines(skill.body)
    count = len(directives)
    lines = max(1, skill.source.line_count)
    rows = _numbered(skill.body)
    repeated = repetition([form for _, form in rows])
    return sub_score(
        "token_efficiency",
        (
            Part(1.0, 1.0),
            Part(
                -next((cost for percent, cost in _DENSITY if count * 100 > percent * lines), 0.0),
                0.0,
                f"Replace MUST, NEVER and ALWAYS with reasons ({count} in {lines} lines; one in ten costs nothing).",
                ("OVER_CONSTRAINED",),
                edit="directives",
                line=min(directives, default=None),
            ),
            Part(
                -_REPETITION * repeated,
                0.0,
                f"Remove repeated lines, starting with this one ({repeated:.0%} of the lines repeat another one).",
                edit="repetition",
                line=_first_repeated(rows),
            ),
        ),
    )


def repetition(lines: list[str]) -> float:
    """The share of the lines, as ``meaningful_lines`` gives them, that repeat another one."""
    return 1 - len(set(lines)) / len(lines) if lines else 0.0


def _first_repeated(rows: list[tuple[int, str]]) -> int | None:
    seen: set[str] = set()
    for number, form in rows:
        if form in seen:
            return number
        seen.add(form)
    return None


def meaningful_lines(body: Body) -> list[str]:
    """The body's lines that hold a letter or a digit, without fence markers, in the form they are compared in."""
    return [form for _, form in _numbered(body)]


def _numbered(body: Body) -> list[tuple[int, str]]:
    """Those lines with their numbers: lower case, no punctuation, one blank between words, every run of digits as one digit."""
    markers = {fence.line for fence in body.fences} | {fence.end_line for fence in body.fences if fence.closed}
    text = _DIGITS.sub("0", _NOT_WORDS.sub("", body.text.lower()))
    rows = ((number, " ".join(row.split())) for number, row in enumerate(text.split("\n"), body.first_line))
    return [(number, form) for number, form in rows if form and number not in markers]
