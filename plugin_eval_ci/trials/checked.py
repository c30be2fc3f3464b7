"""The labels of a skill and all that is wrong with them."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.model import Skill
from plugin_eval_ci.trials import guards
from plugin_eval_ci.trials.guards import Note
from plugin_eval_ci.trials.labels import Broken, written
from plugin_eval_ci.trials.naming import Names


class Checked(NamedTuple):
    """``file``: empty when there are none; ``form``: of another tool, empty for our own; ``broken``: the file cannot be used."""

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
        """Whether something must be mended."""
        return any(note.level == "error" for note in self.notes)


def check(skill: Skill, names: Names) -> Checked:
    """Look at the labels of one skill."""
    found = written(skill, names)
    if found is None:
        return Checked(names.own)
    if isinstance(found, Broken):
        return Checked(names.own, found.file, broken=True, notes=(Note("error", found.line, found.message),))
    said = (Note("warning", 1, note) for note in found.notes)
    notes = (*said, *guards.look(found, skill, names, kinds=not found.form))
    positives = sum(found.skill in prompt.expect for prompt in found.prompts)
    return Checked(
        names.own,
        found.file,
        found.form,
        found.digest,
        positives,
        len(found.prompts) - positives,
        sum(prompt.reviewed for prompt in found.prompts),
        notes=notes,
    )
