"""The MCP servers that a manifest defines."""

from __future__ import annotations

from plugin_eval_ci.model import Manifest, Value
from plugin_eval_ci.parse.manifest_value import member


def servers_of(manifest: Manifest) -> tuple[tuple[str, Value], ...]:
    """Name and definition of each server: below ``mcpServers``, or at the top, where plugins may write them too."""
    if manifest.kind != "mcp" or manifest.value is None:
        return ()
    below = member(manifest.value, "mcpServers")
    if below is not None:
        return below.entries
    return tuple((name, value) for name, value in manifest.value.entries if value.kind == "mapping")
