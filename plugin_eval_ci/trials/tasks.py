"""Tasks that a skill should help with: read from ``evals/evals.json`` beside it, or drafted by a model and marked as such."""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from plugin_eval_ci.ask import Ask, Block, Failure, Reply, Request
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.fitting import closed
from plugin_eval_ci.measure.calls import said
from plugin_eval_ci.measure.judge import listed_text
from plugin_eval_ci.measure.wording import bounded, filled, version_of, wording
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.source import read
from plugin_eval_ci.trials.checks import Check
from plugin_eval_ci.trials.task_file import Row, rows_in
from plugin_eval_ci.trials.values import Unmeasurable

FILE = "evals/evals.json"
AUTHOR = "sonnet"
DRAFTED = 8  # tasks, where there are none: with fewer an interval says little
_LIKELY_TASK = 120  # tokens of one, a guess, for estimates
_MOST_CHARACTERS = 20_000  # of one attached file
_ALL_CHARACTERS = 60_000  # of those of one task
_OF_THE_SKILL = ("references", "scripts", "assets")  # would hand the skill to those who work without it


class Task(NamedTuple):
    """What a user asks for. ``expected`` and ``expectations``: what a good result is, in words, for the grader's eyes only."""

    id: str
    text: str
    expected: str = ""
    expectations: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    files: tuple[tuple[str, str], ...] = ()  # path and text, shown with the task
    line: int | None = None


class Tasks(NamedTuple):
    """``file`` as reported, empty for drafts. ``author``: the model that wrote them, empty for people. ``digest`` of what they say."""

    skill: str
    file: str
    digest: str
    tasks: tuple[Task, ...]
    author: str = ""
    notes: tuple[str, ...] = ()

    @property
    def reviewed(self) -> bool:
        """Whether people wrote them; what a model drafted was looked at by nobody."""
        return not self.author


def read_tasks(skill: Skill) -> Tasks | None:
    """The tasks beside a skill, None without such a file or without a task in it. Raises ``UsageError`` with file and line."""
    file = os.path.join(skill.directory, *FILE.split("/"))
    if not os.path.isfile(file):
        return None
    path = os.path.join(os.path.dirname(skill.source.path), FILE).replace(os.sep, "/")
    source = read(file, path)
    if source.problem is not None:
        raise UsageError(f"{path}:{source.problem.line}: {source.problem.message}")
    named, rows, notes = rows_in(source.text, path)
    more = [*notes]
    if named and named.rpartition(":")[2] != skill.name:
        more.append(f"{path} is about a skill called {named[:60]}, and stands beside {skill.name}")
    tasks = tuple(task for row in rows if (task := _task(row, skill, path, more)) is not None)
    return Tasks(skill.name, path, digest_of(tasks), tasks, notes=tuple(more)) if tasks else None


async def draft_tasks(skill: Skill, ask: Ask, number: int = DRAFTED, author: str = AUTHOR) -> Tasks | Unmeasurable:
    """Tasks that a model writes from name and description alone, so that they do not fit the wording of the body."""
    outcome = await ask(draft_request(skill, number, author), 0)
    if isinstance(outcome, Failure):
        return Unmeasurable(f"the tasks could not be written ({said(outcome)})", ((outcome.kind, 1),))
    texts = _texts_in(outcome, number)
    tasks = tuple(Task(f"t{place:02}", text) for place, text in enumerate(texts, 1))
    if not tasks:
        return Unmeasurable("the model wrote no task", (("reply", 1),))
    return Tasks(skill.name, "", digest_of(tasks), tasks, author)


def draft_request(skill: Skill, number: int, author: str) -> Request:
    """The request for tasks."""
    schema = closed(tasks={"type": "array", "items": {"type": "string"}, "minItems": number, "maxItems": number})
    about, ask = wording("help", "writer_system"), wording("help", "writer")
    blocks = (Block(about), Block(bounded(listed_text(skill))))
    user = (Block(filled(ask, tasks=number)),)
    version = version_of(about, ask)
    return Request("help:tasks", author, blocks, user, 4_096, schema, "medium", version, likely=_LIKELY_TASK * number)


def digest_of(tasks: tuple[Task, ...]) -> str:
    """A short name for what the tasks say, wherever they stand in a file."""
    said_ = repr(
        sorted(task._replace(line=None, checks=tuple(one._replace(line=None) for one in task.checks)) for task in tasks)
    )
    return hashlib.sha256(said_.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _texts_in(reply: Reply, number: int) -> list[str]:
    listed = (reply.data or {}).get("tasks")
    texts = [one.strip() for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    return [text for text in texts if text][:number]


def _task(row: Row, skill: Skill, path: str, notes: list[str]) -> Task | None:
    """With the files that go with it; a task whose file cannot be shown cannot be done, and is left out."""
    files, total = [], 0
    for name, line in row.files:
        text = _file(name, skill)
        if text is None:
            notes.append(f"{path}:{line}: {name[:80]} is part of the skill: not shown with task {row.id[:40]}")
            continue
        if isinstance(text, Unmeasurable) or (total := total + len(text)) > _ALL_CHARACTERS:
            why = text.reason if isinstance(text, Unmeasurable) else "its files are too long"
            notes.append(f"{path}:{line}: task {row.id[:40]} is left out: {name[:80]} cannot be shown, {why}")
            return None
        files.append((name, text))
    return Task(row.id, row.text, row.expected, row.expectations, row.checks, tuple(files), row.line)


def _file(name: str, skill: Skill) -> str | Unmeasurable | None:
    """The text of a file beside the skill; None for what belongs to the skill itself."""
    base = os.path.realpath(skill.directory)
    places = [os.path.realpath(os.path.join(base, folder, name)) for folder in ("", "evals")]
    file = next((place for place in places if os.path.isfile(place)), places[0])
    inside = os.path.relpath(file, base).split(os.sep)
    if inside[0] == os.pardir:
        return Unmeasurable("it lies outside the skill")
    if not os.path.isfile(file):
        return Unmeasurable("there is no such file")
    if inside[0] in _OF_THE_SKILL or len(inside) == 1:
        return None
    source = read(file, name)
    if source.problem is not None:
        return Unmeasurable("it cannot be read as text")
    return source.text if len(source.text) <= _MOST_CHARACTERS else Unmeasurable("it is too long")
