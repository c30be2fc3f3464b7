"""A field is not of the type that clients read.

## What it flags

An error in skills: a yes/no field (`disable-model-invocation`, `user-invocable`) that is anything but `true` or `false`
without quotes, and an `argument-hint` that is a list, a mapping, a number or a truth value. A warning in skills and
agents: a value that the clients of this file do not read, such as a list as `context` or text as `hooks`. A notice: a
`license` or `compatibility` that is not text. Lists of tools are TOOLS_TYPE, `metadata` is METADATA_TYPE.

## Why

Copilot CLI drops a skill for the first kind. `yes`, `on`, `"true"` and an empty value look fine to a person and to other
readers of YAML. The second kind has no effect where it was meant to have one.

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
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import PORTABLE, fits, is_blank, value_of
from plugin_eval_ci.analysis.wording import kind_of, quote
from plugin_eval_ci.model import Document, Field, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "fields"

_ELSEWHERE = frozenset({"tools", "disallowedTools", "disallowed-tools"}) | PORTABLE
_EXPECTED = {
    "text": ("one text", "Write it as a string, in quotes."),
    "boolean": ("true or false", "Write true or false, without quotes."),
    "words": ("a string or a list of words", "Write one word per line, in quotes if it contains ': '."),
    "mapping": ("a map of key: value lines", "Write one key: value line for each entry."),
    "number": ("a number", "Write digits."),
}


def check(document: Document) -> Iterator[Hit]:
    """One hit for each field, on its line."""
    if isinstance(document, Skill):
        yield from _portable(document)
    for field in document.header.fields:
        if field.key in _ELSEWHERE:
            continue
        dropped = _strict(document, field) if isinstance(document, Skill) else None
        if dropped is not None:
            yield dropped
        elif not is_blank(field.value):
            yield from _ignored(document, field)


def _strict(skill: Skill, field: Field) -> Hit | None:
    """A value for which a client drops the whole skill."""
    from plugin_eval_ci.clients.loading import dropped_by, refused_as

    kind = refused_as(field, skill.source.text)
    if kind is None:
        return None
    expected, fix = _EXPECTED[kind]
    shown = quote(field.value.text) if field.value.kind in ("text", "boolean") else kind_of(field.value)
    who = dropped_by(kind if kind == "boolean" else field.key)
    return Hit(field.line, f"{field.key} is {shown}, not {expected}: {who}", fix, field.key)


def _ignored(document: Document, field: Field) -> Iterator[Hit]:
    """A value that the clients of this document do not take: the field has no effect."""
    from plugin_eval_ci.clients import types_of
    from plugin_eval_ci.discover.clients import clients_of

    is_skill = isinstance(document, Skill)
    types = types_of("skill", field.key) if is_skill else types_of("agent", field.key, clients_of(document))
    if types and not any(fits(field.value, kind) for kind in types):
        expected, fix = _EXPECTED[min(types)]
        shown = quote(field.value.text) if field.value.kind == "text" else kind_of(field.value)
        yield Hit(field.line, f"{field.key} is {shown}, not {expected}", fix, field.key, severity=Severity.WARNING)


def _portable(skill: Skill) -> Iterator[Hit]:
    for key in ("license", "compatibility"):
        value, fix = value_of(skill, key), f"Write {key} as a string, in quotes."
        if value is None or (value.kind == "text" and value.text.strip()) or (key == "license" and is_blank(value)):
            continue
        message = f"{key} is {kind_of(value) if value.kind != 'text' else 'empty'}; the specification asks for a string"
        yield Hit(skill.header.line(key), message, fix, key, severity=Severity.NOTICE)
