"""There is nothing to look at.

## What it flags

A run that found no skill, no agent and no plugin in what it was given.

## Why

A check that finds nothing to read passes. If the path in a workflow is wrong, nobody notices for months.

## Bad

```sh
plugin-eval lint docs/        # the skills are in skills/
```

## Good

```sh
plugin-eval lint skills/
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Collection, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_collection

SEVERITY = Severity.NOTICE
GROUP: Group = "layout"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Each named folder that holds nothing."""
    return of_collection(collection, "NO_SKILLS")
