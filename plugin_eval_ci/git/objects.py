"""Reads commits, their files and their differences. A partial clone fetches missing objects in one bounded request."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from typing import NamedTuple

from plugin_eval_ci.errors import MeasurementError
from plugin_eval_ci.git.process import GitError, configured_keys, is_shallow, output_of, run_git, text_of

_DIFF = (
    "diff",
    "--raw",
    "-z",
    "--no-ext-diff",
    "--no-textconv",
    "--no-abbrev",
    "--ignore-submodules=dirty",  # otherwise git starts another git in the submodule, with its own configuration
)
_RENAMES = ("-M", "-l2000")
_FETCH = ("-c", "gc.auto=0", "-c", "maintenance.auto=false", "fetch", "--quiet", "--no-tags", "--no-recurse-submodules")
_FETCH_SECONDS = 60
_MOST_ALIASES = 100_000
_MOST_FETCHED = 20_000  # files fetched for one partial clone
_PROMISOR = re.compile(r"remote\.(.+)\.promisor", re.DOTALL)


class NotFetchedError(MeasurementError):
    """Files of a revision are not in this partial clone and could not be fetched."""


class Change(NamedTuple):
    """One changed file: ``old`` and ``new`` are its paths, None where it does not exist. Paths are relative to the root."""

    old: str | None
    new: str | None
    old_blob: str | None = None  # None if the file does not exist, or git has not hashed the working tree file yet
    new_blob: str | None = None
    same_mode: bool = True  # False if a file became executable, or became a link


class Entry(NamedTuple):
    """One file of a tree."""

    path: str
    mode: str  # 100644, 100755, 120000 (link), 160000 (submodule)
    blob: str


def commit_of(root: str, revision: str) -> str:
    """The commit that a revision names. Raises ``GitError`` if it does not exist, for example in a shallow clone."""
    if revision.startswith("-"):
        raise GitError(f"{revision!r} is not a revision")
    return text_of(
        root,
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{revision}^{{commit}}",
        what=f"revision {revision!r}",
    )


def merge_base(root: str, first: str, second: str) -> str | None:
    """The best common ancestor of two commits, or None if the available history does not contain one."""
    done = run_git(root, "merge-base", first, second)
    return done.stdout.decode().strip() or None if done.returncode == 0 else None


def fetch(root: str, depth: int, *revisions: str) -> bool:
    """Fetch commits from ``origin`` and return whether that worked. Never prompts for a password, and ends within a minute.

    ``depth`` limits the fetch in a shallow clone. A full clone never becomes shallow.
    """
    if any(not revision or revision[0] in "-+" or ":" in revision for revision in revisions):
        return False  # an option, or a refspec that would write a branch
    bound = (f"--depth={depth}",) if is_shallow(root) else ()
    return _fetched(root, (), (*bound, "origin", *revisions), b"")


def _fetched(root: str, settings: tuple[str, ...], words: tuple[str, ...], given: bytes) -> bool:
    try:
        done = run_git(
            root,
            *settings,
            *_FETCH,
            "--upload-pack=git-upload-pack",
            *words,
            given=given,
            seconds=_FETCH_SECONDS,
            network=True,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def promisor_of(root: str) -> str | None:
    """The remote from which a partial clone fetches missing files; None for a full clone."""
    names = [match[1] for key in configured_keys(root) if (match := _PROMISOR.fullmatch(key))]
    return next((name for name in names if not name.startswith("-")), None)


def missing_blobs(root: str, names: Iterable[str]) -> list[str]:
    """Those of ``names`` that are not in this clone."""
    unique = list(dict.fromkeys(names))
    if not unique:
        return []
    given = "".join(f"{name}\n" for name in unique).encode()
    done = run_git(root, "cat-file", "--batch-check", given=given)
    if done.returncode == 0:
        return [line.split(b" ")[0].decode() for line in done.stdout.split(b"\n") if line.endswith(b" missing")]
    # Older git stops at the first object that it may not fetch.
    form = "--batch-check=%(objectname)"
    present = set(output_of(root, "cat-file", "--batch-all-objects", "--unordered", form).decode().split())
    return [name for name in unique if name not in present]


def fetch_blobs(root: str, names: Iterable[str]) -> None:
    """Fetch the contents that a partial clone lacks, in one request. Raises ``NotFetchedError`` if any are still missing."""
    remote = promisor_of(root)
    missing = missing_blobs(root, names) if remote is not None else []
    if remote is None or not missing:
        return
    if len(missing) > _MOST_FETCHED:
        raise NotFetchedError(
            f"this partial clone lacks {len(missing):,} files of the base (the limit for fetching is {_MOST_FETCHED:,}); use a full clone"
        )
    _fetch_promised(root, remote, missing)
    if left := missing_blobs(root, missing):
        raise NotFetchedError(
            f"{len(left):,} of the base's files are not in this partial clone and could not be fetched from {remote!r}"
        )


def _fetch_trees(root: str, commit: str) -> None:
    """Fetch the trees of a commit if the partial clone lacks even those."""
    remote = promisor_of(root)
    if remote is None or run_git(root, "ls-tree", "-r", "-z", "--full-tree", commit).returncode == 0:
        return
    head = output_of(root, "cat-file", "commit", commit).partition(b"\n")[0]
    _fetch_promised(root, remote, [head.removeprefix(b"tree ").decode()])
    if run_git(root, "ls-tree", "-r", "-z", "--full-tree", commit).returncode:
        raise NotFetchedError(
            f"the trees of {commit[:12]} are not in this partial clone and could not be fetched from {remote!r}"
        )


def _fetch_promised(root: str, remote: str, names: list[str]) -> None:
    words = ("--no-write-fetch-head", "--filter=blob:none", "--no-auto-maintenance", "--stdin", remote)
    alone = ("-c", "fetch.negotiationAlgorithm=noop")  # local commits tell nothing about the missing objects
    _fetched(root, alone, words, "".join(f"{name}\n" for name in names).encode())


def changes(root: str, base: str, head: str | None) -> tuple[Change, ...]:
    """The files that differ between ``base`` and ``head``, or the working tree including untracked files if ``head`` is None.

    Raises ``NotFetchedError`` if a partial clone lacks changed files and cannot fetch them.
    """
    revisions = (base, head) if head is not None else (base,)
    if promisor_of(root) is not None:  # to find renames, git reads what changed
        for commit in revisions:
            _fetch_trees(root, commit)
        plain = _parse_raw(output_of(root, *_DIFF, "--no-renames", *revisions, "--"))
        fetch_blobs(root, (blob for one in plain for blob in (one.old_blob, one.new_blob) if blob))
    found = _parse_raw(output_of(root, *_DIFF, *_RENAMES, *revisions, "--"))
    if head is None:
        others = output_of(root, "ls-files", "-z", "--others", "--exclude-standard").split(b"\0")
        found += [Change(None, os.fsdecode(path)) for path in others if path]
    return tuple(sorted(found, key=lambda change: change.new or change.old or ""))


def _parse_raw(output: bytes) -> list[Change]:
    fields = output.split(b"\0")
    found, index = [], 0
    while index < len(fields) - 1:
        old_mode, new_mode, old, new, status = fields[index].lstrip(b":").split(b" ")
        # A submodule points to a commit of another repository.
        blobs_of = [None if mode == b"160000" else _blob(one) for mode, one in ((old_mode, old), (new_mode, new))]
        facts = blobs_of[0], blobs_of[1], old_mode == new_mode
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
    """The content of a file in a commit; None if it does not exist there."""
    done = run_git(root, "cat-file", "blob", f"{commit}:{path}")
    return None if done.returncode else done.stdout


def tree(root: str, commit: str) -> tuple[Entry, ...]:
    """Every file of a commit."""
    _fetch_trees(root, commit)
    entries = []
    for line in output_of(root, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        head, tab, path = line.partition(b"\t")
        if tab:
            mode, _, blob = head.split(b" ")[:3]
            entries.append(Entry(os.fsdecode(path), mode.decode(), blob.decode()))
    return tuple(entries)


def links(root: str, commit: str | None) -> tuple[str, ...]:
    """Paths of the symbolic links of a commit, or of the index."""
    if commit is not None:
        return tuple(entry.path for entry in tree(root, commit) if entry.mode == "120000")
    listed = output_of(root, "ls-files", "-z", "--stage").split(b"\0")
    return tuple(os.fsdecode(line.partition(b"\t")[2]) for line in listed if line.startswith(b"120000 "))


def link_targets(folder: str, paths: Iterable[str]) -> dict[str, str]:
    """The targets of the symbolic links below ``folder``, relative to it. Links that leave it are skipped."""
    top, found = os.path.realpath(folder), {}
    for path in paths:
        place = os.path.join(folder, path)
        if os.path.islink(place):
            target = os.path.relpath(os.path.realpath(place), top).replace(os.sep, "/")
            if target != "." and not target.startswith("../"):
                found[path] = target
    return found


def through_links(changes: Iterable[Change], targets: dict[str, str]) -> tuple[Change, ...]:
    """``changes``, and each of them again under every path that reaches it through a symbolic link."""
    found = dict.fromkeys(changes)
    waiting = list(found)
    while waiting and len(found) < _MOST_ALIASES:
        change = waiting.pop()
        for link, target in targets.items():
            pair = tuple(_alias(path, link, target) for path in (change.old, change.new))
            other = Change(pair[0], pair[1], change.old_blob, change.new_blob, change.same_mode)
            if any(pair) and other not in found:
                found[other] = None
                waiting.append(other)
    return tuple(found)


def _alias(path: str | None, link: str, target: str) -> str | None:
    if path is None or (path != target and not path.startswith(f"{target}/")) or path.startswith(f"{link}/"):
        return None
    return link + path[len(target) :]


def blobs(root: str, names: list[str]) -> dict[str, bytes]:
    """The contents of blobs, read in one process. Missing blobs are left out."""
    if not names:
        return {}
    process = run_git(root, "cat-file", "--batch", given="".join(f"{name}\n" for name in names).encode())
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
    """Lines added and removed, by new path. Binary files count as 0."""
    revisions = (base, head) if head is not None else (base,)
    fields = output_of(
        root,
        "diff",
        "--numstat",
        "-z",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
        *_RENAMES,
        *revisions,
        "--",
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
