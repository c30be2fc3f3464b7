"""Hooks are set on an event that does not exist.

## What it flags

A key among the hooks of a plugin that is not a known Claude Code event.

## Why

An event with a typing error never happens, so its hooks never run, without any message. The list of events grows; see
the date of the profile.

## Bad

```json
{
  "hooks": {
    "PostToolUsed": [{"hooks": [{"type": "command", "command": "./count.sh"}]}]
  }
}
```

## Good

```json
{
  "hooks": {
    "PostToolUse": [{"hooks": [{"type": "command", "command": "./count.sh"}]}]
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.hooks_and_servers import events_of, hooks_in_headers
from plugin_eval_ci.analysis.plugin_entries import line_of
from plugin_eval_ci.analysis.wording import nearest, quote
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each unknown event."""
    events = events_of(manifest)
    if events is None or not events.entries:
        return
    from plugin_eval_ci.clients import claude_code

    known, date = claude_code().hook_events, claude_code().date
    for name, groups in events.entries:
        if name not in known and not name.startswith(("$", "_")):
            close = nearest(name, known)
            fix = f"Did you mean {quote(close)}?" if close else "Check the name; letter case matters."
            yield Hit(line_of(groups), f"unknown hook event {quote(name)} (Claude Code, as of {date})", fix, name)


def check_headers(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """The same for hooks in the frontmatter of skills, agents and commands."""
    for part in hooks_in_headers(collection):
        yield from ((part.source.path, hit) for hit in check(part))
