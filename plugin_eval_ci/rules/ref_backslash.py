"""A path is written with backslashes.

## What it flags

A link, or a path in inline code that the reader is told to open, with `\\` between its folders.

## Why

Only Windows reads it as a path; Markdown and every other system see one odd file name.

## Bad

```markdown
See [the plan](references\\plan.md).
```

## Good

```markdown
See [the plan](references/plan.md).
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.references import references_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "links"


def check(skill: Skill) -> Iterator[Hit]:
    """Targets with a backslash, each once a file."""
    seen: set[tuple[str, str]] = set()
    for reference in references_of(skill):
        key = (reference.file, reference.target)
        if "\\" in reference.target and key not in seen:
            seen.add(key)
            message = f"{quote(reference.target)} uses backslashes: only Windows reads that as a path"
            yield Hit(
                reference.line,
                message,
                f"Write {quote(reference.local.path)}.",
                reference.local.path,
                path=reference.file,
            )
