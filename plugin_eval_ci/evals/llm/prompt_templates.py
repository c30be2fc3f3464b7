"""What models are asked, as data: the rubric of the judge and the wording of every prompt. Read when a layer first asks."""

from __future__ import annotations

import hashlib
import json
import os
import re
from functools import cache
from typing import NamedTuple, cast

from plugin_eval_ci.evals.llm.request import Tier

ANCHORS = (0.0, 0.25, 0.5, 0.75, 1.0)
_FOLDER = os.path.join(os.path.dirname(__file__), "rubrics")
_TAG = re.compile(r"<(?=[\s/\\]*skill[\s_-]*text)", re.IGNORECASE)


class Question(NamedTuple):
    """One dimension that the judge scores. ``anchors``: score and what it stands for, from 0 to 1; none for the triggering."""

    dimension: str
    tier: Tier
    asks: str
    anchors: tuple[tuple[float, str], ...] = ()

    @property
    def scale(self) -> str:
        """The anchors as lines."""
        return "\n".join(f"{score:g}: {words}" for score, words in self.anchors)


class Rubrics(NamedTuple):
    """``rubrics.json``."""

    version: str
    should_trigger: int
    should_not_trigger: int
    tasks: int
    visible_characters: int
    questions: tuple[Question, ...]
    at_measured: tuple[Question, ...] = ()  # asked beside them at depth ``measured``
    code_characters: int = 0

    def of(self, dimension: str) -> Question:
        """The question about a dimension."""
        return next(one for one in (*self.questions, *self.at_measured) if one.dimension == dimension)


@cache
def rubrics() -> Rubrics:
    """The rubric as it is shipped."""
    data = json.loads(_text("rubrics.json"))
    return Rubrics(
        data["version"],
        data["prompts"]["should_trigger"],
        data["prompts"]["should_not_trigger"],
        data["tasks"],
        data["visible_characters"],
        tuple(_question(name, row) for name, row in data["dimensions"].items()),
        tuple(_question(name, row) for name, row in data["at_measured"].items()),
        data["code_characters"],
    )


def _question(name: str, row: dict[str, object]) -> Question:
    anchors = cast("dict[str, str]", row.get("anchors", {}))
    listed = sorted((float(score), words) for score, words in anchors.items())
    assert not listed or tuple(score for score, _ in listed) == ANCHORS
    return Question(name, cast("Tier", row["tier"]), str(row["asks"]), tuple(listed))


@cache
def prompt_template(layer: str, name: str) -> str:
    """A template of ``prompts.json``; ``KeyError`` for another name."""
    words = json.loads(_text("prompts.json"))[layer][name]
    assert isinstance(words, str)
    return words


def fill_template(template: str, **values: object) -> str:
    """The template with its names replaced, each once: braces in a value stay as they are."""
    return re.sub(r"\{([a-z_]+)\}", lambda found: str(values[found.group(1)]), template)


def version_of(*templates: str) -> str:
    """A short name for the wording of a request."""
    return hashlib.sha256("\0".join(templates).encode()).hexdigest()[:12]


def escape_borders(text: str) -> str:
    """A stranger's text without anything that looks like a border of a block."""
    return _TAG.sub("&lt;", text)


def quote_block(tag: str, text: str) -> str:
    """Text of others as a block that it cannot end: each of its lines, whatever ends it, begins with a mark."""
    lines = text.splitlines() or [""]
    return "\n".join((f"<{tag}>", *(f"| {line}" for line in lines), f"</{tag}>"))


def quote_skill(text: str) -> str:
    """A stranger's text as the block of the skill, with what looks like the border of that block changed."""
    return quote_block("skill_text", escape_borders(text))


def _text(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as stream:
        return stream.read()
