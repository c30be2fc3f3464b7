"""Labels in the forms of other tools, told apart by what they hold, to prompts.

None of them says of what kind a prompt is, who reviewed it, or which idea it was written from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plugin_eval_ci.config.yaml_values import compose
from plugin_eval_ci.errors import UnreadableError
from plugin_eval_ci.evals.trials.catalogue import NONE, TARGET
from plugin_eval_ci.evals.trials.labels.file import text_in
from plugin_eval_ci.model import Value
from plugin_eval_ci.parse import json_lines

_WANTED = ("should_trigger", "expected_trigger")


class RawPrompt(NamedTuple):
    """A prompt with the skills that are right for it, as they are written; ``none`` alone where none is."""

    text: str
    expect: tuple[str, ...]
    line: int


class ForeignLabels(NamedTuple):
    """What a file holds: the name of its form, the skill it names (empty where it names none), its prompts."""

    form: str
    skill: str
    prompts: tuple[RawPrompt, ...]


def root_of(text: str, is_json: bool) -> Value | None:
    """What a text says, as YAML or JSON. Raises ``UnreadableError``."""
    if not is_json:
        return compose(text)
    loaded = json_lines.parse(text)
    if loaded.problem is not None or loaded.value is None:
        problem = loaded.problem
        raise UnreadableError(
            problem.line if problem else 1, problem.message if problem else "not valid JSON (the file is empty)"
        )
    return loaded.value


def foreign_in(root: Value | None) -> ForeignLabels | None:
    """The labels in a form that is known; None in any other. Raises ``UnreadableError`` for a known form that is broken."""
    if root is None:
        return None
    for form in (_skill_creator, _fire, _waza, _exam, _caliper):
        found = form(root)
        if found is not None:
            return found
    return None


def _skill_creator(root: Value) -> ForeignLabels | None:
    """A list of ``query`` and ``should_trigger``, or the same below ``evals`` or ``cases``, where tasks without a label may stand, too."""
    listed = root if root.kind == "list" else _under(root, "evals", "queries", "cases", "test_cases")
    if listed is None or not any(_under(item, *_WANTED) for item in listed.items):
        return None
    prompts = []
    for item in listed.items:
        wanted, text = _under(item, *_WANTED), _under(item, "query", "prompt")
        if wanted is None:
            continue
        if wanted.kind != "boolean" or text is None:
            raise UnreadableError(item.line, "an entry needs a query and should_trigger: true or false")
        prompts.append(RawPrompt(text_in("query", text), (TARGET if _true(wanted) else NONE,), item.line))
    return ForeignLabels("skill-creator", _text(root, "skill_name", "skill"), tuple(prompts))


def _fire(root: Value) -> ForeignLabels | None:
    return _two_lists("doodle", root, ("should_fire",), ("should_not_fire",))


def _waza(root: Value) -> ForeignLabels | None:
    return _two_lists(
        "waza",
        root,
        ("should_trigger_prompts", "shouldTriggerPrompts", "should_trigger"),
        ("should_not_trigger_prompts", "shouldNotTriggerPrompts", "should_not_trigger"),
    )


def _exam(root: Value) -> ForeignLabels | None:
    return _two_lists("agent-exam", root, ("positive",), ("negative",)) if _text(root, "kind") == "trigger" else None


def _caliper(root: Value) -> ForeignLabels | None:
    """Tasks with ``activates``: the set of skills that is to load. Any of a set is right here, because one choice is measured."""
    tasks = _under(root, "tasks")
    if tasks is None or not any(_under(task, "activates") for task in tasks.items):
        return None
    prompts = []
    for task in tasks.items:
        wanted, text = _under(task, "activates"), _under(task, "prompt")
        if wanted is None or wanted.kind == "null":
            continue
        if wanted.kind != "list" or any(name.kind != "text" for name in wanted.items) or text is None:
            raise UnreadableError(task.line, "a task needs a prompt, and activates a list of names")
        names = tuple(name.text for name in wanted.items)
        prompts.append(RawPrompt(text_in("prompt", text), names or (NONE,), task.line))
    return ForeignLabels("caliper", "", tuple(prompts))


def _two_lists(form: str, root: Value, yes: tuple[str, ...], no: tuple[str, ...]) -> ForeignLabels | None:
    sides = [(_under(root, *keys), expect) for keys, expect in ((yes, TARGET), (no, NONE))]
    if root.kind != "mapping" or not any(side for side, _ in sides):
        return None
    prompts = []
    for side, expect in sides:
        if side is not None and side.kind not in ("list", "null"):
            raise UnreadableError(side.line, "prompts must be a list")
        prompts += [
            RawPrompt(text_in("prompt", text), (expect,), text.line) for text in _flat(side.items if side else ())
        ]
    return ForeignLabels(form, _text(root, "skill", "skill_name"), tuple(prompts))


def _flat(items: Iterable[Value]) -> Iterator[Value]:
    """Texts, texts below ``prompt``, and those of lists that an anchor put into the list."""
    for item in items:
        if item.kind == "list":
            yield from (inner for inner in item.items if inner.kind == "text")
        elif item.kind == "mapping":
            if (text := _under(item, "prompt", "query", "text")) is None:
                raise UnreadableError(item.line, "an entry needs a prompt")
            yield text
        else:
            yield item


def _under(node: Value, *keys: str) -> Value | None:
    return next((value for key, value in node.entries if key in keys), None)


def _text(node: Value, *keys: str) -> str:
    value = _under(node, *keys)
    return value.text.strip() if value is not None and value.kind == "text" else ""


def _true(node: Value) -> bool:
    return node.text.lower() in ("true", "yes", "on", "y")
