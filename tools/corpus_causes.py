"""From our inputs to the older tool's, one named cause at a time: steps that add up to the whole difference.

The order matters where causes meet; it goes from the file's outside (frontmatter) to single words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import corpus_older
from corpus_inputs import Inputs, composite, said_in, words_in

from plugin_eval_ci import languages
from plugin_eval_ci.model import Skill


class Case(NamedTuple):
    """A skill and how the older tool sees it."""

    skill: Skill
    older: Inputs


class Effect(NamedTuple):
    """A cause and what it moves the composite by, from ours towards the older tool's."""

    cause: str
    points: float


class Difference(NamedTuple):
    """One target, both composites, and the causes; ``left`` is what they leave unexplained."""

    path: str
    kind: str
    ours: float | None
    theirs: float
    badges: tuple[str, str]
    sub_scores: dict[str, tuple[float, float]]
    causes: list[Effect]
    left: float


Step = Callable[[Inputs, Case], Inputs]


def attribute(ours: Inputs, case: Case) -> tuple[list[Effect], float]:
    """The causes that move the composite, and the composite that results when all of them are applied."""
    effects, now = [], ours
    for name, step in CAUSES:
        before, now = composite(now), step(now, case)
        if abs(moved := composite(now) - before) > 1e-9:
            effects.append(Effect(name, moved))
    return effects, composite(now)


def _flags(now: Inputs, **counts: int) -> Inputs:
    return now._replace(flags=now.flags._replace(**counts))


def _invalid(now: Inputs, case: Case) -> Inputs:
    """What we call invalid frontmatter it reads as an empty one, or reads all the same."""
    if now.name:
        return now
    seen = corpus_older.description(case.skill.source.text)
    later = now._replace(name=0.10, said=said_in(seen))
    return _flags(later, empty_description=_short(later), missing_trigger=_no_trigger(later, case))


def _dashes(now: Inputs, case: Case) -> Inputs:
    seen = corpus_older.description(case.skill.source.text)
    if " ".join(seen.split()) == " ".join(case.skill.description.split()) or case.skill.header.problem is not None:
        return now
    later = now._replace(said=said_in(seen))
    return _flags(later, empty_description=_short(later), missing_trigger=_no_trigger(later, case))


def _when_to_use(now: Inputs, case: Case) -> Inputs:
    if not case.skill.when_to_use:
        return now
    later = now._replace(said=said_in(corpus_older.description(case.skill.source.text)))
    return _flags(later, missing_trigger=_no_trigger(later, case))


def _short(now: Inputs) -> int:
    return int(now.said.length < 20)


def _no_trigger(now: Inputs, case: Case) -> int:
    """No phrase of ours in what it read, unless it exempts the skill."""
    exempt = not case.older.said.trigger and not case.older.flags.missing_trigger
    return int(not now.said.trigger and not exempt)


def _single(now: Inputs, case: Case) -> Inputs:
    later = now._replace(said=now.said._replace(length=case.older.said.length))
    return _flags(later, empty_description=_short(later))


def _other_languages(now: Inputs, case: Case) -> Inputs:
    spoken = languages.trigger(corpus_older.description(case.skill.source.text))
    return now if spoken is None or spoken.language == "en" else _phrases(now, case)


def _phrases(now: Inputs, case: Case) -> Inputs:
    later = now._replace(said=now.said._replace(trigger=case.older.said.trigger))
    return _flags(later, missing_trigger=case.older.flags.missing_trigger)


def _contexts(now: Inputs, case: Case) -> Inputs:
    return now._replace(said=now.said._replace(contexts=case.older.said.contexts))


def _hints(now: Inputs, case: Case) -> Inputs:
    return now._replace(said=case.older.said)


def _everywhere(now: Inputs, case: Case) -> Inputs:
    """Our words, looked for in the whole file."""
    lines = case.skill.source.text.split("\n")
    return now._replace(words=words_in(lines, any(map(languages.declares_orchestrator, lines))))


def _takes(now: Inputs, case: Case) -> Inputs:
    return now._replace(words=now.words._replace(takes=case.older.words.takes))


def _conducts(now: Inputs, case: Case) -> Inputs:
    return now._replace(words=now.words._replace(conducts=case.older.words.conducts))


def _words(now: Inputs, case: Case) -> Inputs:
    return now._replace(words=case.older.words)


def _copied(*names: str) -> Step:
    """Fields taken over as they are."""
    return lambda now, case: now._replace(**{name: getattr(case.older, name) for name in names})


def _directives(now: Inputs, case: Case) -> Inputs:
    later = now._replace(directives=case.older.directives)
    return _flags(later, over_constrained=case.older.flags.over_constrained)


def _lines(now: Inputs, case: Case) -> Inputs:
    later = now._replace(lines=case.older.lines)
    return _flags(later, bloated=int(later.lines > 800 and not later.references))


def _folders(now: Inputs, case: Case) -> Inputs:
    later = now._replace(references=case.older.references, assets=case.older.assets)
    return _flags(later, bloated=case.older.flags.bloated)


def _dead(now: Inputs, case: Case) -> Inputs:
    return _flags(now, dead=case.older.flags.dead)


def _orphans(now: Inputs, case: Case) -> Inputs:
    return _flags(now, orphan=case.older.flags.orphan)


CAUSES: tuple[tuple[str, Step], ...] = (
    ("invalid-frontmatter", _invalid),
    ("dashes-in-a-value", _dashes),
    ("name-equals-directory", _copied("name")),
    ("when-to-use", _when_to_use),
    ("cjk-counted-single", _single),
    ("triggers-in-other-languages", _other_languages),
    ("fewer-trigger-phrases", _phrases),
    ("contexts-by-fixed-words", _contexts),
    ("fewer-hints-in-descriptions", _hints),
    ("closing-fences-counted", _copied("fences", "named_languages")),
    ("headings-in-code", _copied("headings")),
    ("section-titles-as-text", _copied("examples", "troubleshooting")),
    ("tables-by-pipes", _copied("table")),
    ("code-read-as-prose", _everywhere),
    ("args-but-not-arguments", _takes),
    ("orchestration-words-anywhere", _conducts),
    ("fewer-words", _words),
    ("directives-in-code", _directives),
    ("repetition-as-written", _copied("repetition")),
    ("final-newline-is-a-line", _lines),
    ("empty-files-and-sub-folders", _folders),
    ("cross-references-by-pattern", _copied("links")),
    ("dead-cross-references-by-pattern", _dead),
    ("orphans-by-pattern", _orphans),
)
