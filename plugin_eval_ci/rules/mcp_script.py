"""An MCP server starts a file that is not there.

## What it flags

A server whose `command`, or whose interpreter's script among `args`, is a path below `${CLAUDE_PLUGIN_ROOT}` that
does not exist. A warning only for a file in a folder that is built (dist, build), and for one that is not executable.

## Why

The server cannot be started, and its tools are missing for everybody who installed the plugin.

## Bad

```json
{
  "mcpServers": {
    "stock": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server/mian.js"]}
  }
}
```

## Good

```json
{
  "mcpServers": {
    "stock": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server/main.js"]}
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.hooks_and_servers import servers_of
from plugin_eval_ci.analysis.plugin_entries import line_of
from plugin_eval_ci.analysis.scripts import in_arguments, missing_script, strings
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Manifest, Severity
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each file, on the line of the command or of the argument."""
    for name, server in servers_of(manifest):
        command, arguments = member(server, "command"), member(server, "args")
        if manifest.plugin is None or command is None or command.kind != "text":
            continue
        for script in in_arguments(command.text, strings(arguments)):
            at = [item.line for item in arguments.items if item.text.endswith(script.path)] if arguments else []
            line = line_of(command) if script.direct or not at else at[0]
            hit = missing_script(manifest.root, manifest.plugin, script, line, f"the server {quote(name)}")
            if hit is not None:
                yield hit
