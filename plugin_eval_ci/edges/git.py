"""What git knows of two states of a repository, read from its objects: nothing is checked out, fetched or run."""

import os
import subprocess
from typing import NamedTuple

from plugin_eval_ci.edges.program import program_named
from plugin_eval_ci.errors import UsageError

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
) -> "subprocess.CompletedProcess[bytes]":
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
