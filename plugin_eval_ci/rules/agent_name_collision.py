"""The agent has the name of a role built into Codex.

## What it flags

An agent named `default`, `worker` or `explorer`, in any letter case, by its `name` or, without one, by its file.

## Why

Codex has roles of these names. Installed there, the agent replaces one of them, or is never called.

## Bad

```markdown
---
name: worker
description: Counts stock. Use proactively after each delivery.
---
```

## Good

```markdown
---
name: stock-counter
description: Counts stock. Use proactively after each delivery.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Agent, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "portability"
WEIGHT: float | None = 0.1

_ROLES = frozenset({"default", "worker", "explorer"})


def check(agent: Agent) -> Iterator[Hit]:
    """One hit, on the line of the name."""
    if agent.name.lower() in _ROLES:
        message = f"the agent name {quote(agent.name)} collides with a built-in role of Codex"
        yield Hit(agent.header.line("name"), message, "Choose a name that says what the agent does.", "name")
