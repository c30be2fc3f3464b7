"""The skill takes arguments and does not say which.

## What it flags

A skill whose text has `$ARGUMENTS` outside fenced code, and whose frontmatter has no `argument-hint`. Skills
with `arguments` or `user-invocable: false` are left alone.

## Why

The client shows the hint to whoever types the name of the skill. Without it nobody knows what to type after it.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---

Count the stock of $ARGUMENTS.
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
argument-hint: "[warehouse]"
---

Count the stock of $ARGUMENTS.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import says_false, value_of
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "fields"

_ARGUMENTS = "$ARGUMENTS"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the first line that takes arguments."""
    if _ARGUMENTS not in skill.body.text or skill.header.problem is not None:
        return
    if any(skill.header.field(key) for key in ("argument-hint", "arguments")):
        return
    if "argument-hint" in skill.body.text:  # it teaches how skills are written
        return
    if says_false(value_of(skill, "user-invocable")):
        return
    lines = [prose.line for prose in skill.body.prose if _ARGUMENTS in prose.text]
    lines += [span.line for span in skill.body.code_spans if span.text.strip() == _ARGUMENTS]
    if lines:
        message = "the text uses $ARGUMENTS, but argument-hint is missing"
        yield Hit(min(lines), message, 'Add a line such as argument-hint: "[file]".', "argument-hint")
