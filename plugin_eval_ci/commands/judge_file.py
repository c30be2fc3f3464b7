"""``score --judge-file``: a judge's answers from a file (``schemas/judge.schema.json``). It is a stranger's: held to its form."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from plugin_eval_ci.commands.given import json_of
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.json_values import DamagedError, Json, as_number, as_object, as_text
from plugin_eval_ci.measure.details import Details, Judged, JudgeDetails
from plugin_eval_ci.measure.judge import caveats_of, judged, measurement_of, visible_text
from plugin_eval_ci.measure.judgement import sample_of
from plugin_eval_ci.measure.measurement import Measurement, Unmeasured
from plugin_eval_ci.measure.wording import rubrics
from plugin_eval_ci.model import Skill

_MOST_BYTES = 1_000_000
_HEAD = ("schema_version", "rubrics", "judge", "skill", "sha256")
_FROM_FILE = "the judge layer was read from a file: who judged, and how, is what the file says"


def read_judge_file(file: str, skill: Skill) -> Measurement | Unmeasured:
    """The judge layer as a file has it. Raises ``UsageError`` for a file that cannot be read, is damaged, or is about another skill."""
    try:
        return _layer(as_object(json_of(file, _MOST_BYTES), "the file"), file, skill)
    except DamagedError as error:
        raise UsageError(f"{file}: {error}") from None


def _layer(document: Json, file: str, skill: Skill) -> Measurement | Unmeasured:
    known = {question.dimension for question in rubrics().questions}
    for key in document:
        if key not in known and key not in _HEAD:
            raise DamagedError(f"{key[:40]!r} is no key of it")
    if as_number(document.get("schema_version"), "schema_version") != 1:
        raise DamagedError("schema_version must be 1")
    _same_skill(document, file, skill)
    who, version = as_text(document.get("judge"), "judge"), as_text(document.get("rubrics"), "rubrics")
    dimensions = tuple(_dimension(question.dimension, document, skill, who) for question in rubrics().questions)
    caveats = (_FROM_FILE, *_of_version(version), *caveats_of(dimensions, 1))
    return measurement_of(dimensions, Details(caveats, judge=JudgeDetails("file", version, 1, dimensions)))


def _dimension(name: str, document: Json, skill: Skill, who: str) -> Judged:
    if document.get(name) is None:
        return Judged(name, None, (), "the file does not say anything about it")
    sample = sample_of(name, as_object(document[name], name), visible_text(skill), name, who)
    return judged(name, [sample])


def _same_skill(document: Json, file: str, skill: Skill) -> None:
    if digest := as_text(document.get("sha256"), "sha256"):
        with open(skill.source.file, "rb") as stream:
            if hashlib.sha256(stream.read()).hexdigest() != digest.lower():
                raise DamagedError(f"{skill.source.path} has changed since it was judged (sha256 differs)")
        return
    named = as_text(document.get("skill"), "skill")
    places = [os.path.join(base, named) for base in (".", skill.root, os.path.dirname(os.path.abspath(file)))]
    mine = (os.path.realpath(skill.source.file), os.path.realpath(os.path.dirname(skill.source.file)))
    if not named or not any(os.path.realpath(place) in mine for place in places):
        raise DamagedError(f"it is about {named[:80]!r}, not about {skill.source.path}")


def _of_version(version: str) -> Iterator[str]:
    if version != rubrics().version:
        yield f"judged by the rubric of {version[:40] or 'an unknown day'}; the present one is of {rubrics().version}"
