"""Blanks follow the dashes of the frontmatter.

## What it flags

An opening or closing line of the frontmatter that is `---` with blanks or tabs behind it.

## Why

Several clients compare the line with exactly `---`. To them the frontmatter does not begin, or does not end.

## Bad

```text
---··
name: stock-report
---
```

(each · is a blank)

## Good

```text
---
name: stock-report
---
```

## How to turn it off

Add `FM_FENCE_STYLE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore FM_FENCE_STYLE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_header

SEVERITY = Severity.WARNING
GROUP: Group = "header"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(document: Document) -> Iterator[Hit]:
    """The header's problems of this kind."""
    return of_header(document, "FM_FENCE_STYLE")
