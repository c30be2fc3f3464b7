"""The description speaks as "I" or "we".

## What it flags

A skill whose `description` has a sentence that begins in the first person, such as "I help you …", "I can …" or "We review …", in English,
Chinese, Japanese, Korean, Spanish, Portuguese, French or German. What stands in quotation marks is what the user says and is not flagged.

## Why

The client puts the description into the model's prompt. "I" there could be the model, the user or the skill, and
Anthropic's authoring guide asks for the third person.

## Bad

```markdown
---
name: stock-report
description: I can help you build the weekly stock report. Use when someone asks for stock levels.
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
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "description"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the description."""
    if not skill.description or not is_readable(skill):
        return
    from plugin_eval_ci.languages import first_person

    words = first_person(skill.description)
    if words:
        message = f"the description is in the first person ({quote(words)})"
        fix = 'Write it in the third person: what the skill does, as in "Builds the weekly report".'
        yield Hit(skill.header.line("description"), message, fix, "description")
