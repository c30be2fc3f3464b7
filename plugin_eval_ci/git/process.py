"""Starts git so that no program configured by the repository is run, and without secrets in its environment."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from plugin_eval_ci.errors import UsageError


@cache
def program_named(name: str) -> str | None:
    """The program to start for ``name``. None if Windows does not find it on the PATH."""
    return on_path(f"{name}.exe", os.environ.get("PATH", "")) if os.name == "nt" else name


def on_path(file: str, path: str) -> str | None:
    """The first ``file`` in the folders of a PATH, ignoring relative folders."""
    folders = [folder.strip('"') for folder in path.split(os.pathsep)]
    places = [os.path.join(folder, file) for folder in folders if os.path.isabs(folder)]
    return next((place for place in places if os.path.isfile(place)), None)


# Each of these settings names a program, or a folder with programs. Options override the configuration of the repository.
_OPTIONS = (
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.quotepath=false",
    "-c",
    "diff.external=",
)
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",  # older git knows no GIT_NO_LAZY_FETCH
    "GIT_SSH_COMMAND": "ssh",
    "GIT_ASKPASS": "",
}
_FETCHING = {"GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file"}
# Keys with a name in the middle cannot be switched off without knowing the names.
_PROGRAM = re.compile(
    r"(?:filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|merge\..*\.driver|credential\.(?:.*\.)?helper"
    r"|core\.(?:alternaterefscommand|gitproxy|askpass)|remote\..*\.(?:uploadpack|vcs)|gpg\.(?:.*\.)?program)",
    re.DOTALL,
)
_REQUIRED = re.compile(r"filter\..*\.required", re.DOTALL)
_SECRET = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|PRIVATE_KEY|ACCESS_KEY|COOKIE")
_OWN_PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
_RUNS = ("GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_SSH", "SSH_ASKPASS")


class GitError(UsageError):
    """git is missing, this is not a repository, or a revision does not exist."""


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without tokens, keys and passwords."""
    return {
        name: value for name, value in environ.items() if name.startswith("GIT_") or not _SECRET.search(name.upper())
    }


def run_git(
    root: str, *arguments: str, given: bytes = b"", seconds: float | None = None, network: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """Run one git command in ``root`` without network access. Raises ``GitError`` if git cannot be started."""
    settings = _settings(configured_keys(root)) | (_FETCHING if network else {})
    return _start(root, arguments, settings, given, seconds)


def configured_keys(root: str) -> tuple[str, ...]:
    """The names of all git settings in effect in ``root``. Reading them does not start any configured program."""
    return _keys(root, os.environ.get("GIT_CONFIG_COUNT"))  # git reads other files if a different folder is trusted


@lru_cache(maxsize=64)
def _keys(root: str, _: str | None) -> tuple[str, ...]:
    done = _start(root, ("config", "--list", "--includes", "--name-only", "-z"), {}, b"", None)
    return tuple(os.fsdecode(name) for name in done.stdout.split(b"\0") if name)


def _settings(keys: tuple[str, ...]) -> dict[str, str]:
    """Environment variables that switch off every program among ``keys``. They take precedence over configuration files."""
    off = [(key, "") for key in dict.fromkeys(keys) if _PROGRAM.fullmatch(key)]
    off += [(key, "false") for key in dict.fromkeys(keys) if _REQUIRED.fullmatch(key)]
    if not off:
        return {}
    count = os.environ.get("GIT_CONFIG_COUNT", "0")
    first = int(count) if count.isascii() and count.isdecimal() else 0
    pairs = dict(_pairs(first, off))
    return {**pairs, "GIT_CONFIG_COUNT": str(first + len(off))}


def _pairs(first: int, settings: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for number, (key, value) in enumerate(settings, first):
        yield f"GIT_CONFIG_KEY_{number}", key
        yield f"GIT_CONFIG_VALUE_{number}", value


def _start(
    root: str, arguments: tuple[str, ...], settings: dict[str, str], given: bytes, seconds: float | None
) -> subprocess.CompletedProcess[bytes]:
    # GIT_INDEX_FILE stays: a commit hook sees the index of its commit.
    kept = {name: value for name, value in os.environ.items() if name not in (*_OWN_PLACES, *_RUNS)}
    git = program_named("git")
    if git is None:
        raise GitError("git is not installed")
    try:
        return subprocess.run(
            [git, *_OPTIONS, *arguments],
            cwd=root,
            env={**without_secrets(kept), **_ENVIRONMENT, **settings},
            input=given,
            capture_output=True,
            check=False,
            timeout=seconds,
        )
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from error


def is_shallow(root: str) -> bool:
    """Whether the clone is shallow."""
    return run_git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


def text_of(root: str, *arguments: str, what: str) -> str:
    """What a command prints, as text. ``what`` names the revision in the message of a ``GitError``."""
    done = run_git(root, *arguments)
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        if why:  # git prints nothing for a missing revision
            raise GitError(f"{what}: git reports: {why.removeprefix('fatal: ')}")
        hint = " (this clone is shallow; fetch more history)" if is_shallow(root) else ""
        raise GitError(f"{what} is not in this repository{hint}")
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def output_of(root: str, *arguments: str) -> bytes:
    """What a command prints. Raises ``GitError`` when it fails."""
    done = run_git(root, *arguments)
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise GitError(f"git {arguments[0]}: {why}")
    return done.stdout
