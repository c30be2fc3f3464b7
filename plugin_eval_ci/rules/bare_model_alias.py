"""The agent names its model by an alias that only Claude Code knows.

## What it flags

An agent whose `model` is just `opus`, `sonnet`, `haiku` or `fable`. `inherit` and a full model name are fine.

## Why

Other clients do not know these words: they refuse the agent, or send the word to their vendor and fail.

## Bad

```markdown
---
name: stock-counter
description: Counts stock. Use proactively after each delivery.
model: sonnet
---
```

## Good

```markdown
---
name: stock-counter
description: Counts stock. Use proactively after each delivery.
model: inherit
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
WEIGHT: float | None = 0.03

_ALIASES = frozenset({"opus", "sonnet", "haiku", "fable"})


def check(agent: Agent) -> Iterator[Hit]:
    """One hit, on the line of the model."""
    model = agent.header.text("model") or ""
    if model.lower() in _ALIASES:
        from plugin_eval_ci.discover.clients import clients_of

        if clients_of(agent) == ("claude-code",):
            return
        message = f"model {quote(model)} is an alias that only Claude Code knows"
        yield Hit(agent.header.line("model"), message, "Write inherit, or the full name of the model.", "model")
