"""The requests of a rating: tasks for a skill, a task done with a skill, two answers compared blindly."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.ask import Block, Request
from plugin_eval_ci.fitting import closed
from plugin_eval_ci.measure.wording import bounded, filled, marked, version_of, wording

LAYER = "rating"
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
    schema = closed(tasks={"type": "array", "items": {"type": "string"}, "minItems": tasks})
    system, user = wording(LAYER, "writer_system"), filled(wording(LAYER, "writer"), tasks=tasks)
    blocks = (Block(system), Block(bounded(listed)))
    return Request("rate:tasks", JUDGE, blocks, (Block(user),), 2_048, schema, "medium", version_of(system, user))


def work_request(contender: Contender, task: str) -> Request:
    """Do a task with a skill; the answer is text."""
    system = wording(LAYER, "worker_system")
    blocks = (Block(system), Block(bounded(contender.text), cached=True))
    return Request("rate:work", WORKER, blocks, (Block(task),), _LONGEST_ANSWER, None, "low", version_of(system))


def compare_request(task: str, first: str, second: str) -> Request:
    """Compare two answers, the reason before the verdict."""
    schema = closed(reason={"type": "string"}, verdict={"type": "string", "enum": list(VERDICTS)})
    system, question = wording(LAYER, "judge_system"), wording(LAYER, "judge")
    shown = "\n".join(
        (marked("task", task), marked("answer_first", first), marked("answer_second", second), "", question)
    )
    version = version_of(system, question)
    return Request("rate:compare", JUDGE, (Block(system, True),), (Block(shown),), 1_024, schema, "medium", version)
