"""What a skill, or a plugin with all its skills, asks of its host."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from plugin_eval_ci.analysis import programs, shell, tool_lists
from plugin_eval_ci.analysis.hooks_and_servers import events_of, servers_of
from plugin_eval_ci.analysis.programs import plain_name
from plugin_eval_ci.analysis.safety.bundled_texts import Text, bundled_texts, of_tests
from plugin_eval_ci.analysis.safety.dynamic_commands import commands_of
from plugin_eval_ci.model import Manifest, Plugin, Skill, Value
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.util.lazy import Lazy

_LIMIT = 120  # characters of one entry


class Hook(NamedTuple):
    """A hook in words, and the command line that it runs (empty for another kind of hook)."""

    shown: str
    command: str


def tools_of(skill: Skill, key: str) -> Iterator[str]:
    """The tools under a key: a text of words between blanks or commas, or a list."""
    return (short(tool) for tool in tool_lists.tools_of(skill, key))


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


__all__ = ["HostNeeds", "host_needs", "manifest_needs", "merge_needs", "needs_change"]


_SHEBANG = Lazy(r"#![ \t]*(\S+)(?:[ \t]+(.*))?")
_BY_ENDING = {
    ".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node", ".rb": "ruby", ".pl": "perl", ".php": "php",
    ".ps1": "pwsh", ".R": "Rscript", ".lua": "lua", ".sh": "bash", ".bash": "bash", ".zsh": "zsh", ".fish": "fish",
}  # fmt: skip
_SHELL_PROGRAMS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})


def program_of_script(name: str, text: str, told: str) -> tuple[str, bool]:
    """The program that runs a script (empty when nobody says, or for sh), and whether it is shell.

    ``told`` is the text that tells how to run it: what ``uv run`` runs brings its own Python.
    """
    named = _by_first_line(text)
    ending = os.path.splitext(name)[1]
    program = named or _BY_ENDING.get(ending, "")
    if not named and program == "python3" and f"uv run {name}" in told:
        program = "uv"
    return ("" if program == "sh" else program), program in _SHELL_PROGRAMS


def shell_functions(texts: Iterable[str]) -> frozenset[str]:
    """The functions that any of these shell texts defines; one may read another."""
    return frozenset(
        name for text in texts if "()" in text or "function " in text for name in shell.parse_commands(text).functions
    )


def _by_first_line(text: str) -> str:
    match = _SHEBANG().match(text)
    if match is None:
        return ""
    program, rest = match[1].rpartition("/")[2], (match[2] or "").split()
    if program != "env":
        return plain_name(program)
    words = [word for word in rest if not word.startswith("-") and "=" not in word]
    return plain_name(words[0].rpartition("/")[2]) if words else ""


MOST = 60  # of each kind
_SHELLS = frozenset(
    {"sh", "bash", "zsh", "shell", "console", "shell-session", "shellsession", "shell-script", "terminal"}
)
_FOLDERS = ("scripts/", "bin/")


class HostNeeds(NamedTuple):
    """What is asked for, each sorted and at most ``MOST``; ``programs`` are those that are certain, not all."""

    tools: tuple[str, ...] = ()  # allowed-tools: used without asking
    denied: tuple[str, ...] = ()  # disallowed-tools
    commands: tuple[str, ...] = ()  # run when the skill is loaded
    hooks: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()  # on PATH

    @property
    def any(self) -> bool:
        """Whether anything is asked for."""
        return any(bool(words) for words in self)


def host_needs(skill: Skill) -> HostNeeds:
    """What one skill asks for, read from its own folder."""
    commands = [command.words for command in commands_of(skill)]
    hooks = list(frontmatter_hooks(skill))
    return HostNeeds(
        _sorted(tools_of(skill, "allowed-tools")),
        _sorted(tools_of(skill, "disallowed-tools")),
        _sorted(short(command) for command in commands),
        _sorted(hook.shown for hook in hooks),
        (),
        _sorted(_programs(skill, [*commands, *(hook.command for hook in hooks)])),
    )


def manifest_needs(manifests: Iterable[Manifest], plugin: Plugin) -> HostNeeds:
    """What the hooks and servers of a plugin ask for; those of its skills are theirs."""
    places = {skill.plugin for skill in plugin.skills} | {agent.plugin for agent in plugin.agents}
    mine = [manifest for manifest in manifests if manifest.plugin is not None and _is_of(manifest, plugin, places)]
    hooks, servers, commands = own_needs(mine)
    return merge_needs([HostNeeds((), (), (), tuple(hooks), tuple(servers), tuple(_run_by(commands)))])


def merge_needs(parts: Iterable[HostNeeds]) -> HostNeeds:
    """Several together."""
    found = tuple(parts)
    return HostNeeds(*(_sorted(word for needs in found for word in needs[place]) for place in range(6)))


def needs_change(before: HostNeeds | None, after: HostNeeds | None) -> tuple[HostNeeds, HostNeeds]:
    """What is asked for in ``after`` only, and what in ``before`` only."""
    then, now = before or HostNeeds(), after or HostNeeds()
    more = (tuple(word for word in new if word not in old) for old, new in zip(then, now, strict=True))
    less = (tuple(word for word in old if word not in new) for old, new in zip(then, now, strict=True))
    return HostNeeds(*more), HostNeeds(*less)


def _is_of(manifest: Manifest, plugin: Plugin, places: set[str | None]) -> bool:
    place = os.path.normpath(os.path.join(manifest.root, plugin.path))
    return manifest.plugin in places or manifest.plugin == place


def _programs(skill: Skill, commands: list[str]) -> Iterator[str]:
    scripts = [text for text in bundled_texts(skill) if text.name.startswith(_FOLDERS) and not of_tests(text.name)]
    fences = [fence.content for fence in skill.body.fences if fence.language in _SHELLS and fence.closed]
    functions = shell_functions([*(script.text for script in scripts if _may_be_shell(script)), *fences])
    bundled_names = {name for script in scripts for name in _names(script.name)}
    found: set[str] = set(_run_by(commands))
    for content in fences:
        found |= programs.in_fence(content, functions)
    for script in scripts:
        name, is_shell = program_of_script(script.name, script.text, skill.source.text)
        found |= {name} if name else set()
        if is_shell:
            found |= programs.in_script(script.text, functions)
    yield from found - bundled_names


def _may_be_shell(script: Text) -> bool:
    return script.name.endswith((".sh", ".bash", ".zsh")) or script.text.startswith("#!")


def _names(path: str) -> tuple[str, str]:
    base = path.rpartition("/")[2]
    return base, base.rpartition(".")[0]


def _run_by(commands: Iterable[str]) -> Iterator[str]:
    for command in commands:
        yield from programs.in_script(command)


def _sorted(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(words) - {""})[:MOST])
