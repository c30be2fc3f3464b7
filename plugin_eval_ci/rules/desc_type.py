"""The description is not text.

## What it flags

A `description` that YAML reads as something else than text: a list, a mapping, a number, a date or a yes/no word.

## Why

Copilot CLI and OpenCode drop a skill whose description is not text, Codex if it is a list.

## Bad

```markdown
---
name: stock-report
description:
  - Builds the weekly stock report
  - Use when someone asks for stock levels
---
```

## Good

```markdown
---
name: stock-report
description: >-
  Builds the weekly stock report.
  Use when someone asks for stock levels.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import value_of
from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.name_type import not_text

SEVERITY = Severity.ERROR
GROUP: Group = "description"


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the description."""
    value = value_of(document, "description")
    found = not_text(document, "description", value) if value is not None and value.kind != "null" else None
    if found is not None:
        fix = "Write it as a string, in quotes if it contains ': ' or starts with a bracket."
        line = document.header.line("description")
        yield Hit(line, f"the description is {found[0]}", fix, "description", severity=found[1])
