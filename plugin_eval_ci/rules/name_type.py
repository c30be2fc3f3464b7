"""The name is not text.

## What it flags

A `name` that YAML reads as something else than text: a yes/no word (`no`, `on`, `true`), a number (`31`, `0x1f`), a
date (`2024-01-01`), a list or a mapping. Null is NAME_MISSING.

## Why

YAML readers disagree: one hands on the word as written, the next a truth value or a date, and the client looks for a
skill that is called False.

## Bad

```markdown
---
name: no
description: Translates product texts to Norwegian. Use when a text is for the Norwegian shop.
---
```

## Good

```markdown
---
name: "no"
description: Translates product texts to Norwegian. Use when a text is for the Norwegian shop.
---
```

## How to turn it off

Add `NAME_TYPE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore NAME_TYPE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.facts import value_of
from plugin_eval_ci.rules.wording import kind_of

SEVERITY = Severity.ERROR
GROUP: Group = "name"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the name."""
    value = value_of(document, "name")
    if value is None or value.kind in ("text", "null"):
        return
    fix = "Write one name behind name:." if value.kind in ("list", "mapping") else "Put the name in quotes."
    yield Hit(document.header.line("name"), f"the name is {kind_of(value)}, text is expected", fix, "name")
