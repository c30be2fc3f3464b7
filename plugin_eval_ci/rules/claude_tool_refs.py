"""Tools of Claude Code are called by name in backticks.

## What it flags

The name of a Claude Code tool in backticks, in its exact letter case, where the text tells the agent to use it: "use
`Read`", "via `WebFetch`", "the `Bash` tool". One finding for each file, on the first line; it weighs 0.02 for each
different tool, at most 0.10, and 0.05 in an agent.

Not flagged: a name that means something else (the `Read` trait, the `Edit` button, `grep` in a shell), a name that is
only listed or explained, and `Task`, `Agent`, `Skill`, `Monitor` or `Workflow` without the word tool behind it.

## Why

Other clients have other tools, or the same ones under other names. An instruction to call `Read` means nothing to
them; an instruction to open the file works everywhere.

## Bad

```markdown
Use `Read` to open the export, then call the `Bash` tool to sort it.
```

## Good

```markdown
Open the export, then sort it with `sort -t, -k2`.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.claude_tools import in_backticks, unmistakable
from plugin_eval_ci.discover.clients import OTHER
from plugin_eval_ci.model import Agent, Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "portability"
WEIGHT: float | None = 0.1

_EACH = 0.02
_MOST = 0.10
_AGENT = 0.05


def check(document: Document) -> Iterator[Hit]:
    """One hit with every tool's name, on the line of the first."""
    found = [(span.line, span.text) for span in in_backticks(document.body)]
    if found or any(part.startswith(".") for part in document.source.path.split("/")[:-1]):
        from plugin_eval_ci.discover.clients import clients_of

        if not {"claude-code", OTHER}.intersection(clients_of(document)):  # the copy for another client
            found = sorted({*found, *unmistakable(document.body)})
    if not found:
        return
    names = list(dict.fromkeys(name for _, name in found))
    weight = _AGENT if isinstance(document, Agent) else min(_MOST, _EACH * len(names))
    message = f"names what only Claude Code has: {', '.join(names)}"
    fix = "Say what to do (open the file, search the text) and leave the choice of the tool to the agent."
    yield Hit(found[0][0], message, fix, "tools", weight=weight)
