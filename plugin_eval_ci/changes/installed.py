"""Which changed files of a plugin reach its users: what a host loads, and what those files name, but neither tests nor readmes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plugin_eval_ci.edges import git
from plugin_eval_ci.edges.git import Change
from plugin_eval_ci.model import Manifest, Value

_LOADED = frozenset({"skills", "agents", "commands", "hooks", "output-styles", "workflows", "monitors", "themes"})
_FILES = frozenset({"SKILL.md", ".mcp.json", ".lsp.json", "settings.json"})
# In a folder of its own a plugin has these for itself; at the top of a repository they may serve its development.
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
    """A plugin's folder on both sides ("" for the repository's root), and below it what counts."""

    old: str
    new: str
    only: tuple[str, ...] | None  # paths from the folder, where several plugins share it
    named: frozenset[str]  # first parts of paths that manifests name

    def holds(self, path: str) -> bool:
        """Whether a file (from the plugin's folder) is one that users install for its sake."""
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
    """First parts of the paths that the manifests of a plugin name, as in ``${CLAUDE_PLUGIN_ROOT}/server/index.js``."""
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
    """The installed files that differ by more than white space, as reported."""
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
    """Those that say the same before and after."""
    names = {name for change in edited for name in (change.old_blob, change.new_blob) if name}
    contents = git.blobs(root, sorted(names))
    same = set()
    for change in edited:
        before = contents.get(change.old_blob or "")
        after = contents.get(change.new_blob) if change.new_blob else _on_disk(root, change.new or "")
        if before is not None and after is not None and _plain(before) == _plain(after):
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


def _plain(data: bytes) -> bytes:
    """A text without blanks at the ends of lines and of the file; a binary file as it is."""
    return data if b"\0" in data else b"\n".join(line.rstrip() for line in data.splitlines()).rstrip()
