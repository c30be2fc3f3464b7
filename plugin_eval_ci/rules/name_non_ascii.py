"""The name has letters outside a-z.

## What it flags

A skill's `name` with letters or digits that are not a-z or 0-9, such as é or 数. A warning and no error: the Agent
Skills specification names a-z, its reference validator accepts lower-case letters of every script. Silent where
NAME_FORMAT already speaks of the name.

## Why

About half of the clients refuse such names, and two spellings that look the same can be different bytes.

## Bad

```markdown
---
name: café-menu
description: Writes the weekly menu. Use when someone asks for the menu.
---
```

## Good

```markdown
---
name: cafe-menu
description: Writes the weekly menu. Use when someone asks for the menu.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import declared_name
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.name_format import faults

SEVERITY = Severity.ERROR
GROUP: Group = "name"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit with the letters in question."""
    name = declared_name(skill)
    if name is None or name.isascii() or faults(name):
        return
    letters = "".join(dict.fromkeys(char for char in name if not char.isascii()))
    from plugin_eval_ci.clients.loading import dropped_by

    message = f"the name {quote(name)} has {quote(letters)[1:-1]}: {dropped_by('name-characters')}"
    yield Hit(skill.header.line("name"), message, "Use the letters a-z, digits and hyphens only.", "name")
