"""The environment of a step in GitHub Actions and the event that started it, read once into frozen values."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, MutableMapping
from typing import NamedTuple

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# Some runners set the last one from an input; GitHub's own runner does not do this for a composite step.
_KEY_NAME = re.compile(
    r"PEC_ANTHROPIC_API_KEY|ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|INPUT_ANTHROPIC[-_]API[-_]KEY"
    r"|PEC_TOKEN|GITHUB_TOKEN|GH_TOKEN|INPUT_GITHUB[-_]TOKEN"
)
_LARGEST_EVENT = 32 << 20  # bytes; real events are far smaller


class Secret:
    """A token that never appears in a message, repr or traceback."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return "Secret(***)" if self.value else "Secret()"


class Keys(NamedTuple):
    """The credentials of a model provider: an API key, or a bearer token for a gateway."""

    key: Secret = Secret("")
    token: Secret = Secret("")


class Pull(NamedTuple):
    """The pull request of an event. ``foreign`` is True if its head is in another repository or in an unknown one."""

    number: int
    base: str | None  # commits; None if the event does not name one
    head: str | None
    foreign: bool = True
    author: str = ""


class Run(NamedTuple):
    """The run of a ``workflow_run`` event. Its head identifies the pull request; an artifact never does."""

    id: int
    event: str
    owner: str  # of the head repository
    branch: str
    commit: str


class Event(NamedTuple):
    """The parts of an event that are used. All are None if the file is missing, empty or not a JSON object."""

    name: str
    pull: Pull | None = None
    before: str | None = None  # push: None also for a new branch
    base: str | None = None  # merge_group
    run: Run | None = None
    default_branch: str | None = None


class Step(NamedTuple):
    """The environment of a step. Files and folders are absolute paths or None."""

    event: Event
    workspace: str
    sha: str | None
    temp: str
    output: str | None  # where outputs are appended
    summary: str | None
    token: Secret
    repository: str
    server_url: str
    actor: str
    debug: bool
    keys: Keys = Keys()


def from_environ(environ: Mapping[str, str]) -> Step:
    """Read the step of this process. Missing variables are empty; the event file may be missing or damaged."""
    return Step(
        _event(environ.get("GITHUB_EVENT_NAME", ""), environ.get("GITHUB_EVENT_PATH", "")),
        environ.get("GITHUB_WORKSPACE") or os.getcwd(),
        _commit(environ.get("GITHUB_SHA")),
        os.path.abspath(environ.get("RUNNER_TEMP") or tempfile.gettempdir()),
        environ.get("GITHUB_OUTPUT") or None,
        environ.get("GITHUB_STEP_SUMMARY") or None,
        Secret(environ.get("PEC_TOKEN", "").strip()),
        environ.get("GITHUB_REPOSITORY", ""),
        environ.get("GITHUB_SERVER_URL", "").rstrip("/"),
        environ.get("GITHUB_ACTOR", ""),
        environ.get("RUNNER_DEBUG") == "1",
        Keys(
            Secret((environ.get("PEC_ANTHROPIC_API_KEY") or environ.get("ANTHROPIC_API_KEY", "")).strip()),
            Secret(environ.get("ANTHROPIC_AUTH_TOKEN", "").strip()),
        ),
    )


def forget_keys(environ: MutableMapping[str, str]) -> None:
    """Remove the model keys and GitHub's token from an environment, so that child processes never see them."""
    for name in [name for name in environ if _KEY_NAME.fullmatch(name.upper())]:
        del environ[name]


def _event(name: str, file: str) -> Event:
    payload = _load(file)
    branch = _at(payload, "repository", "default_branch")
    return Event(
        name,
        _pull(payload),
        _commit(_at(payload, "before")) if name == "push" else None,
        _commit(_at(payload, "merge_group", "base_sha")),
        _run(payload),
        branch if isinstance(branch, str) else None,
    )


def _load(file: str) -> object:
    try:
        with open(file, "rb") as stream:
            return json.loads(stream.read(_LARGEST_EVENT))
    except (OSError, ValueError, RecursionError):
        return None


def _pull(payload: object) -> Pull | None:
    number = _at(payload, "pull_request", "number")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        return None
    base, head = (_commit(_at(payload, "pull_request", side, "sha")) for side in ("base", "head"))
    repositories = [_at(payload, "pull_request", side, "repo", "full_name") for side in ("base", "head")]
    own = isinstance(repositories[0], str) and repositories[0] == repositories[1]
    author = _at(payload, "pull_request", "user", "login")
    return Pull(number, base, head, not own, author if isinstance(author, str) else "")


def _run(payload: object) -> Run | None:
    number, commit = _at(payload, "workflow_run", "id"), _commit(_at(payload, "workflow_run", "head_sha"))
    words = [
        _at(payload, "workflow_run", *keys)
        for keys in (("event",), ("head_repository", "owner", "login"), ("head_branch",))
    ]
    event, owner, branch = (word if isinstance(word, str) else "" for word in words)
    if not isinstance(number, int) or commit is None or not (event and owner and branch):
        return None
    return Run(number, event, owner, branch, commit)


def _at(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _commit(value: object) -> str | None:
    """A full commit hash; None for anything else, including the all-zero hash that stands for a missing commit."""
    return value if isinstance(value, str) and _COMMIT.fullmatch(value) and value.strip("0") else None
