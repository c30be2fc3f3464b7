"""allowed-tools permits every shell command.

## What it flags

`Bash`, `Bash(*)` or `Bash(*:*)` in the `allowed-tools` of a skill.

## Why

Tools in this list run without a question to the user. `Bash` without a pattern permits every command there is, also one
that a web page or a file talked the model into.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
allowed-tools: Bash, Read
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
allowed-tools: Bash(jq:*), Read
---
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import value_of
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "fields"

_ANY = r"(?<![\w-])Bash(?:\((?:\*|\*:\*|:\*)?\))?(?![\w(-])"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the entry."""
    value = value_of(skill, "allowed-tools")
    if value is None or value.kind not in ("text", "list"):
        return
    for item in value.items if value.kind == "list" else (value,):
        if "Bash" in item.text and re.search(_ANY, item.text):
            message = "Bash without a pattern permits every shell command without asking the user"
            yield Hit(item.line, message, "Name the commands, as in Bash(jq:*).", "Bash")
            return
