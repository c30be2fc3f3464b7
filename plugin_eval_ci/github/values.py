"""GitHub's responses as values, and the errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

from plugin_eval_ci.util.json_values import DamagedError

Doing = Literal["created", "updated", "unchanged", "skipped"]


class ApiError(Exception):
    """A request to GitHub failed. The message is our own, with a short redacted part of GitHub's. ``status`` is None without a response."""

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


class ReadOnlyError(ApiError):
    """The token does not have permission, as in a run for a fork or for Dependabot. This never fails the run."""


class TooLongError(ApiError):
    """The body is too long for GitHub."""


class LockedError(ApiError):
    """The conversation is locked or the repository is archived, so nobody can comment."""


class UncertainError(ApiError):
    """A request that writes got no response and may have been executed, so check before retrying."""


@contextmanager
def parse_answer(what: str = "") -> Iterator[None]:
    """Context for parsing a response: a ``DamagedError`` in it becomes an ``ApiError``. ``what`` names the request."""
    try:
        yield
    except DamagedError as error:
        raise ApiError(f"unexpected response from GitHub{what and f' to {what}'}: {error}") from None


class PostResult(NamedTuple):
    """The result of posting. ``number`` is that of the issue or pull request. ``skipped`` means that there was nothing to edit."""

    action: Doing
    url: str | None
    number: int | None


class ChangedFile(NamedTuple):
    """A changed file of a pull request, relative to the root. ``old_path`` is set if it was renamed."""

    path: str
    old_path: str | None
    status: str  # added, removed, modified, renamed, copied, changed, unchanged


class PullFiles(NamedTuple):
    """The files of a pull request. GitHub lists at most 3,000; ``complete`` is False if that limit was reached."""

    files: tuple[ChangedFile, ...]
    complete: bool


class Pull(NamedTuple):
    """An open pull request."""

    number: int
    head_sha: str
    base_sha: str


class Artifact(NamedTuple):
    """An artifact of a workflow run. ``size`` is that of the archive in bytes, ``created`` is YYYY-MM-DDThh:mm:ssZ."""

    id: int
    name: str
    size: int
    created: str
    expired: bool
