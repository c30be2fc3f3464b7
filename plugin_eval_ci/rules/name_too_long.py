"""The name has more than 64 characters.

## What it flags

A skill's `name` of more than 64 characters.

## Why

The Agent Skills specification sets the limit; Codex and Copilot CLI drop the skill. They count as JavaScript does, so
an emoji is two.

## Bad

```markdown
---
name: weekly-stock-report-for-the-northern-warehouse-with-reorder-list-and-gaps
description: Builds the weekly stock report. Use when someone asks for stock levels.
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import declared_name
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "name"

_LIMIT = 64


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the name."""
    name = declared_name(skill)
    if name is None or 2 * len(name) <= _LIMIT:
        return
    from plugin_eval_ci.clients.loading import dropped_by, units

    if units(name) > _LIMIT:
        message = f"the name has {units(name):,} characters, more than {_LIMIT}: {dropped_by('name-length')}"
        yield Hit(skill.header.line("name"), message, "Shorten the name, and the folder's with it.", "name")
