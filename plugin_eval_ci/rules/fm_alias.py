"""A YAML anchor is used in the frontmatter.

## What it flags

An alias (`*name`) that repeats a value marked with an anchor (`&name`). One finding for each file, on the first
alias.

## Why

The clients that were tested read anchors. Other readers know a smaller YAML without them, and scanners distrust them:
anchors can nest until a reader runs out of memory.

## Bad

```markdown
---
name: stock-report
description: &about Builds the weekly stock report. Use when someone asks for stock levels.
metadata:
  summary: *about
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
metadata:
  summary: Weekly stock report
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_header

SEVERITY = Severity.NOTICE
GROUP: Group = "header"


def check(document: Document) -> Iterator[Hit]:
    """The header's problems of this kind."""
    return of_header(document, "FM_ALIAS")
