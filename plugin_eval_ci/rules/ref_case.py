"""A path differs from the file on disk only in upper and lower case.

## What it flags

A link, or a path that the skill tells to read or run, whose letters exist on disk in another case. Links into `references/` and to
other skills are reported by ORPHAN_REFERENCE and DEAD_CROSS_REF, which say the same.

## Why

It works on macOS and Windows and fails on Linux, where most agents run.

## Bad

```markdown
See [the plan](assets/Plan.md).
```

## Good

```markdown
See [the plan](assets/plan.md).
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.references import references_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.ref_dead import has_own_rule

SEVERITY = Severity.WARNING
GROUP: Group = "links"


def check(skill: Skill) -> Iterator[Hit]:
    """Paths that are right but for the case, each once a file."""
    seen: set[tuple[str, str]] = set()
    for reference in references_of(skill):
        key = (reference.file, reference.local.path)
        if reference.resolution.status == "case" and key not in seen and not has_own_rule(reference):
            seen.add(key)
            actual = reference.resolution.actual
            message = f"{quote(reference.local.path)} is spelled {quote(actual)} on disk"
            yield Hit(reference.line, message, f"Write {quote(actual)}.", reference.local.path, path=reference.file)
