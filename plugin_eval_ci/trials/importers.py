"""Labels that stand beside a skill in the form of another tool: found, and read as they are."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from plugin_eval_ci.config.node import UnreadableError
from plugin_eval_ci.model import Skill
from plugin_eval_ci.trials.formats import Foreign, Raw, foreign_in, root_of
from plugin_eval_ci.trials.guards import names_skill
from plugin_eval_ci.trials.label_file import digest_of, id_of
from plugin_eval_ci.trials.naming import NONE, Names
from plugin_eval_ci.trials.plugin_cases import FORM, cases_of
from plugin_eval_ci.trials.reading import text_of
from plugin_eval_ci.trials.values import Kind, Labels, Prompt

_MOST_FILES = 500
_BESIDE = (  # from the skill's folder; the first file that holds labels of the skill is taken
    "evals/*trigger*.json",
    "*trigger*.json",
    "evals/evals.json",
    "eval.yaml",
    "eval.yml",
    "trigger_tests.yaml",
    "*/trigger_tests.yaml",
    "evals/*.yaml",
    "evals/*.yml",
    "*.eval.yaml",
    "evals/*/*.eval.yaml",
)
_ABOVE = (  # from the plugin's folder and the repository's; ``{name}``: of the skill
    "evals/{name}/trigger_tests.yaml",
    "tests/{name}/trigger_tests.yaml",
    "evals/suites/*/tasks/*.yaml",
    "evals/*.eval.yaml",
)


class Misread(NamedTuple):
    """A file (absolute) whose name says that it holds labels, and which cannot be read."""

    file: str
    line: int
    message: str


def foreign_labels(skill: Skill, names: Names) -> Labels | Misread | None:
    """The labels of a skill in the first form of another tool that is found; None when there are none."""
    for file in islice(_candidates(skill), _MOST_FILES):
        try:
            found = foreign_in(root_of(text_of(file, skill), file.endswith(".json")))
        except UnreadableError as error:
            if "trigger" in os.path.basename(file):
                return Misread(file, error.line, str(error))
            continue  # something else may well stand there
        if found is not None and (labels := labels_from(found, file, skill, names)) is not None:
            return labels
    try:
        cases = cases_of(skill, names)
    except UnreadableError:
        return None
    if not cases:
        return None
    prompts, notes = prompts_of([raw for _, raw in cases], names)
    return _labels(os.path.dirname(os.path.dirname(cases[0][0])), FORM, skill, names, prompts, notes)


def labels_from(found: Foreign, file: str, skill: Skill, names: Names) -> Labels | None:
    """What a file says of a skill; None when it is about another one, or holds nothing that can be tried."""
    if found.skill and names.meant.get(found.skill) != names.own:
        return None
    if not found.skill and found.form == "caliper" and not _mentions(found.prompts, names):
        return None
    prompts, notes = prompts_of(found.prompts, names)
    return _labels(file, found.form, skill, names, prompts, notes) if prompts else None


def prompts_of(raws: Sequence[Raw], names: Names) -> tuple[tuple[Prompt, ...], tuple[str, ...]]:
    """Prompts, and what was left out of them in words."""
    prompts: dict[str, Prompt] = {}
    unknown = twice = 0
    for raw in raws:
        try:
            expect = tuple(sorted({names.of(word) for word in raw.expect if word != NONE}))
        except LookupError:
            unknown += 1
            continue
        kind: Kind = "direct" if names.own in expect else "near_miss" if expect else "unrelated"
        if names_skill(raw.text, names):
            kind = "explicit"
        prompt = Prompt(id_of(raw.text), raw.text, names.own, expect, kind, line=raw.line)
        if prompts.setdefault(prompt.id, prompt) is not prompt:
            twice += 1
    notes = []
    if unknown:
        notes.append(f"{unknown} of {len(raws)} prompts are not tried: they expect a skill that is not listed here")
    if twice:
        notes.append(f"{twice} of {len(raws)} prompts stand there already and count once")
    return tuple(prompts.values()), tuple(notes)


def _labels(
    file: str, form: str, skill: Skill, names: Names, prompts: tuple[Prompt, ...], notes: tuple[str, ...]
) -> Labels:
    shown = os.path.relpath(file, skill.root).replace(os.sep, "/")
    where = (
        f"the labels are read from {shown} ({form}), which does not say of what kind prompts are or who reviewed them"
    )
    return Labels(names.own, shown, digest_of(prompts), prompts, (where, *notes), form)


def _mentions(prompts: Iterable[Raw], names: Names) -> bool:
    return any(names.meant.get(word) == names.own for raw in prompts for word in raw.expect)


def _candidates(skill: Skill) -> Iterator[str]:
    seen = set()
    for folder, patterns in (
        (skill.directory, _BESIDE),
        *((folder, _ABOVE) for folder in dict.fromkeys((skill.plugin, skill.root)) if folder),
    ):
        for pattern in patterns:
            place = os.path.join(glob.escape(folder), pattern.replace("{name}", glob.escape(skill.name)))
            for file in sorted(glob.glob(place)):
                if file not in seen:
                    seen.add(file)
                    yield file
