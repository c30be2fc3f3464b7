"""A link leads out of the repository.

## What it flags

A symbolic link to a folder, or a SKILL.md that is one, whose target lies outside the repository. Nothing of the
target is read.

## Why

Whoever clones the repository or installs the plugin does not have the target. Clients skip such links, because they
could lead anywhere.

## Bad

```text
skills/stock-report -> /home/ada/skills/stock-report
```

## Good

```text
skills/stock-report -> ../shared/stock-report
```

## How to turn it off

Add `REF_ESCAPE` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore REF_ESCAPE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Collection, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_collection

SEVERITY = Severity.WARNING
GROUP: Group = "links"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """What was met while looking for skills."""
    return of_collection(collection, "REF_ESCAPE")
