"""Questions about the values of a manifest: what stands under a key, and where a path leads."""

from __future__ import annotations

import os

from plugin_eval_ci.model import Value
from plugin_eval_ci.parse.documents import is_inside


def member(value: Value | None, key: str) -> Value | None:
    """What an object holds under a key (the last of that name, as readers of JSON do), or None."""
    entries = value.entries if value is not None else ()
    return next((below for name, below in reversed(entries) if name == key), None)


def texts(value: Value | None) -> tuple[Value, ...]:
    """A text, or the texts of a list."""
    listed = () if value is None else value.items if value.kind == "list" else (value,)
    return tuple(item for item in listed if item.kind == "text")


def below(directory: str, name: str) -> str | None:
    """The absolute path of ``name`` below ``directory``, or None if it leaves it or is not a path."""
    if "\0" in name or os.path.isabs(name):
        return None
    path = os.path.normpath(os.path.join(directory, name))
    return path if is_inside(path, directory) else None


def unfetched(path: str, top: str) -> bool:
    """Whether a path that does not exist may lie in a submodule that was not fetched: its nearest folder is empty."""
    while len(path) > len(top):
        path = os.path.dirname(path)
        if os.path.isdir(path):
            return path != top and not os.listdir(path)
    return False


def local_plugin(directory: str, marketplace: Value | None, entry: Value) -> str | None:
    """The existing folder that an entry of the marketplace in ``directory`` places its plugin in, or None."""
    source = member(entry, "source")
    if source is None or source.kind != "text" or not source.text.strip():
        return None
    name = source.text
    base = member(member(marketplace, "metadata"), "pluginRoot")
    if base is not None and base.kind == "text" and not name.startswith(("./", "../", "/")) and name != ".":
        name = f"{base.text}/{name}"
    place = below(directory, name)
    return place if place is not None and os.path.isdir(place) else None
