"""A list of tools is neither text nor a list of words.

## What it flags

`allowed-tools`, `disallowed-tools`, `tools` or `disallowedTools` with a mapping, a number or a yes/no word as its
value, or with a mapping or a list among its items, as a `: ` in an item without quotes makes one.

## Why

Clients read a text with blanks or commas, or a list of words. Copilot CLI drops a skill whose `allowed-tools` is anything
else, also if it is empty: that is an error. Elsewhere it grants nothing, which is a warning.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
allowed-tools:
  - Bash(jq: .)
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
allowed-tools:
  - "Bash(jq: .)"
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import value_of
from plugin_eval_ci.analysis.wording import kind_of
from plugin_eval_ci.model import Document, Hit, Severity, Skill, Value
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "fields"

_KEYS = ("allowed-tools", "disallowed-tools", "tools", "disallowedTools")


def check(document: Document) -> Iterator[Hit]:
    """One hit for each key, on the value that is wrong."""
    for key in _KEYS:
        value = value_of(document, key)
        strict = key == "allowed-tools" and isinstance(document, Skill)
        wrong = _wrong(value, strict) if value is not None else None
        if value is None or wrong is None or not (strict or _reads_words(document, key)):
            continue
        what = key if wrong is value else f"an item of {key}"
        message = f"{what} is {kind_of(wrong)}, not a word or a list of words"
        if strict:
            from plugin_eval_ci.clients.loading import dropped_by

            message = f"{message}: {dropped_by('allowed-tools')}"
        fix = "Write the names of the tools, in quotes if they contain ': '."
        yield Hit(wrong.line, message, fix, key, severity=SEVERITY if strict else Severity.WARNING)


def _wrong(value: Value, strict: bool) -> Value | None:
    sound = ("text", "date") if strict else ("text", "null")
    if value.kind == "list":
        return next((item for item in value.items if not _is_word(item, sound)), None)
    return None if _is_word(value, sound) else value


def _is_word(value: Value, sound: tuple[str, ...]) -> bool:
    return value.kind in sound or (value.kind == "boolean" and value.text not in ("true", "false"))


def _reads_words(document: Document, key: str) -> bool:
    """Whether words are all that the clients of this document take; OpenCode has a map of tools."""
    from plugin_eval_ci.clients import types_of
    from plugin_eval_ci.discover.clients import clients_of

    kind = "skill" if isinstance(document, Skill) else "agent"
    return types_of(kind, key, () if kind == "skill" else clients_of(document)) == {"words"}
