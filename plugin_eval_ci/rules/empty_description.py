"""The description says next to nothing.

## What it flags

A skill whose description is shorter than 20 characters. A Chinese, Japanese or Korean character counts as two. An
absent or blank description is shown as DESC_MISSING, and counted here. Nothing is added when the frontmatter cannot
be read, or when `name` or `description` is not text: that is reported by itself.

## Why

The model picks a skill by its description alone. A few words do not tell what the skill does and when to reach for
it.

## Bad

```markdown
---
name: stock-report
description: Stock reports
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report from the export. Use when someone asks for stock levels.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import is_readable
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "anti-pattern"
WEIGHT: float | None = 0.1

_LEAST = 20


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the description."""
    if len(skill.description) >= _LEAST or not is_readable(skill):
        return
    from plugin_eval_ci.languages import weighted_length

    length = weighted_length(skill.description)
    if length < _LEAST:
        count = f"{length} character{'' if length == 1 else 's'}"
        message = f"the description has {count}; at least {_LEAST} are needed to say what the skill does"
        fix = "Write one or two sentences: what the skill does, and when to use it."
        yield Hit(skill.header.line("description"), message, fix, "description")
