"""The description is missing.

## What it flags

A skill or an agent without `description`, or whose description is null or blank. The finding is on the line of
the key, or on line 1.

## Why

The model chooses by the description. Clients that follow the specification skip a skill without one; Claude Code
falls back to the first paragraph of the text, which was not written for that.

## Bad

```markdown
---
name: stock-report
description:
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

from plugin_eval_ci.analysis.headers import is_blank, value_of
from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "description"
SUBSUMES: tuple[str, ...] = ("EMPTY_DESCRIPTION", "MISSING_TRIGGER")


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the key if there is one."""
    value = value_of(document, "description")
    if document.header.problem is None and is_blank(value):
        message = "the description is missing" if value is None else "the description is empty"
        fix = "Add a description: what it does, and when to use it."
        severity = SEVERITY
        if isinstance(document, Skill):
            from plugin_eval_ci.clients.loading import dropped_by

            defect = "missing" if value is None else "null" if value.kind == "null" else "empty"
            message = f"{message}: {dropped_by('description-' + defect)}"
        elif not _needs_one(document):
            severity = Severity.NOTICE
        yield Hit(document.header.line("description"), message, fix, "description", severity=severity)


def _needs_one(document: Document) -> bool:
    """Whether a client that loads this agent does not do so without a description."""
    from plugin_eval_ci.clients import requires
    from plugin_eval_ci.discover.clients import clients_of

    return requires("agent", "description", clients_of(document))
