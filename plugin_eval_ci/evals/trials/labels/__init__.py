"""The labels of skills: which prompts should make an agent choose a skill, and which should not.

They are in the skill's folder, in ``evals/triggers.yaml``. A file that cannot be read is reported with its line; the other skills are tried
all the same.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.config.yaml_values import compose
from plugin_eval_ci.errors import UnreadableError
from plugin_eval_ci.evals.trials.catalogue import Names, names_in
from plugin_eval_ci.evals.trials.labels import quality
from plugin_eval_ci.evals.trials.labels.file import digest_of, labels_of, read_text
from plugin_eval_ci.evals.trials.labels.importers import UnreadableLabels, foreign_labels
from plugin_eval_ci.evals.trials.labels.quality import Note
from plugin_eval_ci.evals.trials.values import Labels
from plugin_eval_ci.model import Skill

PLACE = "evals/triggers.yaml"  # from the skill's folder


class BrokenLabels(NamedTuple):
    """A label file that cannot be used: ``skill`` as listed, the file as reported, and what is wrong on which line."""

    skill: str
    file: str
    line: int
    message: str

    @property
    def said(self) -> str:
        """All of it, as a sentence."""
        return f"{self.file}:{self.line}: {self.message}"


class LabelSet(NamedTuple):
    """What there is for the skills of a field. ``without``: the listed names of those that have no labels."""

    labels: tuple[Labels, ...]
    broken: tuple[BrokenLabels, ...]
    without: tuple[str, ...]


def read_all(skills: Sequence[Skill], plugins: Mapping[str, str]) -> LabelSet:
    """The labels of all skills that are listed; ``plugins`` are the names of plugins by their directory (absolute)."""
    labels, broken, without = [], [], []
    for skill, names in names_in(skills, plugins):
        found = read(skill, names)
        if found is None:
            without.append(names.own)
        elif isinstance(found, BrokenLabels):
            broken.append(found)
        else:
            labels.append(found)
    return LabelSet(tuple(labels), tuple(broken), tuple(without))


def read(skill: Skill, names: Names) -> Labels | BrokenLabels | None:
    """The labels of one skill, without the prompts that must not be tried; None if none exist."""
    found = skills_with_labels(skill, names)
    if not isinstance(found, Labels):
        return found
    notes = quality.notes_on(found, skill, names, kinds=not found.form)
    prompts = quality.usable_prompts(found, notes)
    if not prompts:
        return BrokenLabels(names.own, found.file, notes[0].line, "no prompt is usable: " + notes[0].message)
    return found._replace(
        prompts=prompts, digest=digest_of(prompts), notes=(*found.notes, *(note.message for note in notes))
    )


def skills_with_labels(skill: Skill, names: Names) -> Labels | BrokenLabels | None:
    """The labels as they stand there: our file wins, else the first of another tool."""
    file = os.path.join(skill.directory, *PLACE.split("/"))
    if os.path.lexists(file):
        return read_file(file, skill, names)
    found = foreign_labels(skill, names)
    if isinstance(found, UnreadableLabels):
        return BrokenLabels(names.own, _shown(found.file, skill), found.line, found.message)
    return found


def read_file(file: str, skill: Skill, names: Names) -> Labels | BrokenLabels:
    """The labels in ``file`` (absolute), in the form of ``evals/triggers.yaml``."""
    shown = _shown(file, skill)
    try:
        return labels_of(compose(read_text(file, skill)), skill.name, names, shown)
    except UnreadableError as error:
        return BrokenLabels(names.own, shown, error.line, str(error))


def _shown(file: str, skill: Skill) -> str:
    return os.path.relpath(file, skill.root).replace(os.sep, "/")


class LabelCheck(NamedTuple):
    """``file``: empty if none exist; ``form``: of another tool, empty for our own; ``broken``: the file cannot be used."""

    skill: str
    file: str = ""
    form: str = ""
    digest: str = ""
    positives: int = 0
    negatives: int = 0
    reviewed: int = 0
    broken: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def wrong(self) -> bool:
        """Whether something must be fixed."""
        return any(note.level == "error" for note in self.notes)


def check(skill: Skill, names: Names) -> LabelCheck:
    """The labels of one skill and what is wrong with them."""
    found = skills_with_labels(skill, names)
    if found is None:
        return LabelCheck(names.own)
    if isinstance(found, BrokenLabels):
        return LabelCheck(names.own, found.file, broken=True, notes=(Note("error", found.line, found.message),))
    said = (Note("warning", 1, note) for note in found.notes)
    notes = (*said, *quality.notes_on(found, skill, names, kinds=not found.form))
    positives = sum(found.skill in prompt.expect for prompt in found.prompts)
    return LabelCheck(
        names.own,
        found.file,
        found.form,
        found.digest,
        positives,
        len(found.prompts) - positives,
        sum(prompt.reviewed for prompt in found.prompts),
        notes=notes,
    )
