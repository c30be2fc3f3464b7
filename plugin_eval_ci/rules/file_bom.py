"""The file begins with a byte order mark.

## What it flags

A SKILL.md or an agent's file whose first three bytes are the UTF-8 byte order mark, as Notepad and older PowerShell
write it.

## Why

The mark is invisible, yet it comes before `---`. Codex and Gemini CLI then see no frontmatter and drop the skill. For an
agent it is a warning.

## Bad

```text
EF BB BF 2D 2D 2D 0A     the mark, then ---
```

## Good

```text
2D 2D 2D 0A              ---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "file"


def check(document: Document) -> Iterator[Hit]:
    """One hit, on line 1."""
    if document.source.bom:
        from plugin_eval_ci.clients.loading import dropped_by

        is_skill = isinstance(document, Skill)
        dropped = dropped_by("byte-order-mark") if is_skill else "some clients then see no frontmatter"
        fix = "Save the file as UTF-8 without a byte order mark."
        severity = SEVERITY if is_skill else Severity.WARNING
        yield Hit(1, f"the file begins with a byte order mark: {dropped}", fix, severity=severity)
