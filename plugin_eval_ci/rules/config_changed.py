"""The change alters what this tool is told.

## What it flags

Only against a base (`lint --base REF`, `diff`): a `.plugin-eval.yaml` or `[tool.plugin-eval]` that says something else now, and entries
that were added to a baseline. Comments, the order of keys, and entries that are gone are not flagged. The configuration of the base
decides whether it is shown, so a change cannot turn it off for itself.

## Why

Whoever reviews a change looks at what a check says of it. From the next change on, this file decides what the check says.

## Bad

```yaml
# added together with the skill that it is about
ignore: [SAFE_SECRET]
```

## Good

```yaml
# in a change of its own, with a reason to review
per-path:
  skills/vault/**:
    ignore: [SAFE_SECRET]  # the keys in its examples open nothing
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugin_eval_ci.model import Hit, Severity
from plugin_eval_ci.rules.base import Group

if TYPE_CHECKING:
    from plugin_eval_ci.analysis.revision import RevisionFacts

SEVERITY = Severity.NOTICE
GROUP: Group = "comments"


def check(change: RevisionFacts) -> Iterator[tuple[str, Hit]]:
    """One hit a file."""
    for settings in change.settings:
        message = f"this change alters {settings.what}"
        yield settings.path, Hit(1, message, "Review it like code: it decides what is shown from now on.", "settings")
