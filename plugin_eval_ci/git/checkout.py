"""Finds what a checkout omits: index entries outside a sparse checkout, and submodules that were not fetched."""

from __future__ import annotations

import os
from typing import NamedTuple

from plugin_eval_ci.git.process import GitError, run_git

_LIST = "left-out"  # in the .git folder of a snapshot


class LeftOut(NamedTuple):
    """Paths from the root. ``files`` are in git but not on disk, ``submodules`` are empty folders."""

    files: frozenset[str] = frozenset()
    submodules: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()  # that contain one of ``files``

    def holds(self, root: str, place: str) -> bool:
        """Whether the missing path ``place`` below ``root`` is one of these, or is inside one."""
        path = os.path.relpath(place, root).replace(os.sep, "/")
        if path in self.files or path in self.folders:
            return True
        while path:
            if path in self.submodules:
                return True
            path = path.rpartition("/")[0]
        return False


def left_out_of(root: str) -> LeftOut:
    """What the checkout in ``root`` omits. Empty outside a repository."""
    if not os.path.lexists(os.path.join(root, ".git")):
        return LeftOut()
    try:
        with open(os.path.join(root, ".git", _LIST), "rb") as stream:
            parts = stream.read().split(b"\0\0", 1)
        return _left_out(*({os.fsdecode(path) for path in part.split(b"\0") if path} for part in parts))
    except OSError:
        pass
    try:
        listed = run_git(root, "ls-files", "-z", "-t", "--stage").stdout
    except GitError:
        return LeftOut()
    files: set[str] = set()
    submodules: set[str] = set()
    for line in listed.split(b"\0"):
        head, tab, name = line.partition(b"\t")
        path = os.fsdecode(name)
        if tab and head.startswith(b"S ") and not os.path.lexists(os.path.join(root, path)):
            files.add(path)
        elif tab and head.split(b" ")[1] == b"160000" and not _holds_anything(os.path.join(root, path)):
            submodules.add(path)
    return _left_out(files, submodules)


def keep_left_out(root: str, files: set[str], submodules: set[str]) -> None:
    """Record in ``root``, a snapshot of a commit, what it omits."""
    parts = (b"\0".join(os.fsencode(path) for path in sorted(paths)) for paths in (files, submodules))
    with open(os.path.join(root, ".git", _LIST), "wb") as stream:
        stream.write(b"\0\0".join(parts))


def _left_out(files: set[str], submodules: set[str]) -> LeftOut:
    folders = set[str]()
    for path in files:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return LeftOut(frozenset(files), frozenset(submodules), frozenset(folders))


def _holds_anything(folder: str) -> bool:
    try:
        return bool(os.listdir(folder))
    except OSError:
        return False
