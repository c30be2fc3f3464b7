"""A field has a value that Claude Code does not know.

## What it flags

In skills an `effort`, `context` or `shell`, in agents an `effort`, `memory` or `isolation` that is not one of the values
in the profile of Claude Code; and a `model` that looks like a known name with a typing error. Other names of models
pass: new ones appear faster than any list. Also a tool that is in both lists (`tools` and `disallowedTools` of an agent,
`allowed-tools` and `disallowed-tools` of a skill), and a name there that looks like a tool of Claude Code with a typing error.

## Why

The field is ignored and its default is used. A tool that is denied, or that does not exist, is
missing when it is needed. A new version may know the value, so this is never an error.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
effort: hihg
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
effort: high
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import nearest, quote
from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "fields"

# Asked first, so that the profile is read only for files that have one of them.
_CANDIDATES = frozenset({"effort", "context", "shell", "memory", "isolation", "model"})
_TOOLS = frozenset({"tools", "disallowedTools", "allowed-tools", "disallowed-tools"})


def check(document: Document) -> Iterator[Hit]:
    """One hit for each value."""
    for field in document.header.fields:
        text = field.value.text.strip()
        if field.key not in _CANDIDATES or field.value.kind != "text" or not text:
            continue
        from plugin_eval_ci.clients import claude_code
        from plugin_eval_ci.discover.clients import clients_of

        if "claude-code" not in clients_of(document):
            return
        profile = claude_code()
        known = profile.values.get("skill" if isinstance(document, Skill) else "agent", {}).get(field.key, ())
        if field.key == "model":
            known = profile.models
            if not text.isalpha() or text.lower() in known or nearest(text, known) is None:
                continue
        if known and text not in known:
            close = nearest(text, known)
            fix = f"Did you mean {quote(close)}?" if close else f"Known values: {', '.join(known)}."
            message = f"{field.key} {quote(text)} is not a value that Claude Code knows ({profile.date})"
            yield Hit(field.line, message, fix, field.key)
    yield from _tools(document)


def _tools(document: Document) -> Iterator[Hit]:
    if not any(field.key in _TOOLS for field in document.header.fields):
        return
    from plugin_eval_ci.analysis.tool_lists import tool_list_hits
    from plugin_eval_ci.discover.clients import clients_of

    if "claude-code" in clients_of(document):
        yield from tool_list_hits(document)
