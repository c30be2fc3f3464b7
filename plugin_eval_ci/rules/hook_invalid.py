"""Hooks are written in a form that is not read.

## What it flags

hooks/hooks.json, a file that `hooks` of plugin.json names, or hooks written into plugin.json, in another form than:
an object `hooks`, below it an object of events, each a list of groups, each with a list `hooks`, each an object with
a `type` and what that type needs (`command`, `prompt`, `url`). A type that is not known here is a warning.

## Why

Claude Code refuses the file, and none of its hooks runs.

## Bad

```json
{
  "hooks": {
    "PostToolUse": [{"type": "command", "command": "./count.sh"}]
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

from plugin_eval_ci.analysis.hooks_and_servers import (
    NEEDS_ALSO,
    events_of,
    hooks_in_headers,
    is_other_format,
    mistyped_hook_fields,
)
from plugin_eval_ci.analysis.plugin_entries import line_of, text_of
from plugin_eval_ci.analysis.wording import kind_of, nearest, quote
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity, Value
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"

_SHAPE = 'Write {"hooks": {"EVENT": [{"hooks": [{"type": "command", "command": "…"}]}]}}.'


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each part in another form."""
    value = manifest.value
    if value is None or manifest.kind != "hooks" or is_other_format(value):
        return
    events, hooks = events_of(manifest), member(value, "hooks")
    if events is not None:
        for name, groups in events.entries:
            yield from _groups(name, groups)
    elif value.kind != "mapping":
        severity = Severity.WARNING if value.kind == "list" and not value.items else None
        message = f"the hooks are {kind_of(value)}, expected an object"
        yield Hit(line_of(value), message, _SHAPE, "hooks", severity=severity)
    elif hooks is not None:
        yield Hit(line_of(hooks), f"hooks is {kind_of(hooks)}, expected an object of events", _SHAPE, "hooks")
    else:
        severity = None if any(below.kind == "list" for _, below in value.entries) else Severity.WARNING
        yield Hit(value.line, "the key hooks is missing; events belong under it", _SHAPE, "hooks", severity=severity)


def check_headers(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """The same for hooks in the frontmatter of skills, agents and commands."""
    return ((part.source.path, hit) for part in hooks_in_headers(collection) for hit in check(part))


def _groups(name: str, groups: Value) -> Iterator[Hit]:
    event = quote(name)
    if groups.kind != "list":
        yield Hit(line_of(groups), f"{event} is {kind_of(groups)}, expected a list of groups", _SHAPE, name)
    for group in groups.items:
        hooks, matcher = member(group, "hooks"), member(group, "matcher")
        if group.kind != "mapping" or hooks is None or hooks.kind != "list":
            shown = kind_of(group) if group.kind != "mapping" else "missing its list of hooks"
            yield Hit(group.line, f"a group of {event} is {shown}", _SHAPE, name)
        elif matcher is not None and matcher.kind not in ("text", "null"):
            message = f"matcher is {kind_of(matcher)}, expected a string"
            yield Hit(line_of(matcher), message, 'Write it as a string, such as "Edit|Write".', name)
        else:
            for hook in hooks.items:
                yield from _hook(event, name, hook)


def _hook(event: str, name: str, hook: Value) -> Iterator[Hit]:
    from plugin_eval_ci.clients import claude_code

    kinds, kind = claude_code().hook_types, text_of(hook, "type")
    if hook.kind != "mapping" or kind is None:
        shown = kind_of(hook) if hook.kind != "mapping" else "missing its type"
        yield Hit(hook.line, f"a hook of {event} is {shown}", 'Write {"type": "command", "command": "…"}.', name)
    elif kind not in kinds:
        close = nearest(kind, kinds)
        fix = f"Did you mean {quote(close)}?" if close else f"Known types: {', '.join(kinds)}."
        message = f"a hook of {event} has the unknown type {quote(kind)}"
        yield Hit(hook.line, message, fix, name, severity=Severity.WARNING)
    yield from mistyped_hook_fields(event, name, hook)
    for key in (*kinds.get(kind or "", ()), *NEEDS_ALSO.get(kind or "", ())):
        if text_of(hook, key) is None:
            yield Hit(hook.line, f"a {kind} hook of {event} has no {key}", f"Add {key} as a string.", name)
