"""A path in the manifest does not lead to a component.

## What it flags

A path under `skills`, `agents`, `commands`, `hooks`, `mcpServers`, `lspServers`, `outputStyles` or `workflows` in
plugin.json, or in a marketplace entry whose plugin is a folder here, that does not exist, leaves the plugin, or does
not begin with `./` (`.` is fine for skills). Among skills also a path to a SKILL.md instead of its folder, among
agents a folder instead of its files.

## Why

Claude Code reports a load error for each such path, or refuses the whole manifest, and the component is missing.

## Bad

```json
{
  "name": "store",
  "skills": ["./extra/stock-report/SKILL.md", "more"]
}
```

## Good

```json
{
  "name": "store",
  "skills": ["./extra/stock-report", "./more"]
}
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import entries, line_of
from plugin_eval_ci.analysis.resolve.paths import is_left_out
from plugin_eval_ci.analysis.wording import kind_of, quote
from plugin_eval_ci.model import Hit, Manifest, Severity, Value
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.parse.manifest_value import below, local_plugin, member, texts, unfetched
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"

_KEYS = ("skills", "agents", "commands", "hooks", "mcpServers", "lspServers", "outputStyles", "workflows")


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each path, on its line."""
    if manifest.kind == "plugin" and manifest.value is not None:
        yield from _holder(manifest, manifest.value, manifest.directory)
    for _, entry in entries(manifest):
        plugin = local_plugin(manifest.directory, manifest.value, entry)
        if plugin is not None:
            yield from _holder(manifest, entry, plugin)


def _holder(manifest: Manifest, holder: Value, plugin: str) -> Iterator[Hit]:
    for key in _KEYS:
        value = member(holder, key)
        for item in texts(value):
            fault = _fault(manifest.root, plugin, key, item.text)
            if fault is not None:
                line = line_of(item) if item is value else item.line
                yield Hit(line, f"{quote(item.text)} of {key} {fault[0]}", fault[1], item.text)
        if key == "skills" and value is not None:
            for item in value.items if value.kind == "list" else (value,):
                if item.kind != "text":
                    yield Hit(
                        item.line, f"skills contains {kind_of(item)}, expected a path", "Write './NAME'.", "skills"
                    )


def _fault(root: str, plugin: str, key: str, path: str) -> tuple[str, str] | None:
    """What is wrong with a path and how to fix it; None for a good one and for what cannot be known."""
    if "://" in path or "*" in path or (key == "skills" and path in (".", "./")):
        return None
    if not path.strip() or "\0" in path:
        return "is not a path", "Write './NAME', or remove it."
    if os.path.isabs(path) or ".." in path.replace("\\", "/").split("/"):
        return "leads out of the plugin", "Move the component into the plugin."
    if not path.startswith("./"):
        return "does not begin with './'", f"Write {quote('./' + path)}."
    place = below(plugin, path)
    if place is None or not is_inside(os.path.realpath(place), os.path.realpath(root)):
        return "is a link that leaves the repository", "Put the component into the plugin."
    if not os.path.exists(place):
        if unfetched(place, plugin) or is_left_out(root, place):
            return None
        return "does not exist", "Correct the path, or remove it."
    if key == "skills" and not os.path.isdir(place):
        if os.path.basename(place).lower() == "skill.md":
            return (
                "is a SKILL.md, expected the folder that contains it",
                f"Write {quote(os.path.dirname(path) or './')}.",
            )
        return "is a file, expected a folder with a SKILL.md", "Name the skill's folder."
    if key == "agents" and os.path.isdir(place):
        return (
            "is a folder; Claude Code accepts only files here",
            "List each .md file, or remove the key: agents/ is found anyway.",
        )
    return None
