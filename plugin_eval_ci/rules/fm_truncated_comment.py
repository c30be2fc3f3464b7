"""A # cuts the value short.

## What it flags

A `description`, `when_to_use`, `argument-hint` or `compatibility` without quotes that has ` #` in it. YAML reads the
rest of the line as a comment. `#` inside quotes, in a block (`|` or `>`) or inside a word (`C#`) is not a comment.

## Why

The file looks complete, yet clients see only the words before the `#`. Often it is the trigger that gets lost.

## Bad

```markdown
---
name: issue-triage
description: Sorts new tickets by label #bug or #docs. Use when tickets come in.
---
```

## Good

```markdown
---
name: issue-triage
description: "Sorts new tickets by label #bug or #docs. Use when tickets come in."
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_header

SEVERITY = Severity.WARNING
GROUP: Group = "header"


def check(document: Document) -> Iterator[Hit]:
    """The header's problems of this kind."""
    return of_header(document, "FM_TRUNCATED_COMMENT")
