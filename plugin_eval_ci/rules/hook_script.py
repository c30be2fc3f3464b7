"""A hook starts a script that is not there.

## What it flags

A command hook whose first word, or whose interpreter's script, is a path below `${CLAUDE_PLUGIN_ROOT}` that does not
exist. A warning only: a script in a folder that is built (dist, build), and one that is called directly and is not
executable. Paths in tests, redirections and other arguments are left alone.

## Why

The hook fails each time its event happens, for everybody who installed the plugin. `claude plugin validate` does not
look.

## Bad

```json
{
  "hooks": {
    "Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/hooks/cuont.sh"}]}]
  }
}
```

## Good

```json
{
  "hooks": {
    "Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/hooks/count.sh"}]}]
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.hooks_and_servers import handlers, hooks_in_headers
from plugin_eval_ci.analysis.plugin_entries import line_of, text_of
from plugin_eval_ci.analysis.scripts import in_arguments, in_command, missing_script, strings
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each script, on the line of its command."""
    for hook in handlers(manifest):
        command, arguments = member(hook, "command"), member(hook, "args")
        if manifest.plugin is None or command is None or text_of(hook, "command") is None:
            continue
        found = in_command(command.text) if arguments is None else in_arguments(command.text, strings(arguments))
        for script in found:
            hit = missing_script(manifest.root, manifest.plugin, script, line_of(command), "the hook")
            if hit is not None:
                yield hit


def check_headers(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """The same for hooks in the frontmatter of skills, agents and commands."""
    for part in hooks_in_headers(collection):
        yield from ((part.source.path, hit) for hit in check(part))
