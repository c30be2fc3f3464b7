"""The file cannot be read.

## What it flags

A SKILL.md or an agent's file that cannot be opened: no permission, a folder of that name, a link that leads nowhere,
a device. Also a folder that cannot be opened or lies more than 48 folders deep, because skills may be in it.

## Why

What this tool cannot open, a client cannot open either, and the skill is not there.

## Bad

```text
skills/stock-report/SKILL.md -> ../../shared/stock.md     (no such file)
```

## Good

```text
skills/stock-report/SKILL.md
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Collection, Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_collection, of_source

SEVERITY = Severity.ERROR
GROUP: Group = "file"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Folders that were not read while looking for skills."""
    return of_collection(collection, "FILE_UNREADABLE")


def check_document(document: Document) -> Iterator[Hit]:
    """The file's problem if it is this one."""
    for hit in of_source(document, "FILE_UNREADABLE"):
        file = document.source.file
        if os.path.islink(file) and not os.path.exists(file):
            message = f"the file is a link to {quote(os.readlink(file))}, which does not exist"
            hit = hit._replace(message=message, fix="Correct the link, or remove it.")
        yield hit
