"""Something comes before the frontmatter.

## What it flags

A SKILL.md or an agent's file with a `name:` or `description:` block between two `---` lines that does not begin on
line 1: an empty line, a heading or a comment comes first.

## Why

Clients learn the name and the description from the frontmatter. Most look for `---` on the very first line; one empty
line before it is enough for them to see no skill at all.

## Bad

```markdown
<!-- reviewed in May -->
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---

<!-- reviewed in May -->
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
    return of_skill_header(document, "FM_NOT_FIRST", "no-header")
