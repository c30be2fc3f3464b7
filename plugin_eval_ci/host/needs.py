"""What a skill, or a plugin with all its skills, asks of its host."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plugin_eval_ci.host import programs
from plugin_eval_ci.host.declared import frontmatter_hooks, own_needs, short, tools_of
from plugin_eval_ci.host.scripts import program_of_script, shell_functions
from plugin_eval_ci.model import Manifest, Plugin, Skill
from plugin_eval_ci.safety.dynamic import commands_of
from plugin_eval_ci.safety.texts import Text, bundled, of_tests

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
    return merged([HostNeeds((), (), (), tuple(hooks), tuple(servers), tuple(_run_by(commands)))])


def merged(parts: Iterable[HostNeeds]) -> HostNeeds:
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
    scripts = [text for text in bundled(skill) if text.name.startswith(_FOLDERS) and not of_tests(text.name)]
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
