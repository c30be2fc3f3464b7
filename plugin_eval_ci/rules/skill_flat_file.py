"""A Markdown file is directly in skills/.

## What it flags

A Markdown file directly in a `skills` folder. It is a warning if it has the frontmatter of a skill, else a notice. READMEs
in any language, changelogs, licences, credits and pages of a documentation site are left alone.

## Why

Clients load `skills/NAME/SKILL.md` only, and drop a file that is next to the folders.

## Bad

```text
skills/stock-report.md
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
GROUP: Group = "layout"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """What was met while looking for skills."""
    for path, hit in of_collection(collection, "SKILL_FLAT_FILE"):
        if hit.severity == Severity.WARNING:
            from plugin_eval_ci.clients.loading import dropped_by

            hit = hit._replace(message=f"{hit.message}: {dropped_by('file-name', 'it')}")
        yield path, hit
