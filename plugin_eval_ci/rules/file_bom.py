"""The file begins with a byte order mark.

## What it flags

A SKILL.md or an agent's file whose first three bytes are the UTF-8 byte order mark, as Notepad and older PowerShell
write it.

## Why

The mark is invisible, yet it stands before `---`. Clients that compare the first line exactly see no frontmatter.

## Bad

```text
EF BB BF 2D 2D 2D 0A     the mark, then ---
```

## Good

```text
2D 2D 2D 0A              ---
```

## How to turn it off

Add `FILE_BOM` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore FILE_BOM`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "file"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(document: Document) -> Iterator[Hit]:
    """One hit, on line 1."""
    if document.source.bom:
        message = "the file begins with a byte order mark, which hides the frontmatter from some clients"
        yield Hit(1, message, "Save the file as UTF-8 without a byte order mark.")
