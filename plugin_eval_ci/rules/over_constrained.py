"""More than 15 capital-letter directives.

## What it flags

A skill whose prose holds MUST, NEVER or ALWAYS more than 15 times, in capital letters and as whole words. Code
blocks, inline code, comments and the frontmatter do not count. The finding stands on the line of the sixteenth.

## Why

Where everything is shouted, nothing stands out: the model can no longer tell the two rules that matter from the rest,
and it has no reasons to go by when a case is not covered.

## Bad

```markdown
- You MUST read the export first.
- ALWAYS group rows by shelf.
- NEVER round a count.
  (and thirteen more of these)
```

## Good

```markdown
Read the export first: the later steps need its shelf numbers.
Group rows by shelf, so that the printed list follows the aisle.

NEVER round a count; the order system rejects the file.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.parse.facts import directive_lines
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "anti-pattern"
WEIGHT: float | None = 0.1

_LIMIT = 15


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the first directive too many."""
    lines = directive_lines(skill.body)
    if len(lines) > _LIMIT:
        message = (
            f"{len(lines)} directives (MUST, NEVER, ALWAYS) in capital letters; more than {_LIMIT} weaken each other"
        )
        fix = "Keep capital letters for the few rules that must not break, and give reasons for the others."
        yield Hit(lines[_LIMIT], message, fix, "directives")
