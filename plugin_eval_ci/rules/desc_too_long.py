"""The description has more than 1,024 characters.

## What it flags

A skill's description of more than 1,024 characters. Characters are counted, not bytes, after folding and without
blanks at either end. Agents' descriptions have no such limit.

## Why

The Agent Skills specification sets the limit. Codex and the Skills API refuse a longer one, so the skill is not
there.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when … (and 1,400 characters more)
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---
```

## How to turn it off

Add `DESC_TOO_LONG` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore DESC_TOO_LONG`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "description"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ("DESC_LISTING_CUT",)

_LIMIT = 1_024


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the description."""
    length = len(skill.description)
    if length > _LIMIT:
        message = f"the description has {length:,} characters; at most {_LIMIT:,} are allowed"
        fix = "Shorten it to what helps to choose the skill; the rest belongs in the text."
        yield Hit(skill.header.line("description"), message, fix, "description")
