"""The name differs from the folder's.

## What it flags

A skill whose `name` is not the name of its folder. Both are compared in Unicode's normal form. Silent for a skill at
the root of a plugin or a repository, whose folder may be called anything, and where the two differ only by what
NAME_FORMAT or NAME_TYPE already reports. A warning and no error: the specification asks for equal names and some
clients refuse others, Claude Code loads both.

## Why

Some clients call the skill by its name, others by its folder. Links and instructions that use one of the two fail in
half of them.

## Bad

```text
skills/stock-report/SKILL.md     name: inventory-report
```

## Good

```text
skills/stock-report/SKILL.md     name: stock-report
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import declared_name, folder_name, plain_name
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.discover.page import TEMPLATES
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.name_format import faults

SEVERITY = Severity.WARNING
GROUP: Group = "name"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the name."""
    name, folder = declared_name(skill), folder_name(skill)
    if not skill.placed or name is None or name == folder or _same(name, folder) or folder in TEMPLATES:
        return
    message = f"the name is {quote(name)}, the folder is {quote(folder)}; some clients want them equal"
    yield Hit(skill.header.line("name"), message, "Give the folder and the skill the same name.", "name")


def _same(name: str, folder: str) -> bool:
    from unicodedata import normalize

    if normalize("NFKC", name) == normalize("NFKC", folder):
        return True
    return bool(faults(name)) and plain_name(name).replace("-", "") == plain_name(folder).replace("-", "")
