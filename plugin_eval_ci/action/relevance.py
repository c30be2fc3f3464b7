"""Whether a change can concern a skill at all, told from names alone. When in doubt it can: a skipped lint would be a silent pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from plugin_eval_ci.edges.git import Change

_FOLDERS = frozenset({"skills", "agents", "commands", "hooks", "scripts", "bin"})
_CONFIGURATIONS = (".plugin-eval.yaml", ".plugin-eval-baseline.json", "pyproject.toml")
_FILES = frozenset({"skill.md", "plugin.json", "marketplace.json", "hooks.json", ".mcp.json", *_CONFIGURATIONS})
_LARGEST_MANIFEST = 1 << 20


def concerns_skills(root: str, changes: Iterable[Change], also: Iterable[str] = ()) -> bool:
    """Whether one of ``changes`` is a part of a skill, agent or plugin, or takes away what one may name.

    ``root`` is the checkout, ``also`` are more files whose change counts: a configuration, a baseline.
    """
    named = {os.path.realpath(file) for file in also}
    owners: dict[str, bool] = {}
    lists: dict[str, bool] = {}
    for change in changes:
        path = change.new
        if path is None or (change.old is not None and change.old != path):
            return True  # any text may link to, or name, what is gone
        if _is_ours(path) or _climbs(root, path, _holds_skill, owners):
            return True
        if path.endswith(".md") and _climbs(root, path, _lists_files, lists):
            return True
        if named and os.path.realpath(os.path.join(root, path)) in named:
            return True
    return False


def is_configuration(path: str) -> bool:
    """Whether a file may change what the lint is told."""
    return path.rpartition("/")[2] in _CONFIGURATIONS


def _is_ours(path: str) -> bool:
    *folders, name = path.lower().split("/")
    return name in _FILES or any(
        folder in _FOLDERS or folder.startswith(".claude") or folder.endswith("-plugin") for folder in folders
    )


def _climbs(root: str, path: str, test: Callable[[str], bool], known: dict[str, bool]) -> bool:
    """Whether ``test`` holds for a folder above ``path``, up to ``root``; ``known`` remembers each folder."""
    folder = path.rpartition("/")[0]
    if folder not in known:
        known[folder] = test(os.path.join(root, folder)) or (folder != "" and _climbs(root, folder, test, known))
    return known[folder]


def _holds_skill(folder: str) -> bool:
    return any(name.lower() == "skill.md" for name in _names(folder))


def _lists_files(folder: str) -> bool:
    """Whether a plugin's or marketplace's manifest here names agents or commands by their files, wherever those are."""
    for place in (name for name in _names(folder) if name.endswith("-plugin")):
        for name in ("plugin.json", "marketplace.json"):
            try:
                with open(os.path.join(folder, place, name), "rb") as stream:
                    text = stream.read(_LARGEST_MANIFEST)
            except OSError:
                continue
            if b'"agents"' in text or b'"commands"' in text:
                return True
    return False


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
