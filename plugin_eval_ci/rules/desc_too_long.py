"""The description has more than 1,024 characters.

## What it flags

A skill's description of more than 1,024 characters. They are counted after folding and as JavaScript does, so an emoji is
two. Agents' descriptions have no such limit.

## Why

The Agent Skills specification sets the limit. Copilot CLI drops the skill, Codex cuts the description, and upload pages
refuse it.

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
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "description"
SUBSUMES: tuple[str, ...] = ("DESC_LISTING_CUT",)

_LIMIT = 1_024


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the description."""
    field = skill.header.field("description")
    if field is None or field.value.kind != "text" or 2 * len(field.value.text) <= _LIMIT:
        return
    from plugin_eval_ci.clients.loading import dropped_by, units

    length = units(field.value.text.rstrip("\n"))
    if length > _LIMIT:
        message = (
            f"the description has {length:,} characters, more than {_LIMIT:,}: {dropped_by('description-length')},"
            " Codex cuts the rest"
        )
        fix = "Shorten it to what helps to choose the skill; the rest belongs in the text."
        yield Hit(skill.header.line("description"), message, fix, "description")
