"""``plugin.json`` and ``marketplace.json``: the paths they name, as far as finding skills needs them."""

import os
import stat
from functools import lru_cache
from typing import NamedTuple

from plugin_eval_ci.parse.documents import is_inside, real, real_root

PLUGIN_FOLDERS = (".claude-plugin", ".codex-plugin", ".cursor-plugin", ".grok-plugin")
_MAX_BYTES = 4 << 20
MAX_ITEMS = 10_000  # entries of a marketplace, or paths of one list, that are read
MAX_PATHS = 10_000  # of all entries of a marketplace together


class Entry(NamedTuple):
    """One plugin: its directory (absolute), the skills and agents its definition names, and whether those are the whole set."""

    directory: str
    name: str
    skills: tuple[str, ...]  # absolute paths, as named
    agents: tuple[str, ...] | None  # absolute paths; None when the default agents/ is read
    complete: bool = False  # the named skills are all of them (a marketplace entry at the marketplace's root)


def load(file: str, root: str) -> dict[str, object]:
    """The object in a JSON file, empty if none exists, it cannot be read, or it is a link out of the repository ``root``."""
    resolved = real(file)
    if not is_inside(resolved, real_root(root)):
        return {}
    try:
        info = os.stat(resolved)
    except OSError:
        return {}
    return _load(resolved, info.st_size, info.st_mtime_ns) if stat.S_ISREG(info.st_mode) else {}


@lru_cache(maxsize=32)
def _load(file: str, size: int, changed: int) -> dict[str, object]:
    """As ``load``; several rules ask for the same manifest, once for each skill."""
    import json  # only repositories with a manifest need it this early

    if size > _MAX_BYTES:
        return {}
    try:
        with open(file, encoding="utf-8-sig") as stream:
            data = json.load(stream)
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def manifest_of(directory: str) -> str | None:
    """The plugin manifest of a directory, Claude Code's first."""
    for folder in PLUGIN_FOLDERS:
        file = os.path.join(directory, folder, "plugin.json")
        if os.path.isfile(file):
            return file
    return None


def plugin_entry(directory: str, root: str | None = None) -> Entry:
    """The plugin in ``directory`` as its manifest describes it; without one its name is the directory's."""
    file = manifest_of(directory)
    data = load(file, root or directory) if file else {}
    name = data.get("name")
    return Entry(
        directory,
        name if isinstance(name, str) and name.strip() else os.path.basename(directory),
        _paths(directory, data.get("skills")),
        _paths(directory, data.get("agents")) if "agents" in data else None,
    )


def marketplace_entries(directory: str, root: str | None = None) -> tuple[Entry, ...]:
    """The plugins that the marketplace file of ``directory`` places on disk below it, in order."""
    file = os.path.join(directory, ".claude-plugin", "marketplace.json")
    if not os.path.isfile(file):
        return ()
    data = load(file, root or directory)
    metadata = data.get("metadata")
    base = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    plugins = data.get("plugins")
    found: list[Entry] = []
    left = MAX_PATHS
    for item in (plugins if isinstance(plugins, list) else [])[:MAX_ITEMS]:
        entry = _marketplace_entry(directory, base, item) if left > 0 else None
        if entry is not None:
            left -= len(entry.skills) + len(entry.agents or ())
            found.append(entry)
    return tuple(found)


def _marketplace_entry(directory: str, base: object, item: object) -> Entry | None:
    if not isinstance(item, dict) or not isinstance(item.get("source"), str):
        return None  # objects (github, url, npm…) are fetched from elsewhere
    source = item["source"]
    if isinstance(base, str) and not source.startswith(("./", "../", "/")) and source != ".":
        source = f"{base}/{source}"
    place = _below(directory, source)
    if place is None or not os.path.isdir(place):
        return None
    name = item.get("name")
    skills = _paths(place, item.get("skills"))
    scans_all = any(path in (place, os.path.join(place, "skills")) for path in skills)
    existing = any(os.path.isdir(path) for path in skills)
    return Entry(
        place,
        name if isinstance(name, str) else os.path.basename(place),
        skills,
        _paths(place, item.get("agents")) if "agents" in item else None,
        complete=place == directory and existing and not scans_all,
    )


def _paths(directory: str, value: object) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    found = (_below(directory, name) for name in names[:MAX_ITEMS] if isinstance(name, str))
    return tuple(path for path in found if path is not None)


def _below(directory: str, name: str) -> str | None:
    """``name`` below ``directory``, or None when it would leave it."""
    if "\0" in name or os.path.isabs(name):
        return None
    path = os.path.normpath(os.path.join(directory, name))
    return path if path == directory or path.startswith(directory.rstrip(os.sep) + os.sep) else None


_OTHER = (
    ("commands", "commands"),
    ("hooks", "hooks"),
    (".mcp.json", "MCP servers"),
    (".lsp.json", "language servers"),
    ("output-styles", "output styles"),
    ("workflows", "workflows"),
)


def other_components(directory: str) -> tuple[str, ...]:
    """What a plugin brings besides skills and agents: the reason when nothing of it can be scored."""
    return tuple(words for name, words in _OTHER if os.path.exists(os.path.join(directory, name)))
