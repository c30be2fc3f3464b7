"""The frontmatter is not a list of keys and values.

## What it flags

Frontmatter that is valid YAML and still holds no keys: a list, a bare sentence, a number, or nothing between the two
`---` lines.

## Why

Without keys the skill has no name and no description, so no client can offer the skill.

## Bad

```markdown
---
- stock-report
- Builds the weekly stock report.
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

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_skill_header

SEVERITY = Severity.ERROR
GROUP: Group = "header"


def check(document: Document) -> Iterator[Hit]:
    """The header's problems of this kind."""
    return of_skill_header(document, "FM_NOT_MAPPING", "header-without-keys")
