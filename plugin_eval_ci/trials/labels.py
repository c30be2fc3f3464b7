"""The labels of skills: which prompts should make an agent choose a skill, and which should not.

They stand beside the skill, in ``evals/triggers.yaml``. A file that cannot be read is told with its line; the other skills are tried
all the same.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.config.node import UnreadableError
from plugin_eval_ci.config.yaml_file import compose
from plugin_eval_ci.model import Skill
from plugin_eval_ci.trials import guards
from plugin_eval_ci.trials.importers import Misread, foreign_labels
from plugin_eval_ci.trials.label_file import digest_of, labels_of
from plugin_eval_ci.trials.naming import Names, names_in
from plugin_eval_ci.trials.reading import text_of
from plugin_eval_ci.trials.values import Labels

PLACE = "evals/triggers.yaml"  # from the skill's folder


class Broken(NamedTuple):
    """A label file that cannot be used: ``skill`` as listed, the file as reported, and what is wrong on which line."""

    skill: str
    file: str
    line: int
    message: str

    @property
    def said(self) -> str:
        """All of it, as a sentence."""
        return f"{self.file}:{self.line}: {self.message}"


class Found(NamedTuple):
    """What there is for the skills of a field. ``without``: the listed names of those that have no labels."""

    labels: tuple[Labels, ...]
    broken: tuple[Broken, ...]
    without: tuple[str, ...]


def read_all(skills: Sequence[Skill], plugins: Mapping[str, str]) -> Found:
    """The labels of all skills that are listed; ``plugins`` are the names of plugins by their directory (absolute)."""
    labels, broken, without = [], [], []
    for skill, names in names_in(skills, plugins):
        found = read(skill, names)
        if found is None:
            without.append(names.own)
        elif isinstance(found, Broken):
            broken.append(found)
        else:
            labels.append(found)
    return Found(tuple(labels), tuple(broken), tuple(without))


def read(skill: Skill, names: Names) -> Labels | Broken | None:
    """The labels of one skill, without the prompts that must not be tried; None when there are none."""
    found = written(skill, names)
    if not isinstance(found, Labels):
        return found
    notes = guards.look(found, skill, names, kinds=not found.form)
    prompts = guards.kept(found, notes)
    if not prompts:
        return Broken(names.own, found.file, notes[0].line, "no prompt can be tried: " + notes[0].message)
    return found._replace(
        prompts=prompts, digest=digest_of(prompts), notes=(*found.notes, *(note.message for note in notes))
    )


def written(skill: Skill, names: Names) -> Labels | Broken | None:
    """The labels as they stand there: our file wins, else the first of another tool."""
    file = os.path.join(skill.directory, *PLACE.split("/"))
    if os.path.lexists(file):
        return read_file(file, skill, names)
    found = foreign_labels(skill, names)
    if isinstance(found, Misread):
        return Broken(names.own, _shown(found.file, skill), found.line, found.message)
    return found


def read_file(file: str, skill: Skill, names: Names) -> Labels | Broken:
    """The labels in ``file`` (absolute), in the form of ``evals/triggers.yaml``."""
    shown = _shown(file, skill)
    try:
        return labels_of(compose(text_of(file, skill)), skill.name, names, shown)
    except UnreadableError as error:
        return Broken(names.own, shown, error.line, str(error))


def _shown(file: str, skill: Skill) -> str:
    return os.path.relpath(file, skill.root).replace(os.sep, "/")
