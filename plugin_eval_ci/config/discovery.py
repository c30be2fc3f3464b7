"""Which file configures which folder: the nearest one at or above it, up to the repository's root."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable

from plugin_eval_ci.config import FILE_NAME, Config
from plugin_eval_ci.errors import UnreadableError, UsageError

PYPROJECT = "pyproject.toml"
_MISNAMED = ".plugin-eval.yml"
_MAX_PYPROJECT = 1 << 20
MAX_BYTES = 256 * 1024  # of a pyproject.toml, which configures other tools too
# Where our table could begin, in any spelling: only then is the file parsed.
_TABLE = rb"""^[ \t]*\[?[ \t]*["']?tool["']?[ \t]*(?:\.[ \t]*["']?plugin-eval\b|\]|=)"""


class Nearest:
    """The configuration of every folder of a repository, read when it is first needed."""

    def __init__(
        self, root: str, tops: frozenset[str], load: Callable[[str, str], Config | None], default: Config
    ) -> None:
        """``tops`` are the roots of the repositories below ``root`` (absolute), relative to it; "" is ``root`` itself."""
        self._root = root
        self._tops = tops
        self._load = load
        self._default = default
        self._known: dict[str, Config] = {}

    def at(self, folder: str) -> Config:
        """The configuration of the files directly in ``folder`` (POSIX, from the root)."""
        waiting: list[str] = []
        found = self._known.get(folder)
        while found is None:
            waiting.append(folder)
            found = self._own(folder)
            if found is None:
                top = folder in self._tops or not folder
                folder = folder.rpartition("/")[0]
                found = self._default if top else self._known.get(folder)
        self._known.update(dict.fromkeys(waiting, found))
        return found

    def for_score(self) -> Nearest:
        """The same files, of which only the excluded paths matter."""

        def load(file: str, folder: str) -> Config | None:
            found = self._load(file, folder)
            return found.for_score() if found else None

        return Nearest(self._root, self._tops, load, self._default.for_score())

    def _own(self, folder: str) -> Config | None:
        if not any(not top or folder == top or folder.startswith(f"{top}/") for top in self._tops):
            return None  # outside the repositories
        place = os.path.join(self._root, folder) if folder else self._root
        own, other = find_files(place, self._root)
        mine = self._load(own, folder) if own else None
        theirs = self._load(other, folder) if other else None
        if mine is not None and theirs is not None:
            raise UsageError(f"{own} and [tool.plugin-eval] in {other} both configure this folder; keep one of them")
        return mine or theirs


def find_files(folder: str, root: str) -> tuple[str | None, str | None]:
    """The .plugin-eval.yaml of one folder, and a pyproject.toml that may hold the table. Raises ``UsageError`` for a misspelt name."""
    own = os.path.join(folder, FILE_NAME)
    mine = own if _is_file(own, root, ours=True) else None
    if mine is None and os.path.lexists(os.path.join(folder, _MISNAMED)):
        raise UsageError(f"{os.path.join(folder, _MISNAMED)}:1: not read; rename it to {FILE_NAME}")
    other = os.path.join(folder, PYPROJECT)
    return mine, other if _is_file(other, root, ours=False) and _has_table(other) else None


def _is_file(path: str, root: str, ours: bool) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    if not stat.S_ISLNK(mode):
        if ours and not stat.S_ISREG(mode):
            raise UsageError(f"{path}:1: not read: not a regular file")
        return stat.S_ISREG(mode)
    real, top = os.path.realpath(path), os.path.realpath(root)
    if not real.startswith(top.rstrip(os.sep) + os.sep):
        if ours:
            raise UsageError(f"{path}:1: not read: the link leads out of the repository")
        return False
    if ours and not os.path.isfile(real):
        raise UsageError(f"{path}:1: not read: the link does not lead to a regular file")
    return os.path.isfile(real)


def _has_table(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            data = stream.read(_MAX_PYPROJECT)
    except OSError:
        return False
    return b"plugin-eval" in data and re.search(_TABLE, data, re.MULTILINE) is not None


def text_of(file: str, limit: int = MAX_BYTES) -> str:
    """The text of a file. Raises ``UnreadableError`` for one that is missing, too large or not UTF-8."""
    try:
        with open(file, "rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(1, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > limit:
        raise UnreadableError(1, f"cannot be read: larger than {limit:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(line, f"cannot be read: byte 0x{data[error.start]:02x} is not UTF-8") from error
