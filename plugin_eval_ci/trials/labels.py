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
from plugin_eval_ci.parse import source
from plugin_eval_ci.parse.documents import inside
from plugin_eval_ci.trials.label_file import labels_of
from plugin_eval_ci.trials.naming import Names, names_in
from plugin_eval_ci.trials.values import Labels

PLACE = "evals/triggers.yaml"  # from the skill's folder
MOST_BYTES = 2 << 20


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
    """The labels of one skill; None when there are none."""
    file = os.path.join(skill.directory, *PLACE.split("/"))
    return read_file(file, skill, names) if os.path.lexists(file) else None


def read_file(file: str, skill: Skill, names: Names) -> Labels | Broken:
    """The labels in ``file`` (absolute), in the form of ``evals/triggers.yaml``."""
    shown = os.path.relpath(file, skill.root).replace(os.sep, "/")
    try:
        return labels_of(compose(text_of(file, skill)), skill.name, names, shown)
    except UnreadableError as error:
        return Broken(names.own, shown, error.line, str(error))


def text_of(file: str, skill: Skill) -> str:
    """The text of a file of the skill's repository. Raises ``UnreadableError`` for what is elsewhere, or no UTF-8 text."""
    real = os.path.realpath(file)
    if not inside(real, os.path.realpath(skill.root)):
        raise UnreadableError(1, "is a link to a file outside of the repository, which is not read")
    read_source = source.read(real, os.path.basename(file), MOST_BYTES)
    if read_source.problem is not None:
        raise UnreadableError(read_source.problem.line, f"cannot be read: {read_source.problem.message}")
    return read_source.text
