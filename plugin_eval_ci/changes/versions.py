"""The versions of each plugin before and after a change, and what of it changed for those who install it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plugin_eval_ci.changes.installed import Place, changed_files, named_by
from plugin_eval_ci.edges.git import Change
from plugin_eval_ci.model import Collection, Manifest, Value
from plugin_eval_ci.parse.manifest_value import member, texts
from plugin_eval_ci.revised import PluginSides, Stated
from plugin_eval_ci.rules.manifests import line_of, placed, text_of

_MANIFEST = ".claude-plugin/plugin.json"
_LISTS = ("skills", "agents", "commands")
# What a listing shows of a plugin; an installed one works the same whatever stands here.
_SHOWN = frozenset(
    {"version", "description", "author", "homepage", "repository", "license", "keywords", "tags", "category"}
    | {"displayName", "$schema", "source", "strict"}
)


class _Entry(NamedTuple):
    manifest: Manifest
    value: Value


class _Side:
    """The plugins of one side by folder (from the root, "" for the root itself)."""

    def __init__(self, collection: Collection) -> None:
        root = collection.root
        self.manifests: dict[str, list[Manifest]] = {}
        self.own: dict[str, Manifest] = {}
        for manifest in collection.manifests:
            if manifest.plugin is not None:
                folder = _from(root, manifest.plugin)
                self.manifests.setdefault(folder, []).append(manifest)
                if manifest.kind == "plugin" and manifest.value is not None:
                    self.own[folder] = manifest
        self.entries: dict[str, list[_Entry]] = {}
        for manifest, entry, place in placed(collection):
            self.entries.setdefault(_from(root, place), []).append(_Entry(manifest, entry))

    def entry(self, folder: str, name: str | None) -> _Entry | None:
        """The entry of a folder, by its name where several plugins share the folder."""
        listed = self.entries.get(folder, [])
        if name is None:
            return next((one for one in listed if text_of(one.value, "version")), listed[0] if listed else None)
        return next((one for one in listed if text_of(one.value, "name") == name), None)


def plugin_sides(
    before: Collection, after: Collection, changes: tuple[Change, ...], renamed: Mapping[str, str], root: str
) -> Iterator[PluginSides]:
    """Every plugin that states a version on both sides. ``renamed`` holds by path now the path before."""
    then, now = _Side(before), _Side(after)
    for folder in sorted({*now.own, *now.entries}):
        top = f"{folder}/" if folder else ""
        old = renamed.get(f"{top}{_MANIFEST}", "").removesuffix(_MANIFEST).rstrip("/") or folder
        listed = now.entries.get(folder, [])
        shared = len({text_of(one.value, "name") for one in listed}) > 1 and folder not in now.own
        for name in [text_of(one.value, "name") for one in listed] if shared else [None]:
            sides = _sides(then, now, (old, folder), name)
            if sides.before is not None and sides.after is not None:
                yield sides._replace(changed=_changed(then, now, (old, folder), name, changes, root))


def _sides(then: _Side, now: _Side, folders: tuple[str, str], name: str | None) -> PluginSides:
    own = _stated(then.own.get(folders[0])), _stated(now.own.get(folders[1]))
    listed = [side.entry(folder, name) for side, folder in zip((then, now), folders, strict=True)]
    shown = f"{folders[1] or '.'}{f' ({name})' if name else ''}"
    return PluginSides(shown, own, (_of_entry(listed[0]), _of_entry(listed[1])), ())


def _stated(manifest: Manifest | None) -> Stated | None:
    return None if manifest is None else _version(manifest, manifest.value)


def _of_entry(entry: _Entry | None) -> Stated | None:
    return None if entry is None else _version(entry.manifest, entry.value)


def _version(manifest: Manifest, holder: Value | None) -> Stated | None:
    value, text = member(holder, "version"), text_of(holder, "version")
    return Stated(text, manifest.source.path, line_of(value)) if value is not None and text else None


def _changed(
    then: _Side,
    now: _Side,
    folders: tuple[str, str],
    name: str | None,
    changes: tuple[Change, ...],
    root: str,
) -> tuple[str, ...]:
    entries = then.entry(folders[0], name), now.entry(folders[1], name)
    only = None
    if name is not None:
        only = tuple({path for entry in entries if entry is not None for path in _paths(entry.value)})
        only = None if "." in only else only or None
    manifests = [*then.manifests.get(folders[0], []), *now.manifests.get(folders[1], [])]
    files = changed_files(root, Place(*folders, only, named_by(manifests)), changes)
    own = then.own.get(folders[0]), now.own.get(folders[1])
    defined = []
    if own[0] is not None and own[1] is not None and _loaded(own[0].value) != _loaded(own[1].value):
        defined.append(own[1].source.path)
    if entries[0] is not None and entries[1] is not None and _loaded(entries[0].value) != _loaded(entries[1].value):
        defined.append(entries[1].manifest.source.path)
    return tuple(dict.fromkeys((*files, *defined)))


def _paths(entry: Value) -> Iterator[str]:
    for key in _LISTS:
        yield from (os.path.normpath(text.text).replace(os.sep, "/") for text in texts(member(entry, key)))


def _loaded(value: Value | None) -> object:
    """What a manifest defines, wherever it stands in the file."""
    return {} if value is None else {key: _plain(below) for key, below in value.entries if key not in _SHOWN}


def _plain(value: Value) -> object:
    return (
        value.kind,
        value.text,
        [_plain(item) for item in value.items],
        {key: _plain(one) for key, one in value.entries},
    )


def _from(root: str, place: str) -> str:
    relative = os.path.relpath(place, root).replace(os.sep, "/")
    return "" if relative == "." else relative
