"""The reference skills of ``certify --rate``, and the rating among them."""

from __future__ import annotations

import os
from typing import NamedTuple

from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.commands.model_options import RatingOptions
from plugin_eval_ci.config import Config
from plugin_eval_ci.evals.layers.pairwise_tasks import Contender
from plugin_eval_ci.evals.layers.rating import TASKS, rate
from plugin_eval_ci.evals.llm.request import Ask
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring import corpus_index
from plugin_eval_ci.scoring.corpus_index import Entry, Subject
from plugin_eval_ci.scoring.measurement import Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults


class ReferenceSet(NamedTuple):
    """A skill and its references. ``problem`` says why it has none."""

    subject: Contender
    references: tuple[Contender, ...]
    problem: str = ""

    @property
    def calls(self) -> int:
        """Number of calls of a rating if each succeeds."""
        count = len(self.references)
        return (1 + count) + TASKS * (1 + count) + 2 * TASKS * count + 4 * TASKS * count if count else 0


def field_of(skill: Skill, wanted: RatingOptions) -> ReferenceSet:
    """The references of a skill. Raises ``UsageError`` if the index is missing."""
    entries = corpus_index.read_index(wanted.corpus_dir)
    found = corpus_index.choose(entries, _subject(skill, entries, wanted), wanted.corpus_dir)
    for note in found.notes:
        say(note)
    references = (contender_at(file, entry.path) for entry, file in found.chosen)
    return ReferenceSet(contender_of(skill), tuple(one for one in references if one is not None), found.problem)


async def with_rating(asked: ModelResults, field: ReferenceSet, ask: Ask) -> ModelResults:
    """``asked`` with the rating, or with the reason for having none. Raises what ``ask`` raises."""
    if field.problem:
        return asked._replace(unrated=field.problem)
    found = await rate(field.subject, field.references, ask)
    if isinstance(found, Unmeasured):
        return asked._replace(unrated=found.reason)
    return asked._replace(rating=found)


def contender_of(skill: Skill) -> Contender:
    """A skill as a contender. Its key differs from those of references, which are paths in an index."""
    return Contender(f"this: {skill.source.path}", skill.name, skill.description, skill.source.text)


def contender_at(file: str, key: str) -> Contender | None:
    """The skill in a SKILL.md; None if the file no longer holds one."""
    skills = evaluate((file,), Config()).collection.skills
    return Contender(key, skills[0].name, skills[0].description, skills[0].source.text) if len(skills) == 1 else None


def _subject(skill: Skill, entries: tuple[Entry, ...], wanted: RatingOptions) -> Subject:
    """The skill with its category: as named, else as indexed, else the name of its plugin."""
    file = os.path.realpath(skill.source.file)
    digest = corpus_index.digest_of(file) or ""
    listed = [
        entry.category
        for entry in entries
        if entry.sha256 == digest or os.path.realpath(os.path.join(wanted.corpus_dir, entry.path)) == file
    ]
    category = wanted.category if wanted.category is not None else listed[0] if listed else None
    if category is None:
        category = os.path.basename(skill.plugin) if skill.plugin else ""
    return Subject(file, skill.name, category, corpus_index.size_of(skill.source.text), digest)
