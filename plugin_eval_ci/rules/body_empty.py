"""There is nothing below the frontmatter.

## What it flags

A skill or an agent whose body is blank, or holds nothing but comments, rules and one heading. Nothing is added when the frontmatter
itself cannot be read.

## Why

The body is what the model is given when the skill is used. Without one it has only the description, which it has already read.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report from the export. Use when someone asks for stock levels.
---

# Stock report
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report from the export. Use when someone asks for stock levels.
---

# Stock report

Read the export and count the boxes of each shelf.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "content"

_LONGEST = 4_000  # characters of comments and blank lines, beyond which nobody would call it empty


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the heading or on the line that closes the frontmatter."""
    text = document.body.text
    if len(text) > _LONGEST or document.header.problem is not None or document.source.problem is not None:
        return
    left = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL) if "<!--" in text else text
    lines = [line.strip() for line in left.split("\n") if line.strip(" \t-*_=")]
    if not lines or (len(lines) == 1 and document.body.headings):
        line = document.body.headings[0].line if document.body.headings else max(1, document.header.end_line)
        what = "nothing but a heading" if lines else "nothing"
        fix = "Write what to do, step by step, or remove the file."
        yield Hit(line, f"there is {what} below the frontmatter", fix, "body")
