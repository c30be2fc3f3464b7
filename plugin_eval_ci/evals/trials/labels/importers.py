"""Labels in another tool's format, found in a skill's folder and read as they are; and labels from recorded sessions."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from plugin_eval_ci.config.yaml_values import compose
from plugin_eval_ci.errors import UnreadableError
from plugin_eval_ci.evals.trials.catalogue import NONE, Names
from plugin_eval_ci.evals.trials.labels.file import digest_of, id_of, read_text
from plugin_eval_ci.evals.trials.labels.formats import ForeignLabels, RawPrompt, foreign_in, root_of
from plugin_eval_ci.evals.trials.labels.quality import LEAST, names_skill
from plugin_eval_ci.evals.trials.values import Kind, Labels, Prompt
from plugin_eval_ci.model import Skill, Value

FORM = "claude plugin eval"
MOST_CASES = 500
MOST_GRADERS = 50
_FENCE = re.compile(r"---[ \t]*\n(.*?)(?:\n---[ \t]*(?:\n|\Z))", re.DOTALL)


def cases_of(skill: Skill, names: Names) -> list[tuple[str, RawPrompt]]:
    """The cases that say something about the skill, each with its file (absolute). Raises ``UnreadableError``."""
    found = []
    for folder in dict.fromkeys((skill.directory, skill.plugin or skill.directory)):
        for file in sorted(glob.glob(os.path.join(glob.escape(folder), "evals", "*", "prompt.md")))[:MOST_CASES]:
            alone = folder == skill.directory
            expect = _expected_skills(_graders(file, skill), names, alone)
            if expect is not None:
                _, text = _split(read_text(file, skill))
                if text.strip():
                    found.append((file, RawPrompt(text.strip(), expect, 1)))
    return found


def _expected_skills(graders: Iterable[Value], names: Names, alone: bool) -> tuple[str, ...] | None:
    """The skills that are right; None when the graders say nothing of this one. ``alone``: the case stands in the skill's folder."""
    right, wrong, silent = set[str](), set[str](), False
    for grader in graders:
        meant = _names_in_pattern(_value(grader, "input_match"), names)
        if _value(grader, "max") == "0":
            wrong |= meant
            silent |= not _value(grader, "input_match")
        else:
            right |= meant or ({names.own} if alone and not _value(grader, "input_match") else set())
    if names.own in right | wrong or (alone and (right or wrong or silent)):
        return tuple(sorted(right)) or (NONE,)
    return None


def _names_in_pattern(pattern: str, names: Names) -> set[str]:
    """The skills that a pattern over the call's input names; of names within names the longest."""
    plain = re.sub(r'\\?"skill\\?"', "", pattern.replace("\\-", "-"))
    words = sorted((word for word in names.meant if names.meant[word] is not None), key=len, reverse=True)
    found = set()
    for word in words:
        where = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        if where.search(plain):
            found.add(names.of(word))
            plain = where.sub(" ", plain)
    return found


def _graders(prompt: str, skill: Skill) -> list[Value]:
    """The heads of those graders that look for a call of Skill."""
    files = sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(prompt)), "graders", "*.md")))
    heads = []
    for file in files[:MOST_GRADERS]:
        try:
            head, _ = _split(read_text(file, skill))
            node = compose(head)
        except UnreadableError:
            continue  # of another tool, which will say so itself
        if node is not None and _value(node, "type") == "tool_used" and _value(node, "tool") == "Skill":
            heads.append(node)
    return heads


def _split(text: str) -> tuple[str, str]:
    fence = _FENCE.match(text)
    return (fence[1], text[fence.end() :]) if fence else ("", text)


def _value(node: Value, key: str) -> str:
    return next((value.text for name, value in node.entries if name == key), "")


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


class UnreadableLabels(NamedTuple):
    """A file (absolute) whose name says that it holds labels, and which cannot be read."""

    file: str
    line: int
    message: str


def foreign_labels(skill: Skill, names: Names) -> Labels | UnreadableLabels | None:
    """The labels of a skill in the first form of another tool that is found; None if none exist."""
    for file in islice(_candidates(skill), _MOST_FILES):
        try:
            found = foreign_in(root_of(read_text(file, skill), file.endswith(".json")))
        except UnreadableError as error:
            if "trigger" in os.path.basename(file):
                return UnreadableLabels(file, error.line, str(error))
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


def labels_from(found: ForeignLabels, file: str, skill: Skill, names: Names) -> Labels | None:
    """What a file says of a skill; None when it is about another one, or holds nothing that can be tried."""
    if found.skill and names.meant.get(found.skill) != names.own:
        return None
    if not found.skill and found.form == "caliper" and not _mentions(found.prompts, names):
        return None
    prompts, notes = prompts_of(found.prompts, names)
    return _labels(file, found.form, skill, names, prompts, notes) if prompts else None


def prompts_of(raws: Sequence[RawPrompt], names: Names) -> tuple[tuple[Prompt, ...], tuple[str, ...]]:
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
        notes.append(f"{unknown} of {len(raws)} prompts are skipped: they expect a skill that is not listed here")
    if twice:
        notes.append(f"{twice} of {len(raws)} prompts are duplicates and count once")
    return tuple(prompts.values()), tuple(notes)


def _labels(
    file: str, form: str, skill: Skill, names: Names, prompts: tuple[Prompt, ...], notes: tuple[str, ...]
) -> Labels:
    shown = os.path.relpath(file, skill.root).replace(os.sep, "/")
    where = (
        f"the labels are read from {shown} ({form}), which does not record what kind prompts are or who reviewed them"
    )
    return Labels(names.own, shown, digest_of(prompts), prompts, (where, *notes), form)


def _mentions(prompts: Iterable[RawPrompt], names: Names) -> bool:
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


class _Found(NamedTuple):
    prompt: Prompt
    fired: bool


def labels_of_sessions(skill: str, heard: Iterable[tuple[str, tuple[str, ...], frozenset[str] | None]]) -> Labels:
    """Labels of ``skill`` from prompts (redacted already), the skills that fired on each and those that were listed, if that is known.

    A prompt on which it did not fire is a negative only when the skill was listed, or nothing is known about lists. Of those at most
    twice as many are taken as there are positives, drawn by their text.
    """
    found: dict[str, _Found] = {}
    rows = list(heard)
    listings = any(listed is not None for _, _, listed in rows)
    for text, fired, listed in rows:
        mine = [name for name in fired if _same(name, skill)]
        if not text.strip() or (not mine and listings and not any(_same(name, skill) for name in listed or ())):
            continue
        prompt = _prompt(text, skill, bool(mine), [name for name in fired if not _same(name, skill)])
        found.setdefault(prompt.id, _Found(prompt, bool(mine)))
    positives = [one.prompt for one in found.values() if one.fired]
    negatives = sorted((one.prompt for one in found.values() if not one.fired), key=lambda prompt: prompt.id)
    most = max(LEAST, 2 * len(positives))
    prompts = (*positives, *negatives[:most])
    notes = [
        "from recorded sessions: expect says what fired, not what should have; secrets, addresses, names of users and long numbers were "
        "removed by pattern, which cannot guarantee that nothing is left"
    ]
    if len(negatives) > most:
        notes.append(f"{len(negatives) - most} of {len(negatives)} prompts on which it did not fire are left out")
    return Labels(skill, "", digest_of(prompts), prompts, tuple(notes))


def _prompt(text: str, skill: str, fired: bool, others: list[str]) -> Prompt:
    sibling = next((name for name in others if _plugin(name) and _plugin(name) == _plugin(skill)), "")
    expect = (skill,) if fired else (sibling,) if sibling else ()
    kind: Kind = "direct" if fired else "near_miss" if expect else "unrelated"
    short = skill.rpartition(":")[2]
    if names_skill(text, Names(skill, {skill: skill, short: skill})):
        kind = "explicit"
    return Prompt(id_of(text), text, skill, expect, kind, source="traffic", reviewed=False)


def _plugin(name: str) -> str:
    return name.rpartition(":")[0]


def _same(name: str, skill: str) -> bool:
    return name == skill or (":" not in skill and name.rpartition(":")[2] == skill)
