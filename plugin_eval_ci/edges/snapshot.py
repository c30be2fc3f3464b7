"""A commit laid out below a temporary folder: every name of its tree, the contents only of what will be read.

Rules look at names far from a skill (does that sibling exist?), but read only the skills they are asked about, so most files may stay
empty. The folder is no work tree of git; it ends with its context.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from plugin_eval_ci.edges import git

_MAX_BLOB = 4 << 20
_MEMORY = "/dev/shm"  # a folder of its own is made in it, for this user only
_BLOCK = 4096  # bytes that a file or a folder takes at least
_FREE = 4  # of the free memory at most one part in so many is taken


@contextmanager
def snapshot(root: str, commit: str, is_read: Callable[[str], bool]) -> Iterator[str]:
    """Lay out ``commit``; ``is_read`` says of a path whether its content matters. Yields the folder."""
    entries = [entry for entry in git.tree(root, commit) if _is_plain(entry.path)]
    wanted = {
        entry.path for entry in entries if entry.mode == "120000" or (entry.mode != "160000" and is_read(entry.path))
    }
    contents = git.blobs(root, list(dict.fromkeys(entry.blob for entry in entries if entry.path in wanted)))
    need = sum(_BLOCK + len(contents.get(entry.blob, b"")) for entry in entries if entry.path in wanted)
    with tempfile.TemporaryDirectory(prefix="plugin-eval-", dir=_in_memory(need, 4 * len(entries))) as folder:
        place = os.path.realpath(folder)
        os.mkdir(os.path.join(place, ".git"))
        made: set[str] = set()
        for entry in entries:
            _lay(place, entry, contents.get(entry.blob, b"") if entry.path in wanted else b"", made)
        yield place


def _in_memory(size: int, count: int) -> str | None:
    """The folder that is kept in memory, when it has ample room for so many bytes in so many files; None for the usual one.

    Thousands of small files take a disk several times as long, which is most of what a comparison costs. Who names a folder for
    temporary files gets that one.
    """
    if os.environ.get("TMPDIR") or not os.path.ismount(_MEMORY) or not os.access(_MEMORY, os.W_OK | os.X_OK):
        return None
    return _MEMORY if shutil.disk_usage(_MEMORY).free >= _FREE * (size + _BLOCK * count) else None


def _is_plain(path: str) -> bool:
    parts = path.split("/")
    return not path.startswith("/") and not any(part in ("", ".", "..", ".git") for part in parts)


def _lay(place: str, entry: git.Entry, content: bytes, made: set[str]) -> None:
    target = os.path.join(place, *entry.path.split("/"))
    folder = os.path.dirname(target)
    try:
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        if entry.mode == "160000":
            os.makedirs(target, exist_ok=True)
        elif entry.mode == "120000":
            os.symlink(os.fsdecode(content), target)
        else:
            with open(target, "xb") as stream:
                stream.write(content[:_MAX_BLOB])
            if entry.mode == "100755":
                os.chmod(target, 0o755)
    except (OSError, ValueError):
        return  # a name this file system cannot hold is a name no client could read either
