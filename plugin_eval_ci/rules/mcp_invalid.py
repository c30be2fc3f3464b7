"""An MCP server is defined in a way that clients do not load.

## What it flags

A server in .mcp.json, in a file that `mcpServers` of plugin.json names, or in that manifest itself, that is not
an object, that has neither a `command` nor a `url`, or that lacks the one its `type` needs. Also a `url` without a `type`, an unknown
`type`, a relative `url`, and `env`, `headers` or `args` of the wrong type.

## Why

The server cannot be started, and its tools are missing.

## Bad

```json
{
  "mcpServers": {
    "stock": {"args": ["serve"]}
  }
}
```

## Good

```json
{
  "mcpServers": {
    "stock": {"command": "stock-server", "args": ["serve"]}
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.hooks_and_servers import mistyped_server_fields, servers_of
from plugin_eval_ci.analysis.plugin_entries import line_of
from plugin_eval_ci.analysis.wording import kind_of, nearest, quote
from plugin_eval_ci.model import Hit, Manifest, Severity
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.util.lazy import Lazy

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"

_NEEDS = {"stdio": "command", "http": "url", "sse": "url", "streamable-http": "url", "ws": "url"}

_ADDRESS = Lazy(r"(?:https?|wss?)://|.*\$\{")


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each server."""
    below = member(manifest.value, "mcpServers") if manifest.kind == "mcp" else None
    if below is not None and below.kind != "mapping":
        yield Hit(
            line_of(below),
            f"mcpServers is {kind_of(below)}, expected an object",
            'Write {"NAME": {…}}.',
            "mcpServers",
        )
    for name, server in servers_of(manifest):
        shown = f"the server {quote(name)}"
        if server.kind != "mapping":
            yield Hit(
                line_of(server), f"{shown} is {kind_of(server)}, expected an object", 'Write {"command": "…"}.', name
            )
            continue
        yield from mistyped_server_fields(shown, name, server)
        kind = member(server, "type")
        need = _NEEDS.get(kind.text) if kind is not None else None
        present = {key: member(server, key) for key in ("command", "url")}
        wrong = next(
            ((key, value) for key, value in present.items() if value is not None and value.kind != "text"), None
        )
        if wrong is not None:
            yield Hit(
                line_of(wrong[1]),
                f"{wrong[0]} of {shown} is {kind_of(wrong[1])}, expected a string",
                "Write it as a string.",
                name,
            )
        elif need is not None and kind is not None and present[need] is None:
            yield Hit(line_of(server), f"{shown} is of type {quote(kind.text)} and has no {need}", f"Add {need}.", name)
        elif kind is not None and kind.text not in _NEEDS:
            close = nearest(kind.text, _NEEDS) if kind.kind == "text" else None
            fix = f"Did you mean {quote(close)}?" if close else f"Write one of {', '.join(_NEEDS)}."
            shown_kind = quote(kind.text) if kind.kind == "text" else kind_of(kind)
            yield Hit(
                line_of(kind), f"{shown} has the unknown type {shown_kind}, so Claude Code does not load it", fix, name
            )
        elif kind is None and present["url"] is not None and present["command"] is None:
            message = f"{shown} has a url but no type, so Claude Code takes it for a stdio server and does not load it"
            yield Hit(line_of(present["url"]), message, 'Add "type": "http" (or "sse").', name)
        elif need == "url" and (address := present["url"]) is not None and not _ADDRESS().match(address.text):
            empty = not address.text.strip()  # left for the user to fill in
            message = f"the url of {shown} is {'empty' if empty else quote(address.text)}, expected a full address"
            severity = Severity.WARNING if empty else None
            yield Hit(line_of(address), message, "Start it with https://.", name, severity=severity)
        elif kind is None and present["command"] is None and present["url"] is None:
            yield Hit(
                line_of(server), f"{shown} has neither a command nor a url", "Add command, or type and url.", name
            )
