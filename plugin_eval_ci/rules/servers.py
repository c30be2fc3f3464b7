"""The MCP servers that a manifest defines."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Manifest, Value
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.manifests import line_of
from plugin_eval_ci.rules.wording import kind_of


def servers_of(manifest: Manifest) -> tuple[tuple[str, Value], ...]:
    """Name and definition of each server: below ``mcpServers``, or at the top, where plugins may write them too."""
    if manifest.kind != "mcp" or manifest.value is None:
        return ()
    below = member(manifest.value, "mcpServers")
    if below is not None:
        return below.entries
    return tuple((name, value) for name, value in manifest.value.entries if value.kind == "mapping")


def mistyped_fields(shown: str, name: str, server: Value) -> Iterator[Hit]:
    """The optional keys whose values have another type than clients accept."""
    for key in ("env", "headers"):
        value = member(server, key)
        if value is None:
            continue
        wrong = (
            value if value.kind != "mapping" else next((item for _, item in value.entries if item.kind != "text"), None)
        )
        if wrong is not None:
            where = key if wrong is value else f"a value in {key}"
            expected = "an object of strings" if wrong is value else "a string"
            yield Hit(
                line_of(wrong),
                f"{where} of {shown} is {kind_of(wrong)}, expected {expected}",
                f"Write {expected}.",
                name,
            )
    arguments = member(server, "args")
    if arguments is not None and (arguments.kind != "list" or any(item.kind != "text" for item in arguments.items)):
        yield Hit(line_of(arguments), f"args of {shown} must be a list of strings", 'Write ["…", "…"].', name)
