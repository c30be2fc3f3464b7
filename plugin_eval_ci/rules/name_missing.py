"""The frontmatter gives no name.

## What it flags

A skill or an agent without `name`, or whose `name` is null or blank. A warning and no error: the Agent Skills
specification requires a name, Claude Code takes the folder's.

## Why

Clients that follow the specification skip a skill without a name. The others fall back to the folder's or the file's
name, which changes when somebody moves it.

## Bad

```markdown
---
description: Builds the weekly stock report. Use when someone asks for stock levels.
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

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import is_blank, plain_name, value_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "name"


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the key if there is one."""
    value = value_of(document, "name")
    if document.header.problem is not None or not is_blank(value):
        return
    from plugin_eval_ci.clients.loading import dropped_by

    is_skill = isinstance(document, Skill)
    if not is_skill and not _needs_one(document):
        return
    plain = "" if document.name in ("skills", "agents") else plain_name(document.name)[:64]
    fix = f"Add the line name: {plain}." if plain else "Add a line with the name."
    message = "the name is missing"
    kind = "name-missing"
    if value is not None:
        spelled = value.kind == "null" and value.text.isalpha()
        message = f"YAML reads name: {quote(value.text)} as no value" if spelled else "the name is empty"
        kind = "name-not-text" if value.kind == "null" else "name-empty"
        fix = "Put the name in quotes." if spelled else "Write a name after name:."
    if is_skill:
        message = f"{message}: {dropped_by(kind)}"
    severity = SEVERITY if is_skill else Severity.WARNING
    yield Hit(document.header.line("name"), message, fix, "name", severity=severity)


def _needs_one(document: Document) -> bool:
    """Whether a client that loads this agent does not go by the name of its file."""
    from plugin_eval_ci.clients import requires
    from plugin_eval_ci.discover.clients import clients_of

    return requires("agent", "name", clients_of(document))
