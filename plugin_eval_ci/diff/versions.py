"""Finds the versions of each plugin before and after a change, and its changed installed files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from plugin_eval_ci import git
from plugin_eval_ci.analysis.plugin_entries import line_of, local_entries, text_of
from plugin_eval_ci.analysis.revision import PluginSides, StatedVersion
from plugin_eval_ci.git import Change
from plugin_eval_ci.model import Collection, Manifest, Value
from plugin_eval_ci.parse.manifest_value import member, texts

_LOADED = frozenset({"skills", "agents", "commands", "hooks", "output-styles", "workflows", "monitors", "themes"})
_FILES = frozenset({"SKILL.md", ".mcp.json", ".lsp.json", "settings.json"})
# In a plugin's own folder these belong to the plugin; at the root of a repository they may serve its development.
_BESIDE = frozenset({"scripts", "bin", "lib", "servers", "server", "references", "assets", "templates", "prompts"})
_TESTS = frozenset({"test", "tests", "__tests__", "evals", "__pycache__"})
_FOR_PEOPLE = re.compile(
    r"(?:README|CHANGELOG|CHANGES|RELEASE-NOTES|LICEN[CS]E|NOTICE|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|AUTHORS)(?:[.-].*)?"
    r"|test_.*\.py|.*_test\.py|.*\.(?:test|spec)\.[jt]sx?|\.git(?:ignore|attributes|keep)|\.editorconfig|\.DS_Store",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?:\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT|^\.)[\"']?/([^/\s\"']+)")
_MOST_COMPARED = 400  # files whose text is read to see whether only white space differs


class Place(NamedTuple):
    """A plugin's folder on both sides ("" for the repository root), and which files below it count."""

    old: str
    new: str
    only: tuple[str, ...] | None  # paths from the folder, where several plugins share it
    named: frozenset[str]  # first parts of paths that manifests name

    def holds(self, path: str) -> bool:
        """Whether a file (relative to the plugin's folder) affects users who install the plugin."""
        parts = path.split("/")
        if self.only is not None and not any(path == one or path.startswith(f"{one}/") for one in self.only):
            return False
        if _FOR_PEOPLE.fullmatch(parts[-1]):
            return False
        if parts[-1] != "SKILL.md" and _TESTS & set(parts[2:4] if parts[0] == "skills" else parts[1:3]):
            return False
        top = parts[0]
        known = top in self.named or (top in _LOADED and len(parts) > 1) or path in _FILES
        return self.only is not None or known or (bool(self.new) and top in _BESIDE)


def named_by(manifests: Iterable[Manifest]) -> frozenset[str]:
    """The first parts of the paths in a plugin's manifests, as in ``${CLAUDE_PLUGIN_ROOT}/server/index.js``."""
    found = (
        match[1]
        for manifest in manifests
        if manifest.value is not None
        for text in _texts(manifest.value)
        for match in _NAMED.finditer(text)
    )
    return frozenset(part for part in found if part not in (".", "..", ".claude-plugin"))


def _texts(value: Value) -> Iterator[str]:
    if value.kind == "text":
        yield value.text
    for below in (*value.items, *(inner for _, inner in value.entries)):
        yield from _texts(below)


def changed_files(root: str, place: Place, changes: Iterable[Change]) -> tuple[str, ...]:
    """The reported paths of installed files that differ in more than white space."""
    mine = [(change, _below(place.old, change.old), _below(place.new, change.new)) for change in changes]
    mine = [
        (change, old, new)
        for change, old, new in mine
        if any(path is not None and place.holds(path) for path in (old, new))
    ]
    edited = [change for change, old, new in mine if old == new and change.same_mode]
    same = _same(root, edited[:_MOST_COMPARED])
    return tuple(change.new or change.old or "" for change, _, _ in mine if change not in same)


def _below(folder: str, path: str | None) -> str | None:
    if path is None or not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else None


def _same(root: str, edited: list[Change]) -> frozenset[Change]:
    """The files whose content is equivalent before and after."""
    names = {name for change in edited for name in (change.old_blob, change.new_blob) if name}
    contents = git.blobs(root, sorted(names))
    same = set()
    for change in edited:
        before = contents.get(change.old_blob or "")
        after = contents.get(change.new_blob) if change.new_blob else _on_disk(root, change.new or "")
        if before is not None and after is not None and _without_blanks(before) == _without_blanks(after):
            same.add(change)
    return frozenset(same)


def _on_disk(root: str, path: str) -> bytes | None:
    file = os.path.join(root, path)
    try:
        if os.path.islink(file):
            return os.fsencode(os.readlink(file))
        with open(file, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _without_blanks(data: bytes) -> bytes:
    """A text without trailing white space on lines and at the end. A binary file is returned unchanged."""
    return data if b"\0" in data else b"\n".join(line.rstrip() for line in data.splitlines()).rstrip()


_MANIFEST = ".claude-plugin/plugin.json"
_LISTS = ("skills", "agents", "commands")
# Keys that a marketplace only displays; they do not affect an installed plugin.
_SHOWN = frozenset(
    {"version", "description", "author", "homepage", "repository", "license", "keywords", "tags", "category"}
    | {"displayName", "$schema", "source", "strict"}
)


class _Entry(NamedTuple):
    manifest: Manifest
    value: Value


class _PluginsOfSide:
    """The plugins of one side, by folder relative to the root ("" for the root itself)."""

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
        for manifest, entry, place in local_entries(collection):
            self.entries.setdefault(_from(root, place), []).append(_Entry(manifest, entry))

    def entry(self, folder: str, name: str | None) -> _Entry | None:
        """The entry of a folder, selected by name if several plugins share the folder."""
        listed = self.entries.get(folder, [])
        if name is None:
            return next((one for one in listed if text_of(one.value, "version")), listed[0] if listed else None)
        return next((one for one in listed if text_of(one.value, "name") == name), None)


def plugin_sides(
    before: Collection, after: Collection, changes: tuple[Change, ...], renamed: Mapping[str, str], root: str
) -> Iterator[PluginSides]:
    """Every plugin that declares a version on both sides. ``renamed`` maps new paths to old ones."""
    then, now = _PluginsOfSide(before), _PluginsOfSide(after)
    for folder in sorted({*now.own, *now.entries}):
        top = f"{folder}/" if folder else ""
        old = renamed.get(f"{top}{_MANIFEST}", "").removesuffix(_MANIFEST).rstrip("/") or folder
        listed = now.entries.get(folder, [])
        shared = len({text_of(one.value, "name") for one in listed}) > 1 and folder not in now.own
        for name in [text_of(one.value, "name") for one in listed] if shared else [None]:
            sides = _sides(then, now, (old, folder), name)
            if sides.before is not None and sides.after is not None:
                yield sides._replace(changed=_changed(then, now, (old, folder), name, changes, root))


def _sides(then: _PluginsOfSide, now: _PluginsOfSide, folders: tuple[str, str], name: str | None) -> PluginSides:
    own = _stated(then.own.get(folders[0])), _stated(now.own.get(folders[1]))
    listed = [side.entry(folder, name) for side, folder in zip((then, now), folders, strict=True)]
    shown = f"{folders[1] or '.'}{f' ({name})' if name else ''}"
    return PluginSides(shown, own, (_of_entry(listed[0]), _of_entry(listed[1])), ())


def _stated(manifest: Manifest | None) -> StatedVersion | None:
    return None if manifest is None else _version(manifest, manifest.value)


def _of_entry(entry: _Entry | None) -> StatedVersion | None:
    return None if entry is None else _version(entry.manifest, entry.value)


def _version(manifest: Manifest, holder: Value | None) -> StatedVersion | None:
    value, text = member(holder, "version"), text_of(holder, "version")
    return StatedVersion(text, manifest.source.path, line_of(value)) if value is not None and text else None


def _changed(
    then: _PluginsOfSide,
    now: _PluginsOfSide,
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
    """The definitions in a manifest, independent of their position in the file."""
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
