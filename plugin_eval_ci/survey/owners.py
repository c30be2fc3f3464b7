"""Finds the owners of a file in CODEOWNERS by GitHub's rules: first of three places, .gitignore patterns, last match wins."""

from __future__ import annotations

import os
import re
from typing import Literal, NamedTuple

from plugin_eval_ci.config.globs import Glob
from plugin_eval_ci.parse.documents import is_inside

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
_MAX_BYTES = 3 << 20  # GitHub ignores larger files
_MAX_PATTERNS = 2_000  # with wildcards; each is matched against every path
_WILD = re.compile(r"[*?\[]")
_WORDS = re.compile(r"(?:\\.|[^\s\\])+")  # spaces in a pattern are escaped


_Fit = Literal["itself", "folder", "any"]  # what a pattern is matched against: the file, the folders above it, or both


class _Rule(NamedTuple):
    number: int
    owners: tuple[str, ...]


class Owners:
    """The rules of one file. Patterns without wildcards, which are nearly all, are looked up instead of matched one by one."""

    def __init__(self, text: str = "") -> None:
        self._exact: dict[str, _Rule] = {}
        self._globs: list[tuple[Glob, _Fit, _Rule]] = []
        for number, line in enumerate(text.split("\n")):
            self._add(number, line)
        self._globs.reverse()

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a file (POSIX path from the repository root), as written. Empty if the last match lists no owners."""
        parts = path.split("/")
        folders = ["/".join(parts[: n + 1]) for n in range(len(parts) - 1)]
        places = [path, *folders, *(f"{folder}/" for folder in folders)]
        found = max((self._exact[place] for place in places if place in self._exact), default=_Rule(-1, ()))
        tried = {"itself": [path], "folder": folders, "any": [path, *folders]}
        for glob, fit, rule in self._globs:  # last rule first
            if rule.number < found.number:
                break
            if any(map(glob.matches, tried[fit])):
                return rule.owners
        return found.owners

    def _add(self, number: int, line: str) -> None:
        if line.lstrip().startswith(
            ("#", "[", "^[", "!")
        ):  # comments; sections of another host; syntax that GitHub does not support
            return
        words = _WORDS.findall(line)
        stop = next((n for n, word in enumerate(words) if n and word.startswith("#")), len(words))
        if not words:
            return
        pattern, rule = re.sub(r"\\(.)", r"\1", words[0]), _Rule(number, tuple(words[1:stop]))
        anchored = "/" in pattern.rstrip("/")
        if anchored and not _WILD.search(pattern):
            self._exact[pattern.removeprefix("/")] = rule
        elif pattern.strip("/") and len(self._globs) < _MAX_PATTERNS:
            # `docs/*` is about the files directly in docs: the one place where this differs from .gitignore.
            fit: _Fit = "folder" if pattern.endswith("/") else "any"
            self._globs.append((Glob(pattern), "itself" if anchored and pattern.endswith("/*") else fit, rule))


def owners_in(root: str) -> Owners:
    """The rules of the repository at ``root`` (absolute). Empty without a file, or if the file links outside the repository."""
    for place in PLACES:
        file = os.path.join(root, place)
        try:
            if not os.path.isfile(file):
                continue
            if os.path.getsize(file) > _MAX_BYTES or not is_inside(os.path.realpath(file), os.path.realpath(root)):
                return Owners()
            with open(file, "rb") as stream:
                return Owners(stream.read(_MAX_BYTES).decode("utf-8", "replace"))
        except OSError:
            return Owners()
    return Owners()
