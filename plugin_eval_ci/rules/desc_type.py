"""The description is not text.

## What it flags

A `description` that YAML reads as something else than text: a list, a mapping, a number, a date or a yes/no word.

## Why

Clients expect one piece of text. Given a list they fail, or show the model nothing.

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

## How to turn it off

Add `DESC_TYPE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore DESC_TYPE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.facts import value_of
from plugin_eval_ci.rules.wording import kind_of

SEVERITY = Severity.ERROR
GROUP: Group = "description"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the description."""
    value = value_of(document, "description")
    if value is not None and value.kind not in ("text", "null"):
        fix = "Write it as one text, in quotes if it holds ': ' or begins with a bracket."
        message = f"the description is {kind_of(value)}, text is expected"
        yield Hit(document.header.line("description"), message, fix, "description")
