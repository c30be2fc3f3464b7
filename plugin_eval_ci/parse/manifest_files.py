"""The JSON files of plugins and marketplaces as ``Manifest`` facts: which there are, and what they hold.

Read when a plugin or a marketplace was met; a run over one SKILL.md never comes here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from plugin_eval_ci.model import Manifest, ManifestKind, Problem, Source, Value
from plugin_eval_ci.parse import json_lines
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.parse.manifest import MAX_ITEMS, MAX_PATHS
from plugin_eval_ci.parse.manifest_value import below, local_plugin, member
from plugin_eval_ci.parse.source import read_source
from plugin_eval_ci.util import faults

MAX_BYTES = 4 << 20
_MAX_NOTES = 20
_CLAUDE = ".claude-plugin"


def read_manifests(plugins: Iterable[str], marketplaces: Iterable[str], root: str) -> tuple[Manifest, ...]:
    """Every manifest of these directories (absolute), each file once, in the order of their paths."""
    files = _Files(root)
    for directory in marketplaces:
        files.marketplace(directory)
    for directory in dict.fromkeys(plugins):
        files.plugin(directory)
    return tuple(sorted(files.found, key=lambda manifest: (manifest.source.path, manifest.inline)))


class _Files:
    def __init__(self, root: str) -> None:
        self.root = root
        self.real_root = os.path.realpath(root)
        self.seen: set[str] = set()
        self.found: list[Manifest] = []

    def marketplace(self, directory: str) -> None:
        manifest = self.file(os.path.join(directory, _CLAUDE, "marketplace.json"), "marketplace", directory, None)
        if manifest is None:
            return
        entries = member(manifest.value, "plugins")
        for entry in entries.items if entries is not None else ():
            self.components(manifest, entry, local_plugin(directory, manifest.value, entry))

    def plugin(self, directory: str) -> None:
        try:
            names = sorted(name for name in os.listdir(directory) if name.startswith(".") and name.endswith("-plugin"))
        except OSError:
            return
        others = [
            name for name in names if name != _CLAUDE and os.path.lexists(os.path.join(directory, name, "plugin.json"))
        ]
        for name in others:
            self.file(os.path.join(directory, name, "plugin.json"), "other", directory, directory)
        own = self.file(os.path.join(directory, _CLAUDE, "plugin.json"), "plugin", directory, directory)
        if own is None and others:
            return  # its hooks and servers follow the other client's format
        self.file(os.path.join(directory, "hooks", "hooks.json"), "hooks", directory, directory)
        self.file(os.path.join(directory, ".mcp.json"), "mcp", directory, directory)
        if own is not None and own.value is not None:
            self.components(own, own.value, directory)

    def components(self, owner: Manifest, holder: Value, plugin: str | None) -> None:
        """The hooks and servers that an object defines or names."""
        kinds: tuple[tuple[str, ManifestKind], ...] = (("hooks", "hooks"), ("mcpServers", "mcp"))
        for key, kind in kinds:
            value = member(holder, key)
            parts = () if value is None else value.items if value.kind == "list" else (value,)
            for part in parts:
                if part.kind == "mapping":
                    inline = owner._replace(kind=kind, value=part, problem=None, notes=(), plugin=plugin, inline=True)
                    self.found.append(inline)
                elif part.kind == "text" and plugin is not None and part.text.endswith(".json"):
                    file = below(plugin, part.text)
                    if file is not None:
                        self.file(file, kind, plugin, plugin)

    def file(self, file: str, kind: ManifestKind, directory: str, plugin: str | None) -> Manifest | None:
        """Read one file if it is there and was not read before."""
        real = os.path.realpath(file)
        if not os.path.lexists(file) or real in self.seen or (os.path.isdir(file) and kind in ("hooks", "mcp")):
            return None
        self.seen.add(real)
        path = os.path.relpath(file, self.root).replace(os.sep, "/")
        if not is_inside(real, self.real_root):
            source = Source(file, path, "", 0, False, None)
            problem: Problem | None = Problem(
                json_lines.INVALID,
                1,
                "the file is a link that leaves the repository, and is not read",
                "Put the file itself into the repository.",
            )
            manifest = Manifest(source, kind, None, problem, (), directory, self.root, plugin)
        else:
            try:
                manifest = _parsed(read_source(file, path, MAX_BYTES), kind, directory, self.root, plugin)
            except Exception as error:
                faults.note(error, "read", path)
                return None
        self.found.append(manifest)
        return manifest


class _Trimmer:
    """Cuts lists that no manifest has: each item costs several looks at the disk."""

    def __init__(self) -> None:
        self.left = MAX_PATHS
        self.notes: list[Problem] = []

    def trimmed(self, value: Value) -> Value:
        if value.entries:
            value = value._replace(entries=tuple((key, self.trimmed(below)) for key, below in value.entries))
        if value.items:
            most = min(MAX_ITEMS, self.left)
            if len(value.items) > most and len(self.notes) < _MAX_NOTES:
                message = f"a list of {len(value.items):,} items, of which the first {most:,} are read"
                self.notes.append(Problem(json_lines.INVALID, value.key_line or value.line, message, "Split the file."))
            self.left -= min(len(value.items), most)
            value = value._replace(items=tuple(self.trimmed(item) for item in value.items[:most]))
        return value


def _parsed(source: Source, kind: ManifestKind, directory: str, root: str, plugin: str | None) -> Manifest:
    if source.problem is not None:
        fix = "Make it smaller." if source.problem.kind == "FILE_TOO_LARGE" else source.problem.fix
        problem = source.problem._replace(kind=json_lines.INVALID, fix=fix)
        return Manifest(source, kind, None, problem, (), directory, root, plugin)
    notes = (json_lines.byte_order_mark(),) if source.bom else ()
    value, wrong, more = json_lines.parse(source.text)
    if value is not None:
        trimmer = _Trimmer()
        value = trimmer.trimmed(value)
        more += tuple(trimmer.notes)
    return Manifest(source, kind, value, wrong, notes + more, directory, root, plugin)
