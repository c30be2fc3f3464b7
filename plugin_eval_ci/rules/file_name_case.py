"""The file is not spelled SKILL.md.

## What it flags

A skill whose main file is called `skill.md`, `Skill.md` or the like.

## Why

Every client that was tested reads SKILL.md and nothing else. On a disk that ignores letter case the skill works for
its author, and for nobody on Linux.

## Bad

```text
skills/stock-report/skill.md
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
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "file"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on line 1."""
    name = os.path.basename(skill.source.file)
    if name != "SKILL.md":
        from plugin_eval_ci.clients.loading import dropped_by

        message = f"the file is called {quote(name)}, not SKILL.md: {dropped_by('file-name')}"
        yield Hit(1, message, "Rename it to SKILL.md.", name)
