"""What headers and manifests ask for by name: tools, hooks, servers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Manifest, Skill, Value
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.hooks import events_of
from plugin_eval_ci.rules.servers import servers_of

_LIMIT = 120  # characters of one entry
_TOOL = Lazy(r"[^\s,(]+(?:\([^()]*\))?|\([^()]*\)")


class Hook(NamedTuple):
    """A hook in words, and the command line that it runs (empty for another kind of hook)."""

    shown: str
    command: str


def tools_of(skill: Skill, key: str) -> Iterator[str]:
    """The tools under a key: a text of words between blanks or commas, or a list."""
    field = skill.header.field(key)
    if field is None:
        return
    for value in field.value.items or (field.value,):
        if value.kind == "text":
            yield from (short(tool) for tool in _TOOL().findall(value.text))


def frontmatter_hooks(skill: Skill) -> Iterator[Hook]:
    """The hooks that live as long as the skill does."""
    field = skill.header.field("hooks")
    if field is not None:
        yield from _hooks(field.value)


def own_needs(manifests: Iterable[Manifest]) -> tuple[list[str], list[str], list[str]]:
    """Hooks and servers of a plugin in words, and the command lines of both."""
    hooks: list[str] = []
    servers: list[str] = []
    commands: list[str] = []
    for manifest in manifests:
        events = events_of(manifest)
        for hook in _hooks(events) if events is not None else ():
            hooks.append(hook.shown)
            commands.append(hook.command)
        for name, server in servers_of(manifest):
            command, place = _text(server, "command"), _text(server, "url")
            servers.append(short(f"{name} ({command or _host(place) or 'of another kind'})"))
            commands.append(command)
    return hooks, servers, [command for command in commands if command]


def _hooks(events: Value) -> Iterator[Hook]:
    for event, groups in events.entries:
        for group in groups.items:
            matcher, hooks = _text(group, "matcher"), member(group, "hooks")
            for hook in hooks.items if hooks is not None else ():
                command = _text(hook, "command")
                what = command or _text(hook, "url") or _text(hook, "type") or "of an unknown kind"
                yield Hook(short(f"{event}{f' {matcher}' if matcher else ''}: {what}"), command)


def _text(value: Value, key: str) -> str:
    found = member(value, key)
    return found.text.strip() if found is not None and found.kind == "text" else ""


def _host(address: str) -> str:
    """An address without what may be secret in it."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.hostname}" if parts.scheme and parts.hostname else ""


def short(text: str) -> str:
    """A text on one line, cut."""
    words = " ".join(text.split())
    return words if len(words) <= _LIMIT else words[: _LIMIT - 1] + "…"
