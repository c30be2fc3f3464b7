"""metadata is not a map of words to text.

## What it flags

A skill's `metadata` that is not a map (a list, a piece of text, a number), or that has a list or another map below
one of its keys. One finding for each file. Numbers, dates and yes/no words as values are fine, and so is the one-line
form `{key: value}`.

## Why

The Agent Skills specification asks for text values. Claude Code drops a `metadata` that is not a map, and some clients
refuse the skill over a nested one.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
metadata:
  - area: north
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
metadata:
  area: north
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import value_of
from plugin_eval_ci.analysis.wording import kind_of, quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "fields"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit: on the key if it is not a map, else on the first nested value."""
    value = value_of(skill, "metadata")
    if value is None or (value.kind == "null" and not value.text):
        return
    if value.kind != "mapping":
        from plugin_eval_ci.clients.loading import dropped_by

        message = f"metadata is {kind_of(value)}, not a map of key: value lines: {dropped_by('metadata')}"
        yield Hit(skill.header.line("metadata"), message, "Write one key: value line for each entry.", "metadata")
        return
    nested = [(key, below) for key, below in value.entries if below.kind in ("list", "mapping")]
    if nested:
        from plugin_eval_ci.clients import metadata_keys

        nested = [(key, below) for key, below in nested if key not in metadata_keys()]
    if nested:
        key, below = nested[0]
        more = f" (and {len(nested) - 1} more)" if len(nested) > 1 else ""
        message = f"metadata.{quote(key)[1:-1]} is {kind_of(below)}{more}; the specification allows text only"
        yield Hit(
            below.line,
            message,
            "Write the value as text, or keep it in a file of its own.",
            "metadata",
            severity=Severity.NOTICE,
        )
