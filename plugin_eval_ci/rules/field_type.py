"""A field is not of the type that clients read.

## What it flags

A skill's `license` or `compatibility` that is not text, and a `compatibility` that is empty. In skills and agents
also the fields of Claude Code: a yes/no field (`disable-model-invocation`, `user-invocable`, `background`) that is
none of true, false, yes, no, on, off, 1 and 0; a list or a mapping where one text is expected (`model`, `context`,
`argument-hint`); a mapping where words are expected (`paths`, `arguments`); `hooks` that are no mapping. Where no
profile is certain of a type, nothing is said. Lists of tools are TOOLS_TYPE, `metadata` is METADATA_TYPE.

## Why

The Agent Skills specification asks for text in its own fields. Strict readers refuse the file, others drop the field.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
argument-hint: [area]
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
argument-hint: "[area]"
---
```

## How to turn it off

Add `FIELD_TYPE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore FIELD_TYPE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity, Skill, Value
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.facts import PORTABLE, is_blank, says_false, says_true, value_of
from plugin_eval_ci.rules.wording import kind_of, quoted

SEVERITY = Severity.WARNING
GROUP: Group = "fields"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()

_ELSEWHERE = frozenset({"tools", "disallowedTools", "disallowed-tools"}) | PORTABLE
_EXPECTED = {
    "text": ("one text is", "Write it as one text, in quotes."),
    "boolean": ("true or false is", "Write true or false."),
    "words": ("a text or a list of words is", "Write one word on a line, in quotes if it holds ': '."),
    "mapping": ("a map of key: value lines is", "Write one key: value line for each entry."),
    "number": ("a number is", "Write digits."),
}


def check(document: Document) -> Iterator[Hit]:
    """One hit for each field, on its line."""
    if isinstance(document, Skill):
        yield from _portable(document)
    for field in document.header.fields:
        if field.key in _ELSEWHERE or is_blank(field.value):
            continue
        from plugin_eval_ci.profiles import types_of

        types = types_of("skill" if isinstance(document, Skill) else "agent", field.key)
        if types and not any(_fits(field.value, kind) for kind in types):
            expected, fix = _EXPECTED[min(types)]
            shown = quoted(field.value.text) if field.value.kind == "text" else kind_of(field.value)
            yield Hit(field.line, f"{field.key} is {shown}, {expected} expected", fix, field.key)


def _portable(skill: Skill) -> Iterator[Hit]:
    for key in ("license", "compatibility"):
        value = value_of(skill, key)
        if value is None:
            continue
        if value.kind not in ("text", "null"):
            message = f"{key} is {kind_of(value)}, text is expected"
            yield Hit(skill.header.line(key), message, f"Write {key} as one text, in quotes.", key)
        elif key == "compatibility" and is_blank(value):
            yield Hit(skill.header.line(key), "compatibility is empty", "Fill it in, or remove the line.", key)


def _fits(value: Value, kind: str) -> bool:
    """Whether a client reads the value; a number or a date where text is expected is read as it is spelled."""
    if kind == "boolean":
        return says_true(value) or says_false(value)
    if kind == "words":
        return value.kind != "mapping" and all(item.kind not in ("list", "mapping") for item in value.items)
    if kind == "number":
        return value.kind == "number" or (value.kind == "text" and value.text.strip().isdigit())
    return value.kind == kind if kind == "mapping" else value.kind not in ("list", "mapping", "boolean")
