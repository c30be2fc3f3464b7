"""The paths of components that a manifest names, and what is wrong with one."""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.resolve.paths import is_left_out
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Value
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.parse.manifest_value import below, member, texts, unfetched

_KEYS = ("skills", "agents", "commands", "hooks", "mcpServers", "lspServers", "outputStyles", "workflows")
_EXPERIMENTAL = ("themes", "monitors")


def path_values(holder: Value) -> Iterator[tuple[str, Value]]:
    """Each key that may name paths of components, with its value."""
    places = [(holder, key) for key in _KEYS]
    places += [(experimental, key) for key in _EXPERIMENTAL] if (experimental := member(holder, "experimental")) else []
    for place, key in places:
        value = member(place, key)
        if value is not None:
            yield key, value


def paths_in(value: Value) -> tuple[Value, ...]:
    """The paths under a key: texts, or what the objects of a map name as their source."""
    return texts(value) + tuple(item for _, below in value.entries for item in texts(member(below, "source")))


def loaded_anyway(plugin: str, path: str) -> tuple[str, str] | None:
    """What is wrong with a path to the hooks that Claude Code loads without it, and how to fix it."""
    place = below(plugin, path)
    if place is None or place != os.path.join(plugin, "hooks", "hooks.json") or not os.path.isfile(place):
        return None
    return (
        "is loaded anyway; Claude Code refuses it here as a duplicate",
        "Remove it from hooks, which is for additional files.",
    )


def fault_of(root: str, plugin: str, key: str, path: str) -> tuple[str, str] | None:
    """What is wrong with a path and how to fix it; None for a good one and for what cannot be known."""
    if "://" in path or (key == "skills" and path in (".", "./")):
        return None
    if not path.strip() or "\0" in path:
        return "is not a path", "Write './NAME', or remove it."
    if os.path.isabs(path) or ".." in path.replace("\\", "/").split("/"):
        return "leads out of the plugin", "Move the component into the plugin."
    if not path.startswith("./"):
        return "does not begin with './'", f"Write {quote('./' + path)}."
    place = below(plugin, path)
    if place is None or not is_inside(os.path.realpath(place), os.path.realpath(root)):
        return "is a link that leaves the repository", "Put the component into the plugin."
    if not os.path.exists(place):
        if unfetched(place, plugin) or is_left_out(root, place):
            return None
        if any(char in path for char in "*?[{"):
            return "is a pattern, which Claude Code does not expand", "Name each file or folder."
        return "does not exist", "Correct the path, or remove it."
    if key == "skills" and not os.path.isdir(place):
        if os.path.basename(place).lower() == "skill.md":
            return (
                "is a SKILL.md, expected the folder that contains it",
                f"Write {quote(os.path.dirname(path) or './')}.",
            )
        return "is a file, expected a folder with a SKILL.md", "Name the skill's folder."
    if key == "agents" and os.path.isdir(place):
        return (
            "is a folder; Claude Code accepts only files here",
            "List each .md file, or remove the key: agents/ is found anyway.",
        )
    return None
