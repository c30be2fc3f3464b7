"""3.1 frontmatter_quality: the name, the description's length, and how well it says when to pick the skill."""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci import languages
from plugin_eval_ci.measure.measurement import Part, SubScore, step, sub_score, when
from plugin_eval_ci.model import Header, Skill

_LENGTHS = ((100, 0.25), (60, 0.20), (30, 0.15), (10, 0.05))
_CONTEXTS = ((3, 0.20), (1, 0.10))
_TRIGGER_SHARE = 0.60
_NEITHER = ("EMPTY_DESCRIPTION", "MISSING_TRIGGER")


def frontmatter_quality(skill: Skill) -> SubScore:
    """Name 0.15, description's length 0.25, trigger quality 0.60."""
    return sub_score("frontmatter_quality", (_name(skill), _length(skill), *_trigger_quality(skill)))


def is_invalid(header: Header) -> bool:
    """Whether the header cannot be read, or its name or description is no text. Null counts as missing."""
    if header.problem is not None:
        return True
    fields = (header.field("name"), header.field("description"))
    return any(field is not None and field.value.kind not in ("text", "null") for field in fields)


def _name(skill: Skill) -> Part:
    if is_invalid(skill.header):
        return Part(0.0, 0.15, "Repair the frontmatter: no client can read its name and description.", _NEITHER)
    declared = bool(skill.header.text("name"))
    folder = skill.directory.replace(os.sep, "/").rpartition("/")[2]
    return Part(0.15 if declared else 0.10, 0.15, f"Declare name: {folder} in the frontmatter.")


def _length(skill: Skill) -> Part:
    length = languages.weighted_length(skill.description)
    advice = f"Describe what the skill does and when, in at least 100 characters (now {length})."
    return Part(step(length, _LENGTHS), 0.25, advice, ("EMPTY_DESCRIPTION",))


def _trigger_quality(skill: Skill) -> Iterator[Part]:
    """Phrases are looked for in both texts that clients show; the length is the description's."""
    texts = [text for text in (skill.description, skill.when_to_use) if text]
    points = step(sum(languages.contexts(text) for text in texts), _CONTEXTS)
    rows = (
        when(
            any(languages.trigger(text) for text in texts),
            0.25,
            'Say in the description when to pick the skill: "Use when …".',
            ("MISSING_TRIGGER",),
        ),
        when(
            any(map(languages.has_proactive, texts)), 0.15, 'Say "proactively", if the skill is to be picked unasked.'
        ),
        when(
            any(map(languages.has_automatic, texts)),
            0.10,
            'Name what brings it in: "always use", "automatically", "invoke", "triggers".',
        ),
        Part(points, 0.20, "List the situations after the trigger phrase, at least four, separated by commas."),
        when(
            any(map(languages.has_specific_context, texts)),
            0.15,
            'Name a specific situation ("when reviewing …"), a file type or a product after the trigger phrase.',
        ),
        when(
            languages.weighted_length(skill.description) >= 40,
            0.10,
            "Give the description at least 40 characters.",
            ("EMPTY_DESCRIPTION",),
        ),
    )
    for row in rows:
        yield row._replace(points=row.points * _TRIGGER_SHARE, best=row.best * _TRIGGER_SHARE)
