"""``evals/evals.json`` as skill authors write it: tasks, what a good result is, checks. Strict about what it holds, mild about how it is
called: the same things have several names in public repositories."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.layers.judge import listed_text
from plugin_eval_ci.evals.llm.json_schema import object_schema
from plugin_eval_ci.evals.llm.prompt_templates import fill_template, prompt_template, quote_skill, version_of
from plugin_eval_ci.evals.llm.request import Ask, Block, Failure, Reply, Request, failure_text
from plugin_eval_ci.evals.trials.lift.checks import NAMES, Check, problem_with
from plugin_eval_ci.evals.trials.values import Unmeasurable
from plugin_eval_ci.model import Skill, Value
from plugin_eval_ci.parse.json_lines import parse
from plugin_eval_ci.parse.source import read_source

LISTS = ("evals", "tasks", "cases", "tests")
_PROMPT = ("prompt", "query", "task", "input")
_EXPECTED = ("expected_output", "expected", "success_criteria", "expected_behavior")
_ASSERTIONS = ("expectations", "assertions", "checks", "scorers", "expected_behavior", "success_criteria")
_IN_WORDS = ("text", "description", "criterion", "assertion", "expectation", "name")
_ONE_TEXT = ("value", "text", "pattern", "language", "expected")
_MANY_TEXTS = ("values", "keywords", "texts", "patterns")
MOST_TASKS = 200
_MOST_ASSERTIONS = 50  # of one task
_LONGEST_PROMPT = 20_000  # of a prompt


class Row(NamedTuple):
    """One task as written. ``files``: paths with their lines."""

    id: str
    text: str
    line: int
    expected: str
    expectations: tuple[str, ...]
    checks: tuple[Check, ...]
    files: tuple[tuple[str, int], ...]


def rows_in(text: str, path: str) -> tuple[str, tuple[Row, ...], tuple[str, ...]]:
    """The skill's name (empty if missing), the tasks, and notes about what was left out. Raises ``UsageError`` with file and
    line if the file is not valid."""
    found = parse(text)
    if found.value is None:
        line = found.problem.line if found.problem else 1
        raise _wrong(path, line, found.problem.message if found.problem else "it is empty")
    top = found.value
    listed = top if top.kind == "list" else next((one for key in LISTS if (one := _get(top, key))), None)
    if listed is None or listed.kind != "list":
        raise _wrong(path, top.line, f"no list of tasks found (expected {', '.join(LISTS)})")
    if len(listed.items) > MOST_TASKS:
        raise _wrong(path, listed.line, f"{len(listed.items)} tasks; at most {MOST_TASKS} are read")
    name = _get(top, "skill_name") or _get(top, "skill")
    rows: list[Row] = []
    notes: list[str] = []
    for number, value in enumerate(listed.items, 1):
        row = _row(value, number, path, notes)
        if row is None:
            continue
        if any(row.id == other.id for other in rows):
            raise _wrong(path, row.line, f"the id {row.id[:40]!r} is given twice")
        rows.append(row)
    return (name.text if name and name.kind == "text" else ""), tuple(rows), tuple(notes)


def _row(value: Value, number: int, path: str, notes: list[str]) -> Row | None:
    if value.kind != "mapping":
        raise _wrong(path, value.line, "a task must be an object")
    prompt = next((one for key in _PROMPT if (one := _get(value, key))), None)
    if prompt is None or prompt.kind != "text" or not prompt.text.strip():
        raise _wrong(path, value.line, "a task needs a prompt (text, not empty)")
    if len(prompt.text) > _LONGEST_PROMPT:
        raise _wrong(path, prompt.line, f"the prompt has more than {_LONGEST_PROMPT:,} characters")
    named = _get(value, "id") or _get(value, "name")
    if named is not None and named.kind not in ("text", "number"):
        raise _wrong(path, named.line, "an id must be text or a number")
    id_ = named.text if named is not None and named.text else str(number)
    should = _get(value, "should_trigger")
    if should is not None and should.text == "false":
        notes.append(
            f"{path}:{value.line}: task {id_[:40]} is one that the skill is not for: left out of the lift trials"
        )
        return None
    expected = next((one.text for key in _EXPECTED if (one := _get(value, key)) and one.kind == "text"), "")
    words, checks = _assertions(value, path, notes)
    return Row(id_, prompt.text, value.line, expected, words, checks, tuple(_files(value, path)))


def _files(value: Value, path: str) -> Iterator[tuple[str, int]]:
    files = _get(value, "files")
    if files is None or files.kind == "null":
        return
    if files.kind != "list":
        raise _wrong(path, files.line, "files must be a list of paths")
    for one in files.items:
        named = _get(one, "path") if one.kind == "mapping" else one
        if named is None or named.kind != "text" or not named.text:
            raise _wrong(path, one.line, "a file must be a path")
        yield named.text, named.line


def _assertions(value: Value, path: str, notes: list[str]) -> tuple[tuple[str, ...], tuple[Check, ...]]:
    words: list[str] = []
    checks: list[Check] = []
    for key in _ASSERTIONS:
        listed = _get(value, key)
        if listed is None or listed.kind in ("null", "text"):
            continue
        if listed.kind != "list":
            raise _wrong(path, listed.line, f"{key} must be a list")
        if len(listed.items) > _MOST_ASSERTIONS:
            raise _wrong(path, listed.line, f"more than {_MOST_ASSERTIONS} {key}")
        for one in listed.items:
            read = _assertion(one, path)
            if isinstance(read, Check):
                checks.append(read)
            elif read:
                words.append(read)
            else:
                notes.append(f"{path}:{one.line}: unknown kind of assertion: left out")
    return tuple(words), tuple(checks)


def _assertion(value: Value, path: str) -> Check | str:
    """A check that code can make, else what it says in words; empty when it says nothing."""
    if value.kind == "text":
        return value.text
    if value.kind != "mapping":
        raise _wrong(path, value.line, "an assertion must be text or an object")
    kind = _get(value, "type") or _get(value, "check") or _get(value, "kind")
    named = NAMES.get(kind.text.lower().replace("-", "_")) if kind is not None and kind.kind == "text" else None
    if named is None:
        return next((one.text for key in _IN_WORDS if (one := _get(value, key)) and one.kind == "text"), "")
    many = next((one for key in _MANY_TEXTS if (one := _get(value, key)) and one.kind == "list"), None)
    single = next((one for key in _ONE_TEXT if (one := _get(value, key))), None)
    if single is not None and single.kind == "list":
        many, single = single, None
    texts = tuple(one.text for one in (many.items if many else (single,) if single else ()))
    return _valid_check(Check(named, texts, exact=_exact(named, value), line=value.line), value, path)


def _valid_check(check: Check, value: Value, path: str) -> Check:
    number = check.texts[0] if check.texts else ""
    if check.kind in ("max_length", "min_length"):
        found = _get(value, "max") or _get(value, "min") or _get(value, "characters")
        number = found.text if found is not None else number
        if not number.isascii() or not number.isdigit() or len(number) > 9:
            raise _wrong(path, value.line, f"{check.kind} needs a whole number of characters")
        check = check._replace(texts=(), number=int(number))
    elif check.kind == "json_schema":
        schema = _get(value, "schema") or _get(value, "value")
        if schema is None or schema.kind != "mapping":
            raise _wrong(path, value.line, "json_schema needs a schema (an object)")
        plain = {key: one for key, one in _plain_object(schema).items() if key not in ("$schema", "$id")}
        check = check._replace(texts=(), schema=json.dumps(plain))
    elif check.kind == "json":
        check = check._replace(texts=())
    elif check.kind != "code" and not check.texts:
        raise _wrong(path, value.line, f"{check.kind} needs a value (text)")
    if why := problem_with(check):
        raise _wrong(path, value.line, f"{check.kind}: {why}")
    return check


def _exact(kind: str, value: Value) -> bool:
    """Text is looked for without regard to case, a pattern with it, where nothing else is said."""
    if (said := _get(value, "case_sensitive")) is not None:
        return said.text == "true"
    flags = _get(value, "flags")
    quiet = any((one := _get(value, key)) is not None and one.text == "true" for key in ("ignore_case", "ci"))
    return kind in ("regex", "not_regex") and not quiet and "i" not in (flags.text if flags else "")


def _plain(value: Value) -> object:
    if value.kind == "mapping":
        return _plain_object(value)
    if value.kind == "list":
        return [_plain(one) for one in value.items]
    return value.text if value.kind == "text" else json.loads(value.text)


def _plain_object(value: Value) -> dict[str, object]:
    return {key: _plain(one) for key, one in value.entries}


def _get(value: Value, key: str) -> Value | None:
    return next((one for name, one in reversed(value.entries) if name == key), None)


def _wrong(path: str, line: int, what: str) -> UsageError:
    return UsageError(f"{path}:{line}: {what}")


FILE = "evals/evals.json"
AUTHOR = "sonnet"
DRAFTED = 8  # tasks, if none exist: with fewer an interval says little
_LIKELY_TASK = 120  # tokens of one, a guess, for estimates
_LONGEST_FILE = 20_000  # of one attached file
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
        """Whether people wrote them; drafts of a model are not reviewed."""
        return not self.author


def read_tasks(skill: Skill) -> Tasks | None:
    """The tasks in a skill's folder, None without such a file or without a task in it. Raises ``UsageError`` with file and line."""
    file = os.path.join(skill.directory, *FILE.split("/"))
    if not os.path.isfile(file):
        return None
    path = os.path.join(os.path.dirname(skill.source.path), FILE).replace(os.sep, "/")
    source = read_source(file, path)
    if source.problem is not None:
        raise UsageError(f"{path}:{source.problem.line}: {source.problem.message}")
    named, rows, notes = rows_in(source.text, path)
    more = [*notes]
    if named and named.rpartition(":")[2] != skill.name:
        more.append(f"{path} is for a skill called {named[:60]}, but this skill is {skill.name}")
    tasks = tuple(task for row in rows if (task := _task(row, skill, path, more)) is not None)
    return Tasks(skill.name, path, digest_of(tasks), tasks, notes=tuple(more)) if tasks else None


async def draft_tasks(skill: Skill, ask: Ask, number: int = DRAFTED, author: str = AUTHOR) -> Tasks | Unmeasurable:
    """Tasks that a model writes from name and description alone, so that they do not fit the wording of the body."""
    outcome = await ask(draft_request(skill, number, author), 0)
    if isinstance(outcome, Failure):
        return Unmeasurable(f"the tasks could not be written ({failure_text(outcome)})", ((outcome.kind, 1),))
    texts = _texts_in(outcome, number)
    tasks = tuple(Task(f"t{place:02}", text) for place, text in enumerate(texts, 1))
    if not tasks:
        return Unmeasurable("the model wrote no task", (("reply", 1),))
    return Tasks(skill.name, "", digest_of(tasks), tasks, author)


def draft_request(skill: Skill, number: int, author: str) -> Request:
    """The request for tasks."""
    schema = object_schema(tasks={"type": "array", "items": {"type": "string"}, "minItems": number, "maxItems": number})
    about, ask = prompt_template("help", "writer_system"), prompt_template("help", "writer")
    blocks = (Block(about), Block(quote_skill(listed_text(skill))))
    user = (Block(fill_template(ask, tasks=number)),)
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
    """The text of a file in the skill's folder; None for what belongs to the skill itself."""
    base = os.path.realpath(skill.directory)
    places = [os.path.realpath(os.path.join(base, folder, name)) for folder in ("", "evals")]
    file = next((place for place in places if os.path.isfile(place)), places[0])
    inside = os.path.relpath(file, base).split(os.sep)
    if inside[0] == os.pardir:
        return Unmeasurable("it is outside the skill's folder")
    if not os.path.isfile(file):
        return Unmeasurable("no such file")
    if inside[0] in _OF_THE_SKILL or len(inside) == 1:
        return None
    source = read_source(file, name)
    if source.problem is not None:
        return Unmeasurable("it cannot be read as text")
    return source.text if len(source.text) <= _LONGEST_FILE else Unmeasurable("it is too long")
