"""A key appears twice in the frontmatter.

## What it flags

A key that is given twice in the same mapping, at the top or inside `metadata` or another map. The finding is on
the second one and names the line of the first.

## Why

YAML asks for unique keys. Some readers take the last value without a word, others refuse the file; a person reads the
first.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
license: MIT
description: Old text.
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
license: MIT
---
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
    return of_skill_header(document, "FM_DUPLICATE_KEY", "key-twice")
