"""The parts of a hooks file that several rules walk: events, groups, hooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from plugin_eval_ci.analysis.plugin_entries import line_of
from plugin_eval_ci.analysis.wording import kind_of
from plugin_eval_ci.model import Collection, Hit, Manifest, Value
from plugin_eval_ci.parse.manifest_value import member

NEEDS_ALSO = {"mcp_tool": ("server",)}  # Claude Code 2.1.332 refuses it without
_FIELDS: tuple[tuple[str, str, Callable[[Value], bool]], ...] = (
    (
        "timeout",
        "a positive number",
        lambda value: value.kind == "number" and not value.text.startswith("-") and value.text != "0",
    ),
    (
        "args",
        "a list of strings",
        lambda value: value.kind == "list" and all(item.kind == "text" for item in value.items),
    ),
    ("async", "true or false", lambda value: value.kind == "boolean"),
    ("once", "true or false", lambda value: value.kind == "boolean"),
    ("statusMessage", "a string", lambda value: value.kind == "text"),
    (
        "url",
        "an http or https address",
        lambda value: value.kind != "text" or "$" in value.text or value.text.startswith(("http://", "https://")),
    ),
)


def hooks_in_headers(collection: Collection) -> Iterator[Manifest]:
    """The hooks in the frontmatter of skills, agents and commands, each as a part of its file.

    Claude Code ignores those of an agent that comes with a plugin, which KEY_UNSUPPORTED reports.
    """
    for document in (*collection.documents, *collection.commands):
        field = document.header.field("hooks")
        if field is not None and field.value.kind != "null":
            folder = os.path.dirname(document.source.file)
            value = field.value._replace(key_line=field.line)
            yield Manifest(
                document.source, "hooks", value, None, (), folder, document.root, document.plugin, inline=True
            )


def events_of(manifest: Manifest) -> Value | None:
    """The object whose keys are events: below ``hooks`` in a file, there or at once in another manifest."""
    if manifest.kind != "hooks" or manifest.value is None or is_other_format(manifest.value):
        return None
    below = member(manifest.value, "hooks")
    events = below if below is not None or not manifest.inline else manifest.value
    return events if events is not None and events.kind == "mapping" else None


def is_other_format(value: Value) -> bool:
    """Whether the file follows Cursor's format, which has a version at its top."""
    version = member(value, "version")
    return version is not None and version.kind == "number"


def handlers(manifest: Manifest) -> Iterator[Value]:
    """Every hook that is an object, wherever it stands."""
    events = events_of(manifest)
    for _, groups in events.entries if events is not None else ():
        for group in groups.items:
            hooks = member(group, "hooks")
            for hook in hooks.items if hooks is not None else ():
                if hook.kind == "mapping":
                    yield hook


def mistyped_hook_fields(event: str, name: str, hook: Value) -> Iterator[Hit]:
    """The optional keys of a hook whose values have another type than Claude Code accepts."""
    for key, expected, fits in _FIELDS:
        value = member(hook, key)
        if value is not None and value.kind != "null" and not fits(value):
            yield Hit(
                line_of(value),
                f"{key} of a hook of {event} is {kind_of(value)}, expected {expected}",
                f"Write {key} as {expected}.",
                name,
            )


def servers_of(manifest: Manifest) -> tuple[tuple[str, Value], ...]:
    """Name and definition of each server: below ``mcpServers``, or at the top, where plugins may write them too."""
    if manifest.kind != "mcp" or manifest.value is None:
        return ()
    below = member(manifest.value, "mcpServers")
    if below is not None:
        return below.entries
    return tuple((name, value) for name, value in manifest.value.entries if value.kind == "mapping")


def mistyped_server_fields(shown: str, name: str, server: Value) -> Iterator[Hit]:
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
