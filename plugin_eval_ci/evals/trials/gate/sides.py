"""Two states of the skills of a repository, as lists that a model sees: which of them say something else now, and who was who.

A field is what is listed together: the skills of a plugin, else those of one folder. What a trial shows of a skill is its name and its
description, so where those of a whole field are as they were, there is nothing to compare and nothing to pay for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.analysis.listing import entries_of
from plugin_eval_ci.evals.trials.catalogue import Catalogue, catalogue_of
from plugin_eval_ci.evals.trials.values import Prompt, Settings, Trial
from plugin_eval_ci.model import Skill


class RevisionSkills(NamedTuple):
    """Every skill of a state. ``names``: of plugins by their directory, absolute as those of the skills are."""

    skills: tuple[Skill, ...]
    names: Mapping[str, str]

    def listed(self, skill: Skill) -> str | None:
        """What a skill is listed as; None for one that is hidden from the model."""
        return next((entry.name for entry in entries_of((skill,), self.names)), None)


class Pair(NamedTuple):
    """One field on both sides. ``then``: the name before, by the name now; ``new`` have none; ``gone`` were listed and are not."""

    place: str
    skills: tuple[Skill, ...]  # of the head, those that are listed
    listed: Mapping[str, str]  # what they are listed as, by path
    base: Catalogue
    head: Catalogue
    then: Mapping[str, str]
    new: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def changed(self) -> bool:
        """Whether a model sees anything else than before."""
        return self.base.digest != self.head.digest

    def altered(self, name: str) -> bool:
        """Whether a skill's own entry is another than before."""
        now = {entry.name: entry.text for entry in self.head.entries}
        before = {entry.name: entry.text for entry in self.base.entries}
        old = self.then.get(name)
        return old != name or now.get(name) != before.get(old)

    def asked_then(self, prompts: Sequence[Prompt]) -> tuple[Prompt, ...]:
        """The prompts as they are put to the base: by its names, without those that no skill of the base could be right for."""
        kept = [one for one in prompts if one.home in self.then and all(name in self.then for name in one.expect)]
        return tuple(
            one._replace(home=self.then[one.home], expect=tuple(sorted(self.then[name] for name in one.expect)))
            for one in kept
        )

    def as_now(self, trials: Sequence[Trial], prompts: Sequence[Prompt]) -> tuple[Trial, ...]:
        """Trials of the base by the names of the head; what is gone keeps a name that none of the head has."""
        now = {old: name for name, old in self.then.items()}
        own = {(self.then.get(one.home), one.id): one for one in prompts}

        def renamed(name: str) -> str:
            return now.get(name) or (f"{name} (gone)" if name in self.gone else name)

        return tuple(
            trial._replace(
                prompt=own[trial.prompt.home, trial.prompt.id], chosen=tuple(sorted(map(renamed, trial.chosen)))
            )
            for trial in trials
        )


def pairs_of(
    base: RevisionSkills, head: RevisionSkills, renamed: Mapping[str, str], settings: Settings
) -> tuple[Pair, ...]:
    """The fields of the head, each with its state at the base; ``renamed`` holds by path now the path before."""
    paths = {skill.source.path: skill for skill in base.skills}
    before = _fields(base.skills)
    found = []
    for place, skills in sorted(_fields(head.skills).items()):
        then = {skill.source.path: paths.get(renamed.get(skill.source.path, skill.source.path)) for skill in skills}
        _by_name(then, skills, before.get(place, ()))
        known = {skill.source.path for skill in then.values() if skill is not None}
        left = [one for one in before.get(place, ()) if one.source.path not in known]
        found.append(_pair(place, skills, [*(one for one in then.values() if one), *left], then, base, head, settings))
    return tuple(found)


def _pair(
    place: str,
    skills: Sequence[Skill],
    earlier: Sequence[Skill],
    then: Mapping[str, Skill | None],
    base: RevisionSkills,
    head: RevisionSkills,
    settings: Settings,
) -> Pair:
    earlier = list({skill.source.path: skill for skill in earlier}.values())
    before = catalogue_of(earlier, base.names, settings)
    # The base's distractors for both: an edited description must not bring others into the list.
    after = catalogue_of(skills, head.names, settings, before.distractors if earlier else None)
    names: dict[str, str] = {}
    listed = [(skill, name) for skill in skills if (name := head.listed(skill)) is not None]
    for skill, name in listed:
        old = then[skill.source.path]
        if old is not None and (known := base.listed(old)) is not None:
            names[name] = known
    new = tuple(sorted(name for _, name in listed if name not in names))
    gone = tuple(sorted(set(before.skills) - set(names.values())))
    by_path = {skill.source.path: name for skill, name in listed}
    return Pair(place, tuple(skill for skill, _ in listed), by_path, before, after, names, new, gone)


def _fields(skills: Sequence[Skill]) -> dict[str, tuple[Skill, ...]]:
    """By the path of what holds them, as reported."""
    found: dict[str, list[Skill]] = {}
    for skill in skills:
        place = skill.plugin or os.path.dirname(skill.directory)
        found.setdefault(os.path.relpath(place, skill.root).replace(os.sep, "/"), []).append(skill)
    return {place: tuple(some) for place, some in found.items()}


def _by_name(then: dict[str, Skill | None], skills: Sequence[Skill], before: Sequence[Skill]) -> None:
    """A skill that moved and was rewritten is known by its declared name, where that was another's only."""
    taken = {skill.source.path for skill in then.values() if skill is not None}
    left = {skill.name: skill for skill in before if skill.source.path not in taken}
    for skill in skills:
        if then[skill.source.path] is None and skill.name in left:
            then[skill.source.path] = left.pop(skill.name)
