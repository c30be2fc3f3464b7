"""A list of tools is neither text nor a list of words.

## What it flags

`allowed-tools`, `disallowed-tools`, `tools` or `disallowedTools` with a mapping, a number or a yes/no word as its
value, or with a mapping or a list among its items, as a `: ` in an item without quotes makes one.

## Why

Clients read a text with blanks or commas, or a list of words. Anything else grants nothing, or the skill is not
loaded.

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

## How to turn it off

Add `TOOLS_TYPE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore TOOLS_TYPE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity, Value
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.facts import value_of
from plugin_eval_ci.rules.wording import kind_of

SEVERITY = Severity.WARNING
GROUP: Group = "fields"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()

_KEYS = ("allowed-tools", "disallowed-tools", "tools", "disallowedTools")


def check(document: Document) -> Iterator[Hit]:
    """One hit for each key, on the value that is wrong."""
    for key in _KEYS:
        value = value_of(document, key)
        wrong = _wrong(value) if value is not None else None
        if wrong is not None:
            what = key if wrong is value else f"an item of {key}"
            message = f"{what} is {kind_of(wrong)}; words, or a list of words, are expected"
            yield Hit(wrong.line, message, "Write the names of the tools, in quotes if they hold ': '.", key)


def _wrong(value: Value) -> Value | None:
    if value.kind == "list":
        return next((item for item in value.items if item.kind not in ("text", "null")), None)
    return None if value.kind in ("text", "null") else value
