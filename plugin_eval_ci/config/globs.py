"""Globs as git reads them, matched segment by segment, in time proportional to pattern times path."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache

MAX_LENGTH = 500
MAX_GLOBS = 1_000
_WILD = re.compile(r"[*?\[]")
_DEEP = re.compile(r"\*\*+\Z")
_Segment = Callable[[str], object] | None  # None stands for **: any number of folders


class Glob:
    """One pattern. ``*`` stays in one folder, ``**`` crosses them, a name without a slash counts everywhere."""

    __slots__ = ("_name", "_segments")

    def __init__(self, glob: str) -> None:
        glob = glob.strip()[:MAX_LENGTH].removeprefix("./")
        anchored = "/" in glob.rstrip("/")
        parts = glob.strip("/").removesuffix("/**").split("/")
        segments = [_segment(part) for part in parts] if any(parts) else []
        self._name = segments[0] if len(segments) == 1 and not anchored else None
        self._segments: list[_Segment] = segments if anchored or not segments else [None, *segments]

    def matches(self, path: str) -> bool:
        """Whether the pattern matches ``path`` itself (POSIX, relative to the folder that the pattern counts from)."""
        if not path:
            return False
        if self._name is not None:
            return bool(self._name(path.rpartition("/")[2]))
        return bool(self._segments) and _fits(self._segments, path.split("/"))

    def covers(self, path: str) -> bool:
        """Whether it matches ``path`` or a folder above it."""
        parts = path.split("/")
        return any(self.matches("/".join(parts[: n + 1])) for n in range(len(parts)))


@lru_cache(maxsize=4 * MAX_GLOBS)
def compile_glob(glob: str) -> Glob:
    """The pattern of a text, compiled once."""
    return Glob(glob)


def _segment(part: str) -> _Segment:
    if _DEEP.match(part):
        return None
    if not _WILD.search(part):
        return part.__eq__
    # The translation has no nested repetition: each star takes the first place where what follows it fits.
    return re.compile(translate(part.replace("[^", "[!"))).match


def _fits(segments: list[_Segment], parts: list[str]) -> bool:
    """One pass that goes back to the last ``**`` only, as is enough for patterns of this kind."""
    here = there = 0
    deep, resume = -1, 0
    while there < len(parts):
        segment = segments[here] if here < len(segments) else _nothing
        if segment is None:
            deep, resume = here, there
            here += 1
        elif segment(parts[there]):
            here, there = here + 1, there + 1
        elif deep >= 0:
            here, resume = deep + 1, resume + 1
            there = resume
        else:
            return False
    return all(segment is None for segment in segments[here:])


def _nothing(_: str) -> bool:
    return False
