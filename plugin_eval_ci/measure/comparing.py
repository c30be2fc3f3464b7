"""The requests of a rating: tasks for a skill, a task done with a skill, two answers compared blindly."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from plugin_eval_ci.ask import Block, Json, Request
from plugin_eval_ci.measure.wording import bounded, filled, version_of

WORKER, JUDGE = "haiku", "sonnet"  # who judges has written none of what it compares
VERDICTS = {"first": 1.0, "second": 0.0, "tie": 0.5}
_LONGEST_ANSWER = 2_048  # tokens


class Contender(NamedTuple):
    """A skill that is compared. ``key`` names it in the result and is its alone."""

    key: str
    name: str
    description: str
    text: str  # of its whole SKILL.md


def tasks_request(contender: Contender, tasks: int) -> Request:
    """Ask for tasks that the skill is for. Only name and description are shown: tasks must not fit the wording of the body."""
    listed = f"name: {contender.name}\ndescription: {contender.description}"
    schema = _object(tasks={"type": "array", "items": {"type": "string"}, "minItems": tasks})
    system, user = _words("writer_system"), filled(_words("writer"), tasks=tasks)
    blocks = (Block(system), Block(bounded(listed)))
    return Request("rate:tasks", JUDGE, blocks, (Block(user),), 2_048, schema, "medium", version_of(system, user))


def work_request(contender: Contender, task: str) -> Request:
    """Do a task with a skill; the answer is text."""
    system = _words("worker_system")
    blocks = (Block(system), Block(bounded(contender.text), cached=True))
    return Request("rate:work", WORKER, blocks, (Block(task),), _LONGEST_ANSWER, None, "low", version_of(system))


def compare_request(task: str, first: str, second: str) -> Request:
    """Compare two answers, the reason before the verdict."""
    schema = _object(reason={"type": "string"}, verdict={"type": "string", "enum": list(VERDICTS)})
    system, question = _words("judge_system"), _words("judge")
    shown = "\n".join(
        (_marked("task", task), _marked("answer_first", first), _marked("answer_second", second), "", question)
    )
    version = version_of(system, question)
    return Request("rate:compare", JUDGE, (Block(system, True),), (Block(shown),), 1_024, schema, "medium", version)


def _marked(tag: str, text: str) -> str:
    """Text of others as a block that it cannot end: each of its lines, whatever ends it, begins with a mark."""
    lines = text.splitlines() or [""]
    return "\n".join((f"<{tag}>", *(f"| {line}" for line in lines), f"</{tag}>"))


def _object(**properties: Mapping[str, object]) -> Json:
    """The schema of an object that has these and nothing else, in this order."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@cache
def _wordings() -> Mapping[str, str]:
    file = os.path.join(os.path.dirname(__file__), "rubrics", "rating.json")
    with open(file, encoding="utf-8") as stream:
        words: dict[str, str] = json.load(stream)
    return words


def _words(name: str) -> str:
    return _wordings()[name]
