"""The text speaks of a tool of Claude Code.

## What it flags

The words "the Read tool", with the name of any Claude Code tool in its exact letter case, in backticks or not; also
"use Read tool", "with the Grep and Glob tools", "via Grep/Glob tools". One finding for each file, on the first line.
A tool window, bar, chain, kit or tip is not meant, nor "the bash tool" of an operating system.

## Why

Other clients have no tool of that name. Their models look for one, or give up on the step.

## Bad

```markdown
Use the Read tool to open the export.
```

## Good

```markdown
Open the export.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.claude_tools import in_prose
from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "portability"
WEIGHT: float | None = 0.05


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the first mention."""
    lines = sorted(set(in_prose(document.body)))
    if lines:
        count = len(lines)
        times = "once" if count == 1 else f"on {count} lines"
        message = f"the text names a Claude Code tool {times}; other clients may not have it"
        yield Hit(lines[0], message, "Say what to do instead of which tool to use.", "tools")
