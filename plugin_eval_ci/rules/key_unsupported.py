"""A key that agents of plugins may not have.

## What it flags

`hooks`, `mcpServers` or `permissionMode` in the frontmatter of an agent in the `agents` folder of a plugin.

## Why

Claude Code ignores these three in agents that come with a plugin, for the safety of whoever installs it. The agent
then runs without the hooks, servers or permissions it was written for.

## Bad

```text
store/.claude-plugin/plugin.json
store/agents/stock-counter.md       permissionMode: acceptEdits
```

## Good

```text
store/.claude-plugin/plugin.json
store/agents/stock-counter.md       tools: Read, Edit
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Agent, Hit, Severity
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "fields"

# Asked first, so that the profile is read only for agents that have one of them.
_CANDIDATES = frozenset({"hooks", "mcpServers", "permissionMode"})


def check(agent: Agent) -> Iterator[Hit]:
    """One hit for each key."""
    if agent.plugin is None or not any(field.key in _CANDIDATES for field in agent.header.fields):
        return
    if not is_inside(agent.source.file, os.path.join(agent.plugin, "agents")):
        return
    if not os.path.isfile(os.path.join(agent.plugin, ".claude-plugin", "plugin.json")):
        return
    from plugin_eval_ci.clients import claude_code

    for field in agent.header.fields:
        if field.key in claude_code().plugin_agent_unsupported:
            message = f"{quote(field.key)} is ignored in agents of a plugin"
            fix = "Remove it, or tell users to copy the agent into .claude/agents."
            yield Hit(field.line, message, fix, field.key)
