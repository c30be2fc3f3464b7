"""What each client is known to accept, as dated data: one JSON file a client, read when a rule first asks.

A fact that is not in a profile is unknown, and what is unknown is never an error. To bring one up to date, edit its file
and its date; nothing in the code holds a list of keys, events or models.
"""

import os
from functools import cache
from typing import NamedTuple

Table = dict[str, tuple[str, ...]]
_NO_PROFILES = ("loading.json", "models.json")


class Profile(NamedTuple):
    """One client. ``keys`` and ``values`` are by kind of document: skill, agent, plugin, marketplace, entry."""

    name: str
    date: str
    source: str
    keys: dict[str, Table]  # key -> the types it may have; none when nothing is certain
    values: dict[str, Table]  # key -> all its values, where they are few
    models: tuple[str, ...]
    plugin_agent_unsupported: tuple[str, ...]
    hook_events: tuple[str, ...]
    hook_types: Table  # kind of a hook -> the keys it needs
    source_kinds: Table  # kind of a plugin's source -> the keys it needs
    limits: dict[str, int]
    required: Table  # kind of document -> the keys without which it is not loaded
    metadata: tuple[str, ...]  # its own keys below a skill's metadata


@cache
def profiles() -> tuple[Profile, ...]:
    """Every client, by name."""
    folder = os.path.dirname(__file__)
    names = (name for name in sorted(os.listdir(folder)) if name.endswith(".json") and name not in _NO_PROFILES)
    return tuple(_read(os.path.join(folder, name)) for name in names)


@cache
def claude_code() -> Profile:
    """Claude Code, whose formats plugins and marketplaces are."""
    return next(profile for profile in profiles() if profile.name == "claude-code")


@cache
def known_keys(kind: str) -> frozenset[str]:
    """The keys that any client knows in this kind of document."""
    kinds = ("entry", "plugin") if kind == "entry" else (kind,)
    return frozenset(key for profile in profiles() for one in kinds for key in profile.keys.get(one, {}))


@cache
def keys_of(kind: str, clients: tuple[str, ...]) -> frozenset[str]:
    """The keys that these clients know in this kind of document."""
    return frozenset(key for profile in profiles() if profile.name in clients for key in profile.keys.get(kind, {}))


@cache
def requires(kind: str, key: str, clients: tuple[str, ...]) -> bool:
    """Whether one of these clients does not load a document without the key."""
    return any(key in profile.required.get(kind, ()) for profile in profiles() if profile.name in clients)


@cache
def metadata_keys() -> frozenset[str]:
    """The keys below ``metadata`` that belong to a client, which keeps more than text there."""
    return frozenset(key for profile in profiles() for key in profile.metadata)


@cache
def types_of(kind: str, key: str, clients: tuple[str, ...] = ()) -> frozenset[str]:
    """The types that some client takes for a key; empty when nothing is certain. ``clients`` none: all of them."""
    asked = [profile for profile in profiles() if not clients or profile.name in clients]
    known = [profile.keys.get(kind, {}).get(key) for profile in asked]
    given = [types for types in known if types is not None]
    return frozenset(word for types in given for word in types) if all(given) else frozenset()


def _read(file: str) -> Profile:
    import json  # few runs need a profile

    with open(file, encoding="utf-8") as stream:
        data = json.load(stream)
    return Profile(
        data["name"],
        data["date"],
        data["source"],
        {kind: _table(table) for kind, table in data.get("keys", {}).items()},
        {kind: _table(table) for kind, table in data.get("values", {}).items()},
        tuple(data.get("models", ())),
        tuple(data.get("plugin_agent_unsupported", ())),
        tuple(data.get("hook_events", ())),
        _table(data.get("hook_types", {})),
        _table(data.get("source_kinds", {})),
        dict(data.get("limits", {})),
        _table(data.get("required", {})),
        tuple(data.get("metadata", ())),
    )


def _table(data: dict[str, list[str]]) -> Table:
    return {key: tuple(words) for key, words in data.items()}
