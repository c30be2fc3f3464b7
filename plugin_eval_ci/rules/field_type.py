"""license or compatibility is not text.

## What it flags

A skill's `license` or `compatibility` that is a list, a mapping, a number, a date or a yes/no word, and a
`compatibility` that is empty.

## Why

The Agent Skills specification asks for text (1 to 500 characters for `compatibility`). Strict readers refuse the
file, others drop the field.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
compatibility: [macos, linux]
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
compatibility: macOS or Linux, needs jq
---
```

## How to turn it off

Add `FIELD_TYPE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore FIELD_TYPE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.facts import is_blank, value_of
from plugin_eval_ci.rules.wording import kind_of

SEVERITY = Severity.WARNING
GROUP: Group = "fields"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(skill: Skill) -> Iterator[Hit]:
    """One hit for each of the two fields, on its line."""
    for key in ("license", "compatibility"):
        value = value_of(skill, key)
        if value is None:
            continue
        if value.kind not in ("text", "null"):
            message = f"{key} is {kind_of(value)}, text is expected"
            yield Hit(skill.header.line(key), message, f"Write {key} as one text, in quotes.", key)
        elif key == "compatibility" and is_blank(value):
            yield Hit(skill.header.line(key), "compatibility is empty", "Fill it in, or remove the line.", key)
