"""What git knows of two states of a repository, read from its objects: nothing is checked out, fetched or run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError


@cache
def program_named(name: str) -> str | None:
    """What to start for ``name``; None when Windows has no such program on its PATH."""
    return on_path(f"{name}.exe", os.environ.get("PATH", "")) if os.name == "nt" else name


def on_path(file: str, path: str) -> str | None:
    """The first ``file`` in the folders of a PATH; relative folders do not count."""
    folders = [folder.strip('"') for folder in path.split(os.pathsep)]
    places = [os.path.join(folder, file) for folder in folders if os.path.isabs(folder)]
    return next((place for place in places if os.path.isfile(place)), None)


# Configuration and attributes of the repository must not start programs, and a partial clone must not fetch.
_OPTIONS = (
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotepath=false",
    "-c",
    "diff.external=",
)
_ENVIRONMENT = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "LC_ALL": "C"}
_DIFF = (
    "diff",
    "--raw",
    "-z",
    "--no-ext-diff",
    "--no-textconv",
    "--no-abbrev",
    "--ignore-submodules=none",
    "-M",
    "-l2000",
)

_FETCH = ("--quiet", "--no-tags", "--no-recurse-submodules")


class GitError(UsageError):
    """git is missing, this is no repository, or a revision is not there."""


class Change(NamedTuple):
    """One changed file: ``old`` and ``new`` are its paths, None where it does not exist. Paths are relative to the root."""

    old: str | None
    new: str | None
    old_blob: str | None = (
        None  # None where there is none, and for a file of the working tree that git did not hash yet
    )
    new_blob: str | None = None
    same_mode: bool = True  # False where a file became executable, or a link


class Entry(NamedTuple):
    """One file of a tree."""

    path: str
    mode: str  # 100644, 100755, 120000 (link), 160000 (submodule)
    blob: str


def commit_of(root: str, revision: str) -> str:
    """The commit a revision names. Raises ``GitError`` when there is none, as in a shallow clone."""
    if revision.startswith("-"):
        raise GitError(f"{revision!r} is no revision")
    return _text(
        root,
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{revision}^{{commit}}",
        what=f"revision {revision!r}",
    )


def merge_base(root: str, first: str, second: str) -> str | None:
    """The best common ancestor of two commits, None when the history at hand has none."""
    done = _run(root, "merge-base", first, second)
    return done.stdout.decode().strip() or None if done.returncode == 0 else None


def fetch(root: str, depth: int, *revisions: str) -> bool:
    """Bring commits of ``origin``; whether that worked. It asks for no password and ends within a minute.

    ``depth`` bounds what a shallow clone gets; a clone with its whole history is not made shallow.
    """
    if any(not revision or revision[0] in "-+" or ":" in revision for revision in revisions):
        return False  # an option, or a refspec that would write a branch
    bound = (f"--depth={depth}",) if is_shallow(root) else ()
    try:
        done = _run(root, "-c", "gc.auto=0", "fetch", *_FETCH, *bound, "origin", *revisions, seconds=60)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def changes(root: str, base: str, head: str | None) -> tuple[Change, ...]:
    """The files that differ between ``base`` and ``head``, or the working tree with what is not tracked yet."""
    revisions = (base, head) if head is not None else (base,)
    found = _parse_raw(_bytes(root, *_DIFF, *revisions, "--"))
    if head is None:
        others = _bytes(root, "ls-files", "-z", "--others", "--exclude-standard").split(b"\0")
        found += [Change(None, os.fsdecode(path)) for path in others if path]
    return tuple(sorted(found, key=lambda change: change.new or change.old or ""))


def _parse_raw(output: bytes) -> list[Change]:
    fields = output.split(b"\0")
    found, index = [], 0
    while index < len(fields) - 1:
        old_mode, new_mode, old, new, status = fields[index].lstrip(b":").split(b" ")
        facts = _blob(old), _blob(new), old_mode == new_mode
        first = os.fsdecode(fields[index + 1])
        if status[:1] in b"RC":
            second = os.fsdecode(fields[index + 2])
            found.append(Change(first if status[:1] == b"R" else None, second, *facts))
            index += 3
        else:
            found.append(Change(None if status == b"A" else first, None if status == b"D" else first, *facts))
            index += 2
    return found


def _blob(name: bytes) -> str | None:
    return name.decode() if name.strip(b"0") else None


def file_at(root: str, commit: str, path: str) -> bytes | None:
    """What a file held in a commit; None when it was not there."""
    done = _run(root, "cat-file", "blob", f"{commit}:{path}")
    return None if done.returncode else done.stdout


def tree(root: str, commit: str) -> tuple[Entry, ...]:
    """Every file of a commit."""
    entries = []
    for line in _bytes(root, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        head, tab, path = line.partition(b"\t")
        if tab:
            mode, _, blob = head.split(b" ")[:3]
            entries.append(Entry(os.fsdecode(path), mode.decode(), blob.decode()))
    return tuple(entries)


def blobs(root: str, names: list[str]) -> dict[str, bytes]:
    """The contents of blobs, all in one process; one that is not at hand is left out."""
    if not names:
        return {}
    process = _run(root, "cat-file", "--batch", given="".join(f"{name}\n" for name in names).encode())
    out, found, place = process.stdout, {}, 0
    for name in names:
        end = out.find(b"\n", place)
        if end < 0:
            break
        words = out[place:end].split(b" ")
        place = end + 1
        if len(words) == 3:
            size = int(words[2])
            if words[1] == b"blob":  # and no commit of a submodule
                found[name] = out[place : place + size]
            place += size + 1
    return found


def numstat(root: str, base: str, head: str | None) -> dict[str, tuple[int, int]]:
    """Lines added and removed by path (the new one); binary files count none."""
    revisions = (base, head) if head is not None else (base,)
    fields = _bytes(
        root, "diff", "--numstat", "-z", "--no-ext-diff", "--no-textconv", "-M", "-l2000", *revisions, "--"
    ).split(b"\0")
    counts, index = {}, 0
    while index < len(fields) - 1:
        added, removed, path = fields[index].split(b"\t", 2)
        index += 1
        if not path:  # a rename: old and new path follow
            path = fields[index + 1]
            index += 2
        if added != b"-":
            counts[os.fsdecode(path)] = (int(added), int(removed))
    return counts


def is_shallow(root: str) -> bool:
    """Whether the clone lacks a part of its history."""
    done = _run(root, "rev-parse", "--is-shallow-repository")
    return done.stdout.strip() == b"true"


def _text(root: str, *arguments: str, what: str) -> str:
    done = _run(root, *arguments)
    if done.returncode:
        if (
            said := done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        ):  # of a missing revision it says nothing
            raise GitError(f"{what}: git says {said.removeprefix('fatal: ')}")
        hint = " (the clone is shallow: fetch more of its history)" if is_shallow(root) else ""
        raise GitError(f"{what} is not in this repository{hint}")
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def _bytes(root: str, *arguments: str) -> bytes:
    done = _run(root, *arguments)
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise GitError(f"git {arguments[0]}: {why}")
    return done.stdout


def _run(
    root: str, *arguments: str, given: bytes = b"", seconds: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
    }
    if "GIT_INDEX_FILE" in os.environ:
        environment["GIT_INDEX_FILE"] = os.environ["GIT_INDEX_FILE"]  # a commit hook sees the index of its commit
    git = program_named("git")
    if git is None:
        raise GitError("git is not installed")
    try:
        return subprocess.run(
            [git, *_OPTIONS, *arguments],
            cwd=root,
            env={**environment, **_ENVIRONMENT},
            input=given,
            capture_output=True,
            check=False,
            timeout=seconds,
        )
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from error


_MAX_BLOB = 4 << 20
_MEMORY = "/dev/shm"  # a folder of its own is made in it, for this user only
_BLOCK = 4096  # bytes that a file or a folder takes at least
_FREE = 4  # of the free memory at most one part in so many is taken


@contextmanager
def snapshot(root: str, commit: str, is_read: Callable[[str], bool]) -> Iterator[str]:
    """Lay out ``commit``; ``is_read`` says of a path whether its content matters. Yields the folder."""
    entries = [entry for entry in tree(root, commit) if _is_plain(entry.path)]
    wanted = {
        entry.path for entry in entries if entry.mode == "120000" or (entry.mode != "160000" and is_read(entry.path))
    }
    contents = blobs(root, list(dict.fromkeys(entry.blob for entry in entries if entry.path in wanted)))
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
        return  # a name this file system cannot hold is a name no client could read either
