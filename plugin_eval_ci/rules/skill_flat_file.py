"""A Markdown file lies directly in skills/.

## What it flags

A Markdown file directly in a `skills` folder. README, index, changelog and licence files are left alone.

## Why

Clients load `skills/NAME/SKILL.md` only. A file beside the folders looks like a skill and is none.

## Bad

```text
skills/stock-report.md
```

## Good

```text
skills/stock-report/SKILL.md
```

## How to turn it off

Add `SKILL_FLAT_FILE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore SKILL_FLAT_FILE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Collection, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_collection

SEVERITY = Severity.NOTICE
GROUP: Group = "layout"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """What was met while looking for skills."""
    return of_collection(collection, "SKILL_FLAT_FILE")
