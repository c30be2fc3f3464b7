"""Skills judged by models on the same tasks: the rating of ``certify --rate`` among references, and the two skills of ``compare``."""

from __future__ import annotations

import os
from typing import NamedTuple

from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.commands.model_layers import estimate_text, options_of, run_asking
from plugin_eval_ci.commands.model_options import ModelOptions, RatingOptions
from plugin_eval_ci.config import Config
from plugin_eval_ci.evals.layers.pairwise_tasks import Contender
from plugin_eval_ci.evals.layers.rating import PAIR_TASKS, TASKS, pair, rate
from plugin_eval_ci.evals.llm.anthropic import Options, open_ask, problem_of
from plugin_eval_ci.evals.llm.request import Ask
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring import corpus_index
from plugin_eval_ci.scoring.corpus_index import Entry, Subject
from plugin_eval_ci.scoring.measurement import Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults, PairResult
from plugin_eval_ci.scoring.spending import Estimate


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
    """The references of a skill. Raises ``UsageError`` if there is no index."""
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


class PairOutcome(NamedTuple):
    """The comparison, or None and a ``reason``. ``code``: 3 if not compared, 130 if interrupted, else 0."""

    paired: PairResult | None
    reason: str = ""
    code: int = 0


def pairwise_outcome(first: Skill, second: Skill, asking: ModelOptions, config: Config) -> PairOutcome:
    """Compare both on the same tasks. Raises ``MeasurementError`` if no call can succeed."""
    options = options_of(asking, config)
    if why := problem_of(options):
        return PairOutcome(None, why, 3)
    found, _, interrupted = _run(first, second, options)
    if isinstance(found, Unmeasured):
        return PairOutcome(None, found.reason, 130 if interrupted else 3)
    return PairOutcome(found, "", 130 if interrupted else 0)


def pairing_estimate(first: Skill, second: Skill, asking: ModelOptions, config: Config) -> str:
    """The estimate of the calls, in words. Nothing is sent."""
    return estimate_text(_run(first, second, options_of(asking, config))[1], "both on the same tasks")


def _run(first: Skill, second: Skill, options: Options) -> tuple[PairResult | Unmeasured, Estimate, bool]:
    a, b = contender_of(first), contender_of(second)
    if a.key == b.key:  # from two repositories
        a, b = a._replace(key=f"A {a.key}"), b._replace(key=f"B {b.key}")

    async def main() -> tuple[PairResult | Unmeasured, Estimate, bool]:
        async with open_ask(options) as client:
            client.expect(2 + 8 * PAIR_TASKS)
            return await pair(a, b, client.ask), client.stale(), client.interrupted

    return run_asking(main)
