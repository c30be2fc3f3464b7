"""Writes the files of a commit to a temporary folder, without a checkout."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from plugin_eval_ci.git import objects
from plugin_eval_ci.git.checkout import keep_left_out, left_out_of
from plugin_eval_ci.git.objects import Entry

_MAX_BLOB = 4 << 20
_MEMORY = "/dev/shm"  # a private folder is created in it
_BLOCK = 4096  # minimum bytes that a file or a folder takes
_FREE = 4  # at most one part in this many of the free memory is used


@contextmanager
def snapshot(root: str, commit: str, is_read: Callable[[str], bool]) -> Iterator[str]:
    """Yield a folder with the files of ``commit``. ``is_read`` tells whether the content of a path matters.

    A partial clone fetches missing files first; raises ``NotFetchedError`` if that fails. Files that the sparse checkout omits and the
    clone lacks are not written; ``left_out_of`` the folder returns them.
    """
    entries = [entry for entry in objects.tree(root, commit) if _is_plain(entry.path)]
    wanted = {
        entry.path: entry.blob
        for entry in entries
        if entry.mode == "120000" or (entry.mode != "160000" and is_read(entry.path))
    }
    left_out = _left_out(root, wanted)
    entries = [entry for entry in entries if entry.path not in left_out]
    wanted = {path: blob for path, blob in wanted.items() if path not in left_out}
    objects.fetch_blobs(root, wanted.values())
    contents = objects.blobs(root, list(dict.fromkeys(wanted.values())))
    need = sum(_BLOCK + len(contents.get(blob, b"")) for blob in wanted.values())
    with tempfile.TemporaryDirectory(prefix="plugin-eval-", dir=_in_memory(need, 4 * len(entries))) as folder:
        place = os.path.realpath(folder)
        os.mkdir(os.path.join(place, ".git"))
        keep_left_out(place, left_out, {entry.path for entry in entries if entry.mode == "160000"})
        made: set[str] = set()
        for entry in entries:
            _lay(place, entry, contents.get(entry.blob, b"") if entry.path in wanted else b"", made)
        yield place


def _left_out(root: str, wanted: dict[str, str]) -> set[str]:
    """Paths of a sparse checkout whose contents a partial clone does not have."""
    if objects.promisor_of(root) is None:
        return set()
    unseen = left_out_of(root).files.intersection(wanted)
    missing = set(objects.missing_blobs(root, (wanted[path] for path in unseen)))
    return {path for path in unseen if wanted[path] in missing}


def _in_memory(size: int, count: int) -> str | None:
    """The in-memory folder if it has ample room for ``size`` bytes in ``count`` files, else None for the usual one.

    Writing thousands of small files to disk takes several times longer, which is most of the cost of a comparison. A folder set in
    TMPDIR always wins.
    """
    if os.environ.get("TMPDIR") or not os.path.ismount(_MEMORY) or not os.access(_MEMORY, os.W_OK | os.X_OK):
        return None
    return _MEMORY if shutil.disk_usage(_MEMORY).free >= _FREE * (size + _BLOCK * count) else None


def _is_plain(path: str) -> bool:
    parts = path.split("/")
    return not path.startswith("/") and not any(part in ("", ".", "..", ".git") for part in parts)


def _lay(place: str, entry: Entry, content: bytes, made: set[str]) -> None:
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
        return  # a name that this file system rejects cannot be read by a client either
