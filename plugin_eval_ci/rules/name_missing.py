"""The frontmatter gives no name.

## What it flags

A skill or an agent without `name`, or whose `name` is null or blank. A warning and no error: the Agent Skills
specification requires a name, Claude Code takes the folder's.

## Why

Clients that follow the specification skip a skill without a name. The others fall back to the folder's or the file's
name, which changes when somebody moves it.

## Bad

```markdown
---
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

## How to turn it off

Add `NAME_MISSING` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore NAME_MISSING`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.facts import is_blank, plain_name, value_of
from plugin_eval_ci.rules.wording import quoted

SEVERITY = Severity.WARNING
GROUP: Group = "name"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the key if there is one."""
    value = value_of(document, "name")
    if document.header.problem is not None or not is_blank(value):
        return
    plain = plain_name(document.name)[:64]
    fix = f"Add the line name: {plain}." if plain else "Add a line with the name."
    message = "there is no name"
    if value is not None:
        spelled = value.kind == "null" and value.text.isalpha()
        message = f"YAML reads name: {quoted(value.text)} as no value" if spelled else "the name is empty"
        fix = "Put the name in quotes." if spelled else "Write a name behind name:."
    yield Hit(document.header.line("name"), message, fix, "name")
