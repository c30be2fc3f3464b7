"""3.1 frontmatter_quality: the name, the description's length, and how well it says when to pick the skill."""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci import languages
from plugin_eval_ci.model import Header, Problem, Skill
from plugin_eval_ci.parse.facts import is_picked_by_description
from plugin_eval_ci.scoring.measurement import Part, Rank, SubScore, part_if, step, sub_score

_LENGTHS = ((100, 0.25), (60, 0.20), (30, 0.15), (10, 0.05))
_ENOUGH = 40  # characters, for trigger quality
_CONTEXTS = ((3, 0.20), (1, 0.10))
_TRIGGER_SHARE = 0.60
_READABLE = ("text", "null")
_DESCRIBE = "description"
_TRIGGER = "trigger"


def frontmatter_quality(skill: Skill) -> SubScore:
    """Name 0.15, description's length 0.25, trigger quality 0.60."""
    described = (_length(skill), *_trigger_quality(skill))
    if not _description_is_read(skill.header):
        described = tuple(part._replace(advice="", edit="") for part in described)  # unknown what it lacks
    return sub_score("frontmatter_quality", (_name(skill), *described))


def is_invalid(header: Header) -> bool:
    """Whether the header cannot be read, or its name or description is not text. Null counts as missing."""
    return header.problem is not None or not (_is_text(header, "name") and _is_text(header, "description"))


def repair(problem: Problem) -> str:
    """The advice about a header that cannot be read, with the fix of the finding."""
    return f"Fix the frontmatter, which no client can read: {problem.message}. {problem.fix}"


def _is_text(header: Header, key: str) -> bool:
    field = header.field(key)
    return field is None or field.value.kind in _READABLE


def _description_is_read(header: Header) -> bool:
    return header.problem is None and _is_text(header, "description")


def _name(skill: Skill) -> Part:
    header = skill.header
    if header.problem is not None:
        unknown = "The points are for the name alone; points for the description are unknown until it can be read."
        return Part(0.0, 0.15, f"{repair(header.problem)} {unknown}", rank=Rank.FIRST, line=header.problem.line)
    if is_invalid(header):
        return _wrong_type_part(header)
    declared = bool(header.text("name"))
    folder = skill.directory.replace(os.sep, "/").rpartition("/")[2]
    return Part(
        0.15 if declared else 0.10, 0.15, f"Declare name: {folder} in the frontmatter.", line=header.line("name")
    )


def _wrong_type_part(header: Header) -> Part:
    """A name or a description that is a list, a number or the like: the header counts as invalid."""
    keys = [key for key in ("name", "description") if not _is_text(header, key)]
    advice = f"Fix the frontmatter: write {' and '.join(keys)} as quoted text."
    if "description" in keys:
        advice += " The points are for the name alone; points for the description are unknown until it is text."
    return Part(0.0, 0.15, advice, rank=Rank.FIRST, line=header.line(keys[0]))


def _length(skill: Skill) -> Part:
    length = languages.weighted_length(skill.description)
    rank = Rank.PLAIN
    if not length:
        advice = 'Write a description: what the skill does and, after "Use when", the situations (100 characters score most).'
    elif length < _ENOUGH:
        advice = f"Describe what the skill does and when (now {length} characters; 100 or more score most)."
    else:
        rank = Rank.IF_MEANT
        advice = f"If the description leaves something out, add it (now {length} characters; 100 score most)."
    part = Part(step(length, _LENGTHS), 0.25, advice, ("EMPTY_DESCRIPTION",), rank, _DESCRIBE)
    return _in_description(skill, part)


def _trigger_quality(skill: Skill) -> Iterator[Part]:
    """Phrases are looked for in both texts that clients show; the length is the description's."""
    texts = [text for text in (skill.description, skill.when_to_use) if text]
    triggered = languages.says_when(skill.description, skill.when_to_use)
    # Without a trigger phrase, or without any text, the situations are part of the sentence to be written.
    edit = "" if triggered else _TRIGGER if texts else _DESCRIBE
    rows = (
        part_if(
            triggered,
            0.25,
            'Say in the description when to pick the skill: "Use when …" and the situations (four score most).',
            ("MISSING_TRIGGER",),
            edit=edit,
        ),
        *_words(texts),
        Part(
            step(sum(map(languages.contexts, texts)), _CONTEXTS),
            0.20,
            "List more of the situations after the trigger phrase, separated by commas (four score most).",
            edit=edit,
        ),
        part_if(
            any(map(languages.has_specific_context, texts)),
            0.15,
            'Name a specific situation ("when reviewing …"), a file type or a product after the trigger phrase.',
            edit=edit,
        ),
        part_if(
            languages.weighted_length(skill.description) >= _ENOUGH, 0.10, "", ("EMPTY_DESCRIPTION",), edit=_DESCRIBE
        ),
    )
    for row in rows if is_picked_by_description(skill) else map(_conditional_advice, rows):
        points, best = row.points * _TRIGGER_SHARE, row.best * _TRIGGER_SHARE
        yield _in_description(skill, row._replace(points=points, best=best))


def _conditional_advice(row: Part) -> Part:
    """The advice for a skill that only its user starts, or only files: it may well be right as it is."""
    if not row.advice:
        return row
    words = row.advice.removeprefix("If ")
    why = "If a model should pick it by its description, which its frontmatter now prevents"
    return row._replace(advice=f"{why}{', and if ' if words != row.advice else ': '}{words}", rank=Rank.IF_MEANT)


def _words(texts: list[str]) -> Iterator[Part]:
    """Words that promise something: right only for a skill that keeps the promise."""
    yield part_if(
        any(map(languages.has_proactive, texts)),
        0.15,
        'If clients should pick the skill unprompted, say "proactively" in the description.',
        rank=Rank.IF_MEANT,
    )
    yield part_if(
        any(map(languages.has_automatic, texts)),
        0.10,
        'If it should run automatically, say so in the description ("always use", "automatically", "triggers").',
        rank=Rank.IF_MEANT,
    )


def _in_description(skill: Skill, part: Part) -> Part:
    return part._replace(line=skill.header.line("description"))
