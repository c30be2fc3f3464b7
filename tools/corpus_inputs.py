"""The composite at depth quick as a function of plain counts, so that one of them can be exchanged at a time."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci import languages
from plugin_eval_ci.model import Finding, Skill
from plugin_eval_ci.parse import facts
from plugin_eval_ci.scoring.dimensions import DIMENSIONS, STATIC_SUB_SCORES, clamp, penalty_of, round_score
from plugin_eval_ci.scoring.measurement import step
from plugin_eval_ci.scoring.static.frontmatter_quality import is_invalid
from plugin_eval_ci.scoring.static.layer import meaningful_lines, repetition
from plugin_eval_ci.scoring.static.structure import count_resolved, spoken_lines

_WEIGHTS = {dimension.name: dimension.weight for dimension in DIMENSIONS}


class Said(NamedTuple):
    """What a description says."""

    length: int
    trigger: bool
    proactive: bool
    automatic: bool
    contexts: int
    specific: bool


class Words(NamedTuple):
    """What a text says of inputs, outputs, other skills and choices."""

    output_format: bool
    returns: bool
    takes: bool
    conducts: bool
    related: bool
    compares: bool


class Flags(NamedTuple):
    """How many flags of each anti-pattern."""

    over_constrained: int = 0
    empty_description: int = 0
    missing_trigger: int = 0
    bloated: int = 0
    orphan: int = 0
    dead: int = 0


class Inputs(NamedTuple):
    """Everything the composite depends on."""

    name: float
    said: Said
    words: Words
    flags: Flags
    fences: int
    named_languages: int
    headings: int
    examples: bool
    troubleshooting: bool
    table: bool
    lines: int
    references: bool
    assets: bool
    directives: int
    repetition: float
    links: int


def sub_scores(given: Inputs) -> dict[str, float]:
    """The six sub-scores that feed a dimension."""
    said, words = given.said, given.words
    quality = (
        0.25 * said.trigger + 0.15 * said.proactive + 0.10 * said.automatic + 0.15 * said.specific
        + 0.10 * (said.length >= 40) + step(said.contexts, ((3, 0.20), (1, 0.10)))
    )  # fmt: skip
    percent = given.directives * 100 / max(1, given.lines)
    density = 0.4 if percent > 50 else 0.2 if percent > 20 else 0.1 if percent > 10 else 0.0
    return {
        "frontmatter_quality": clamp(
            given.name + step(said.length, ((100, 0.25), (60, 0.20), (30, 0.15), (10, 0.05))) + 0.60 * min(1.0, quality)
        ),
        "orchestration_wiring": clamp(
            0.70 + 0.10 * words.output_format + 0.05 * words.returns + 0.10 * words.takes + 0.05 * (given.fences >= 2)
            - 0.15 * words.conducts
        ),
        "progressive_disclosure": clamp(
            step(given.lines, ((801, 0.15), (601, 0.40), (200, 0.60), (100, 0.50), (0, 0.20)))
            + given.references * (0.25 if given.lines > 400 else 0.15) + given.assets * 0.15
        ),
        "structural_completeness": clamp(
            step(given.headings, ((6, 0.20), (4, 0.15), (2, 0.10)))
            + step(given.fences, ((5, 0.20), (3, 0.15), (1, 0.10)))
            + step(given.named_languages, ((3, 0.15), (2, 0.10)))
            + 0.15 * given.examples + 0.15 * given.troubleshooting + 0.10 * given.table + 0.05 * words.compares
        ),
        "token_efficiency": clamp(1 - density - 0.4 * given.repetition),
        "ecosystem_coherence": clamp(0.50 + min(0.25, 0.08 * given.links) + 0.25 * words.related),
    }  # fmt: skip


def composite(given: Inputs) -> float:
    """The composite on 0-100."""
    scores = sub_scores(given)
    rows = [(_WEIGHTS[row.dimension], scores[row.name]) for row in STATIC_SUB_SCORES if row.dimension]
    mean = sum(weight * score for weight, score in rows) / sum(weight for weight, _ in rows)
    return round_score(mean * 100 * penalty_of(sum(given.flags)))


def said_in(description: str, more: str = "") -> Said:
    """A description (and ``when_to_use``) as the package reads it."""
    texts = [text for text in (description, more) if text]
    return Said(
        languages.weighted_length(description),
        languages.says_when(description, more),
        any(map(languages.has_proactive, texts)),
        any(map(languages.has_automatic, texts)),
        sum(map(languages.contexts, texts)),
        any(map(languages.has_specific_context, texts)),
    )


def words_in(lines: list[str], conducts: bool) -> Words:
    """Lines of text as the package reads them."""
    text = "\n".join(lines)
    return Words(
        any(map(languages.documents_output_format, lines)),
        languages.says_returns(text),
        languages.says_takes(text),
        conducts,
        languages.mentions_related(text),
        languages.compares(text),
    )


def ours(skill: Skill, counted: tuple[Finding, ...]) -> Inputs:
    """The inputs as this package sees them."""
    body = skill.body
    conducts = any(prose.plain and languages.declares_orchestrator(prose.plain) for prose in body.prose)
    names = [finding.rule for finding in counted]
    order = (
        "OVER_CONSTRAINED",
        "EMPTY_DESCRIPTION",
        "MISSING_TRIGGER",
        "BLOATED_SKILL",
        "ORPHAN_REFERENCE",
        "DEAD_CROSS_REF",
    )
    return Inputs(
        0.0 if is_invalid(skill.header) else 0.15 if skill.header.text("name") else 0.10,
        said_in(skill.description, skill.when_to_use),
        words_in(spoken_lines(body), conducts),
        Flags(*(names.count(name) for name in order)),
        len(body.fences),
        len(facts.fence_languages(body)),
        len(facts.section_headings(body)),
        facts.has_examples(body),
        facts.has_troubleshooting(body),
        body.tables > 0,
        skill.source.line_count,
        bool(skill.reference_files),
        bool(skill.asset_files),
        len(facts.directive_lines(body)),
        repetition(meaningful_lines(body)),
        count_resolved(skill),
    )
