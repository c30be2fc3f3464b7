"""The file has no frontmatter.

## What it flags

A SKILL.md or an agent's file whose first line is not `---`, and that has no frontmatter further down either. An empty
file counts.

## Why

Clients learn the name and the description from the frontmatter. Without it the skill is never offered to the model.

## Bad

```markdown
# Stock report

Builds the weekly stock report.
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

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_skill_header

SEVERITY = Severity.ERROR
GROUP: Group = "header"


def check(document: Document) -> Iterator[Hit]:
    """The header's problem if it is this one."""
    path = document.source.text.strip()
    if "\n" not in path and path.endswith(".md") and path.startswith("../"):
        target = os.path.normpath(os.path.join(os.path.dirname(document.source.file), path))
        dead = not os.path.isfile(target)
        message = f"this is a symbolic link to {quote(path)} that was checked out as text"
        fix = "Check out with core.symlinks on."  # nothing is wrong in the repository, unless the link leads nowhere
        if dead:
            message, fix = f"{message}, and its target does not exist", "Correct the link, or remove the skill."
        yield Hit(1, message, fix, severity=SEVERITY if dead else Severity.NOTICE)
        return
    yield from of_skill_header(document, "FM_MISSING", "no-header")
