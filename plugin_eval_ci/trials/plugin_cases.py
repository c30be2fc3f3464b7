"""The cases of ``claude plugin eval`` as labels: a folder with ``prompt.md``, and graders of which some look for a call of Skill.

A grader's pattern is never run, for it is a stranger's: the names of skills are looked for in it as they are written.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable

from plugin_eval_ci.config.node import Node, UnreadableError
from plugin_eval_ci.config.yaml_file import compose
from plugin_eval_ci.model import Skill
from plugin_eval_ci.trials.formats import Raw
from plugin_eval_ci.trials.naming import NONE, Names
from plugin_eval_ci.trials.reading import text_of

FORM = "claude plugin eval"
MOST_CASES = 500
MOST_GRADERS = 50
_FENCE = re.compile(r"---[ \t]*\n(.*?)(?:\n---[ \t]*(?:\n|\Z))", re.DOTALL)


def cases_of(skill: Skill, names: Names) -> list[tuple[str, Raw]]:
    """The cases that say something about the skill, each with its file (absolute). Raises ``UnreadableError``."""
    found = []
    for folder in dict.fromkeys((skill.directory, skill.plugin or skill.directory)):
        for file in sorted(glob.glob(os.path.join(glob.escape(folder), "evals", "*", "prompt.md")))[:MOST_CASES]:
            alone = folder == skill.directory
            expect = _expected(_graders(file, skill), names, alone)
            if expect is not None:
                _, text = _split(text_of(file, skill))
                if text.strip():
                    found.append((file, Raw(text.strip(), expect, 1)))
    return found


def _expected(graders: Iterable[Node], names: Names, alone: bool) -> tuple[str, ...] | None:
    """The skills that are right; None when the graders say nothing of this one. ``alone``: the case stands in the skill's folder."""
    right, wrong, silent = set[str](), set[str](), False
    for grader in graders:
        meant = _named(_value(grader, "input_match"), names)
        if _value(grader, "max") == "0":
            wrong |= meant
            silent |= not _value(grader, "input_match")
        else:
            right |= meant or ({names.own} if alone and not _value(grader, "input_match") else set())
    if names.own in right | wrong or (alone and (right or wrong or silent)):
        return tuple(sorted(right)) or (NONE,)
    return None


def _named(pattern: str, names: Names) -> set[str]:
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


def _graders(prompt: str, skill: Skill) -> list[Node]:
    """The heads of those graders that look for a call of Skill."""
    files = sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(prompt)), "graders", "*.md")))
    heads = []
    for file in files[:MOST_GRADERS]:
        try:
            head, _ = _split(text_of(file, skill))
            node = compose(head)
        except UnreadableError:
            continue  # of another tool, which will say so itself
        if node is not None and _value(node, "type") == "tool_used" and _value(node, "tool") == "Skill":
            heads.append(node)
    return heads


def _split(text: str) -> tuple[str, str]:
    fence = _FENCE.match(text)
    return (fence[1], text[fence.end() :]) if fence else ("", text)


def _value(node: Node, key: str) -> str:
    return next((entry.value.text for entry in node.entries if entry.key == key), "")
