"""The manifest cannot be used as it is.

## What it flags

A JSON file of a plugin or a marketplace that is not valid JSON (a trailing comma, a comment, a bracket that is never
closed), is not an object, cannot be read, or lacks what it must have: `name` in plugin.json; `name`, `owner` with a
`name`, and the list `plugins` in marketplace.json; a `name` in each entry of that list. In plugin.json also a
value of the wrong type, and an option of `userConfig` without `type`, `title` or `description`, or with a type other than
string, number, boolean, directory and file. Also a list of more than 10,000 items,
of which the rest is not read. Of manifests for other
clients, only the syntax is checked.

## Why

Claude Code does not load the plugin, or nobody can add the marketplace. Often no message appears where the author would
see it.

## Bad

```json
{
  "name": "store",
  "version": "1.2.0",
}
```

## Good

```json
{
  "name": "store",
  "version": "1.2.0"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.manifest_types import mistyped_keys, wrong_type
from plugin_eval_ci.analysis.plugin_entries import text_of
from plugin_eval_ci.analysis.wording import kind_of
from plugin_eval_ci.model import Hit, Manifest, Severity, Value
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import hit_of

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """The defect that makes the file unreadable, else each field that must be there and is not."""
    yield from (hit_of(note) for note in manifest.notes if note.kind == "MANIFEST_INVALID")
    if manifest.problem is not None:
        yield hit_of(manifest.problem)
    elif manifest.value is not None and manifest.value.kind != "mapping":
        if manifest.kind != "hooks":  # HOOK_INVALID says it of hooks
            yield Hit(
                manifest.value.line, f"the file holds {kind_of(manifest.value)}, expected an object", "Write {…}."
            )
    elif manifest.kind == "plugin":
        yield from _text(manifest.value, "name", "the plugin")
        yield from mistyped_keys(manifest.value)
    elif manifest.kind == "marketplace" and manifest.value is not None:
        yield from _marketplace(manifest.value)


def _marketplace(value: Value) -> Iterator[Hit]:
    yield from _text(value, "name", "the marketplace")
    owner, plugins = member(value, "owner"), member(value, "plugins")
    if owner is None or owner.kind != "mapping":
        yield wrong_type(value, owner, "owner", "the marketplace", "an object with a name")
    else:
        yield from _text(owner, "name", "the owner")
    if plugins is None or plugins.kind != "list":
        yield wrong_type(value, plugins, "plugins", "the marketplace", "a list of entries")
        return
    for place, entry in enumerate(plugins.items, 1):
        if entry.kind != "mapping":
            yield Hit(
                entry.line,
                f"entry {place} of plugins is {kind_of(entry)}, expected an object",
                "Write {…}.",
                "plugins",
            )
        else:
            yield from _text(entry, "name", f"entry {place} of plugins")


def _text(holder: Value | None, key: str, what: str) -> Iterator[Hit]:
    if holder is not None and text_of(holder, key) is None:
        yield wrong_type(holder, member(holder, key), key, what, "a string")
