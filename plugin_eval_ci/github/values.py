"""What GitHub answers, as values, and what can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

from plugin_eval_ci.util.json_values import DamagedError

Doing = Literal["created", "updated", "unchanged", "skipped"]


class ApiError(Exception):
    """GitHub cannot be asked, or said no. The text is ours but for a short, redacted part; ``status`` is None without an answer."""

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


class ReadOnlyError(ApiError):
    """The token may not do this, as in a run for a fork or for Dependabot. Somebody else has to: never a failure."""


class TooLongError(ApiError):
    """GitHub refuses a body for its length."""


class LockedError(ApiError):
    """The conversation is locked, or the repository archived: nobody's comment is taken."""


class UncertainError(ApiError):
    """No answer came to a request that writes: it may have been carried out, so look before asking again."""


@contextmanager
def parse_answer(what: str = "") -> Iterator[None]:
    """Takes an answer apart: what is damaged in it becomes an ``ApiError``. ``what``: what was asked for."""
    try:
        yield
    except DamagedError as error:
        raise ApiError(f"GitHub's answer{what and f' to {what}'}: {error}") from None


class PostResult(NamedTuple):
    """What became of a comment or an issue; ``number`` is the issue's, or the pull request's. ``skipped``: there was none to edit."""

    action: Doing
    url: str | None
    number: int | None


class ChangedFile(NamedTuple):
    """A file of a pull request, relative to the root; ``old_path`` where it was renamed."""

    path: str
    old_path: str | None
    status: str  # added, removed, modified, renamed, copied, changed, unchanged


class PullFiles(NamedTuple):
    """The files of a pull request. GitHub lists 3,000 and no more; ``complete`` is False when that many came."""

    files: tuple[ChangedFile, ...]
    complete: bool


class Pull(NamedTuple):
    """An open pull request."""

    number: int
    head_sha: str
    base_sha: str


class Artifact(NamedTuple):
    """What a workflow run left behind; ``size`` is the archive's in bytes, ``created`` as YYYY-MM-DDThh:mm:ssZ."""

    id: int
    name: str
    size: int
    created: str
    expired: bool
