"""The description has XML or HTML tags.

## What it flags

A skill's description with a tag: a closing or self-closing one (`</note>`, `<br/>`), one with attributes, or an
opening one that is formatting in HTML (`<b>`, `<p>`, `<div>`). Left alone, although strict uploads refuse any angle
bracket: placeholders (`<name>`), comparisons (`a < b`), hearts (`<3`), types (`List<b>`) and addresses
(`<https://…>`). Agents are left alone too, since theirs hold `<example>` blocks by convention.

## Why

Anthropic's upload page and Skills API allow no XML tags in a description, because it is put into the system prompt,
where a tag could pass for an instruction.

## Bad

```markdown
---
name: stock-report
description: Builds the <b>weekly</b> stock report. Use when someone asks for stock levels.
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "description"

_FORMATTING = "b|i|u|em|strong|br|hr|p|div|span|ul|ol|li|tr|td|th|h[1-6]|img|script|style|iframe|pre|sub|sup"
_NAME = r"[A-Za-z_][\w.:-]{0,60}"
_CLOSED = rf"</{_NAME}\s*>|<{_NAME}\s*/>"
_OPEN = rf"(?<![\w<])<(?:(?i:{_FORMATTING})|{_NAME}\s+[\w:-]{{1,60}}=[\"'][^<>]{{0,200}})>"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit with the first tag."""
    description = skill.description
    found = re.search(f"{_CLOSED}|{_OPEN}", description) if "<" in description else None
    if found:
        message = f"the description has the tag {quote(found[0])}; uploads refuse descriptions with tags"
        yield Hit(skill.header.line("description"), message, "Write the description as plain text.", "description")
