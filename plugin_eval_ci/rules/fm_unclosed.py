"""The frontmatter is never closed.

## What it flags

A file whose first line is `---` and that has no second line of `---`.

## Why

Nothing tells where the metadata ends: clients drop the skill, or swallow its whole text as metadata, without a
message.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.

# Stock report
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---

# Stock report
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_skill_header

SEVERITY = Severity.ERROR
GROUP: Group = "header"


def check(document: Document) -> Iterator[Hit]:
    """The header's problems of this kind."""
    return of_skill_header(document, "FM_UNCLOSED", "header-unclosed")
