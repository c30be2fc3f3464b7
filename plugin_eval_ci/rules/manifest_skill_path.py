"""A path in the manifest does not lead to a component.

## What it flags

A path under `skills`, `agents`, `commands`, `hooks`, `mcpServers`, `lspServers`, `outputStyles` or `workflows` in
plugin.json, or in a marketplace entry whose plugin is a folder here, that does not exist, leaves the plugin, or does
not begin with `./` (`.` is fine for skills). The same for the `source` of a command that is an object, and for
`themes` and `monitors` below `experimental`. A pattern such as `./agents/*.md` counts as a path that does not exist,
because nothing expands it. In plugin.json also `./hooks/hooks.json` under `hooks`.
Among skills also a path to a SKILL.md instead of its folder, among
agents a folder instead of its files.

## Why

Claude Code reports a load error for each such path, or refuses the whole manifest, and the component is missing. It loads
`hooks/hooks.json` without being told, so naming that file is refused as a duplicate, and no hook of the plugin runs.

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

from collections.abc import Iterator

from plugin_eval_ci.analysis.component_paths import fault_of, loaded_anyway, path_values, paths_in
from plugin_eval_ci.analysis.plugin_entries import entries, line_of
from plugin_eval_ci.analysis.wording import kind_of, quote
from plugin_eval_ci.model import Hit, Manifest, Severity, Value
from plugin_eval_ci.parse.manifest_value import local_plugin
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each path, on its line."""
    if manifest.kind == "plugin" and manifest.value is not None:
        yield from _holder(manifest, manifest.value, manifest.directory)
    for _, entry in entries(manifest):
        plugin = local_plugin(manifest.directory, manifest.value, entry)
        if plugin is not None:
            yield from _holder(manifest, entry, plugin)


def _holder(manifest: Manifest, holder: Value, plugin: str) -> Iterator[Hit]:
    for key, value in path_values(holder):
        for item in paths_in(value):
            fault = loaded_anyway(plugin, item.text) if key == "hooks" and holder is manifest.value else None
            fault = fault or fault_of(manifest.root, plugin, key, item.text)
            if fault is not None:
                line = line_of(item) if item is value else item.line
                yield Hit(line, f"{quote(item.text)} of {key} {fault[0]}", fault[1], item.text)
        if key == "skills":
            for item in value.items if value.kind == "list" else (value,):
                if item.kind != "text":
                    yield Hit(
                        item.line, f"skills contains {kind_of(item)}, expected a path", "Write './NAME'.", "skills"
                    )
