"""The SKILL.md is a symbolic link.

## What it flags

A SKILL.md that is a symbolic link to a file, in a folder from which Codex loads skills. A linked folder is fine.

## Why

Codex drops the skill. Every client that was tested follows a link to a whole folder.

## Bad

```text
skills/stock-report/SKILL.md -> ../../shared/stock-report.md
```

## Good

```text
skills/stock-report -> ../shared/stock-report
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Collection, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_collection

SEVERITY = Severity.ERROR
GROUP: Group = "file"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """What was met while looking for skills."""
    for path, hit in of_collection(collection, "FILE_SYMLINK"):
        from plugin_eval_ci.clients.loading import dropped_by

        yield path, hit._replace(message=f"this SKILL.md is a symbolic link: {dropped_by('file-link')}")
