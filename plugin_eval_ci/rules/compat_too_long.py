"""compatibility has more than 500 characters.

## What it flags

A skill's `compatibility` of more than 500 characters.

## Why

The Agent Skills specification sets the limit, and validators that follow it refuse the skill.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
compatibility: Needs jq 1.6 or newer … (and 600 characters more)
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
compatibility: Needs jq 1.6 or newer
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "fields"

_LIMIT = 500


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the field."""
    length = len(skill.header.text("compatibility") or "")
    if length > _LIMIT:
        message = f"compatibility has {length:,} characters; the specification allows {_LIMIT}"
        yield Hit(
            skill.header.line("compatibility"),
            message,
            "Keep what must be installed, and move the rest.",
            "compatibility",
        )
