"""More than 800 lines, and nothing moved into references/.

## What it flags

A SKILL.md of more than 800 lines in a skill without a non-empty file below `references/`. A newline at the end of the
file does not begin another line. The finding stands on line 801.

## Why

The whole file is read into the model's context each time the skill is used, needed or not. Files in `references/` are
read only when a step calls for them.

## Bad

```text
stock-report/
  SKILL.md            1,140 lines
```

## Good

```text
stock-report/
  SKILL.md            210 lines: the steps, and when to read which file
  references/fields.md
  references/errors.md
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "anti-pattern"
WEIGHT: float | None = 0.1
SUBSUMES: tuple[str, ...] = ("SKILL_LONG",)

_LIMIT = 800


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the first line too many."""
    count = skill.source.line_count
    if count > _LIMIT and not skill.reference_files:
        message = (
            f"{count:,} lines and no file in references/; more than {_LIMIT} are loaded each time the skill is used"
        )
        yield Hit(_LIMIT + 1, message, "Move detail that not every use needs into files below references/.", "lines")
