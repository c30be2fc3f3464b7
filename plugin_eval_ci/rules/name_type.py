"""The name is not text.

## What it flags

A `name` that YAML reads as something else than text: a yes/no word (`no`, `on`, `true`), a number (`31`, `0x1f`), a
date (`2024-01-01`), a list or a mapping. Null is NAME_MISSING.

## Why

Copilot CLI and OpenCode drop a skill whose name is not text. Words such as `no` and `on` are a notice: the clients that
were tested take them as they are, older YAML readers make a truth value of them.

## Bad

```markdown
---
name: 31
description: Translates product texts to Norwegian. Use when a text is for the Norwegian shop.
---
```

## Good

```markdown
---
name: "31"
description: Translates product texts to Norwegian. Use when a text is for the Norwegian shop.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import value_of
from plugin_eval_ci.analysis.wording import kind_of
from plugin_eval_ci.model import Document, Hit, Severity, Skill, Value
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "name"


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the name."""
    value = value_of(document, "name")
    if value is None or value.kind == "null":
        return
    found = not_text(document, "name", value)
    if found is not None:
        fix = "Write one name after name:." if value.kind in ("list", "mapping") else "Put the name in quotes."
        yield Hit(document.header.line("name"), f"the name is {found[0]}", fix, "name", severity=found[1])


def not_text(document: Document, what: str, value: Value) -> tuple[str, Severity] | None:
    """What a value is where a text is expected, with who drops the skill for it; None for a text."""
    if value.kind == "text" and not value.text[:2].strip("+-").startswith((".", *"0123456789")):
        return None
    from plugin_eval_ci.clients.loading import dropped_by, scalar_kind

    kind = scalar_kind(value, document.source.text)
    if kind == "text" and value.kind == "text":
        return None
    shown = kind_of(value._replace(kind="number" if kind == "number" else value.kind))
    if kind == "text":  # yes, no, on, off: a truth value to older readers only
        return f"{shown} to readers of YAML 1.1; the clients tested read the word", Severity.NOTICE
    if not isinstance(document, Skill):
        return f"{shown}, not text", Severity.ERROR
    drops = "-list" if kind == "list" and what == "description" else "-date" if kind == "date" else "-not-text"
    return f"{shown}, not text: {dropped_by(what + drops)}", Severity.ERROR
