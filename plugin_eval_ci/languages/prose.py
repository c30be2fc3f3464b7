"""What a skill's prose says: titles, inputs and outputs, related skills, orchestration (contract 2, 3.2, 3.4, 3.6)."""

import re
from functools import cache

from plugin_eval_ci.languages.reading import (
    LANGUAGES,
    compiled,
    count_cjk,
    expression,
    fold,
    found,
    languages_of,
    marked,
    raw,
)

# Scheduling software conducts tasks and workers too; a line about it declares nothing about the skill.
_SCHEDULERS = (
    r"\b(?:kubernetes|k8s|containers?|docker|airflow|dagster|prefect|temporal|ecs|dags?|redux|celery|nomad|swarm"
    r"|kubeflow|spark"
    r"|gradle|sidekiq|rabbitmq|kafka|queues?|threads?|thread pool|background|cron)\b"
)
_QUOTED = r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|「[^」\n]{0,200}」|«[^»\n]{0,200}»|\[[^\]\n]{0,200}\]\([^)\n]{0,300}\)"
_DENIED = r"(?:\bnot|n't|\bnever|\bwithout|\brather than|\binstead of|\bavoid|\bno)(?: (?:to|be|you|ever|re-?)){0,2}"


def is_examples_heading(title: str) -> bool:
    """Whether a section title announces examples or usage, in any language."""
    return _is_heading("examples", title)


def is_troubleshooting_heading(title: str) -> bool:
    """Whether a section title announces troubleshooting, common problems or a FAQ, in any language."""
    return _is_heading("troubleshooting", title)


def mentions_related(text: str) -> bool:
    """Whether it speaks of related skills. "Related to" and "security-related" speak of something else."""
    return found("related", fold(text))


def documents_output_format(text: str) -> bool:
    """Whether a line of the text documents the format of the output."""
    folded = fold(text)
    for language in languages_of(folded):
        pattern = compiled(language.code, "output_format")
        for match in pattern.finditer(folded) if pattern is not None else ():
            start, end = folded.rfind("\n", 0, match.start()) + 1, folded.find("\n", match.end())
            line = folded[start : end if end >= 0 else None]
            if "\n" not in match[0] and language in languages_of(line):
                return True
    return False


def says_returns(line: str) -> bool:
    """Whether it says what comes out."""
    return found("returns", fold(line))


def says_takes(line: str) -> bool:
    """Whether it says what goes in."""
    return found("takes", fold(line))


def compares(text: str) -> bool:
    """Whether it helps to decide: when to use, a decision, a comparison, a trade-off."""
    return found("compares", fold(text))


@cache
def _stems() -> tuple[str, ...]:
    return tuple(sorted({stem for language in LANGUAGES for stem in language.conduct_stems}))


def may_conduct(lines: list[str]) -> list[int]:
    """The indexes of the lines that hold a word which a declaration needs: a cheap look before ``declares_orchestrator``."""
    folded = fold("\n".join(lines))
    stems = [stem for stem in _stems() if stem in folded]
    return [at for at, line in enumerate(folded.split("\n")) if any(stem in line for stem in stems)] if stems else []


def declares_orchestrator(line: str) -> bool:
    """Whether a line says that the skill conducts agents, skills or tasks. Quotations and links say nothing."""
    folded = fold(line)
    speakers = [one for one in languages_of(folded) if any(stem in folded for stem in one.conduct_stems)]
    if not speakers:
        return False
    folded = raw(_QUOTED).sub("_", folded)
    for language in speakers:
        for field in ("orchestrates", "orchestrates_tasks"):
            pattern = compiled(language.code, field)
            if pattern is not None and _declares(pattern, folded, field):
                return True
    return False


def _declares(pattern: re.Pattern[str], folded: str, field: str) -> bool:
    if field == "orchestrates_tasks" and raw(_SCHEDULERS).search(folded):
        return False
    denied = marked(_DENIED, "$")
    return any(
        not denied.search(folded[max(0, match.start() - 40) : match.start()].rstrip())
        for match in pattern.finditer(folded)
    )


@cache
def _headings(field: str, cjk: bool) -> re.Pattern[str]:
    """A title is too short to tell its language, so all of a script are asked at once."""
    chosen = [language for language in LANGUAGES if bool(language.letters) is cjk]
    return re.compile("|".join(expression(language, getattr(language, field)) for language in chosen))


def _is_heading(field: str, title: str) -> bool:
    folded = fold(title)
    if _headings(field, False).search(folded):
        return True
    return count_cjk(title) > 0 and _headings(field, True).search(folded) is not None
