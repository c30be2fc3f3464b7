"""A folder of skills/ has no SKILL.md.

## What it flags

A folder directly in a `skills` folder that holds Markdown files, but neither a SKILL.md nor folders that could be
skills. It is an error if one of them has the frontmatter of a skill, else a notice.

## Why

No client loads it. Often the main file was given the skill's name instead of SKILL.md.

## Bad

```text
skills/stock-report/stock-report.md
```

## Good

```text
skills/stock-report/SKILL.md
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Collection, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_collection

SEVERITY = Severity.NOTICE
GROUP: Group = "file"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """What was met while looking for skills."""
    for path, hit in of_collection(collection, "FILE_MISSING"):
        if hit.severity == Severity.ERROR:
            from plugin_eval_ci.clients.loading import dropped_by

            hit = hit._replace(message=f"{hit.message}: {dropped_by('file-name')}")
        yield path, hit
