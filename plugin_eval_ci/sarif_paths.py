"""From the address of a file in another engine's SARIF to a path below our root, by the letters alone: nothing is opened."""

from __future__ import annotations

import os
import posixpath
import re
from urllib.parse import unquote

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # two letters at least: one is a drive
_FILE = re.compile(r"file:(?://(?:localhost(?=/))?)?", re.IGNORECASE)
_NO_PATH = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")  # no file system has these
_DRIVE = re.compile(r"/?([A-Za-z]:/)")


class Place:
    """A repository's root, under the name it was given and under its real one."""

    def __init__(self, root: str) -> None:
        self._roots = tuple(
            dict.fromkeys(path.replace(os.sep, "/").rstrip("/") for path in (root, os.path.realpath(root)))
        )

    def relative(self, uri: str, base: str) -> str | None:
        """The path below the root; ``.`` is the root, None is outside.

        A base that is no part of our tree belongs to another machine: what is relative to it is taken as relative to our root.
        """
        path = _plain(uri)
        if path is None:
            return None
        if _absolute(path):
            return self._below(path)
        start = _plain(base) if base else None
        from_base = self._below(f"{start}/{path}") if start and _absolute(start) and self._below(start) else None
        return from_base or self._below(f"{self._roots[0]}/{path}")

    def _below(self, path: str) -> str | None:
        normal = posixpath.normpath(path)
        for root in self._roots:
            if normal == (root or "/"):
                return "."
            if normal.startswith(f"{root}/"):
                return normal[len(root) + 1 :]
        return None


def _plain(uri: str) -> str | None:
    """The path of an address, with forward slashes; None for what is no file."""
    uri = uri.replace("\\", "/")
    if _FILE.match(uri):
        uri = _FILE.sub("", uri, count=1)
    elif _SCHEME.match(uri):
        return None
    path = _NO_PATH.sub("\ufffd", unquote(uri, errors="surrogateescape"))
    path = _DRIVE.sub(r"\1", path, count=1) if _DRIVE.match(path) else path
    return re.sub(r"^/+", "/", path)


def _absolute(path: str) -> bool:
    return path.startswith("/") or bool(_DRIVE.match(path))
