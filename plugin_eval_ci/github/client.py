"""The GitHub client: every operation of this project on one repository with one token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.github import artifacts, comments
from plugin_eval_ci.github import comments as issues
from plugin_eval_ci.github.session import Identity, Session, object_of
from plugin_eval_ci.github.transport import Http, address_of
from plugin_eval_ci.github.values import Artifact, ChangedFile, PostResult, Pull, PullFiles, parse_answer
from plugin_eval_ci.util.json_values import Json, as_number, as_object, as_text

MOST_FILES = 3_000  # GitHub silently stops at this number


def files(desk: Session, number: int) -> PullFiles:
    """The files of a pull request, sorted by path, without duplicates."""
    found = {}
    for page in desk.http.pages(desk.path(f"/pulls/{number}/files")):
        for item in map(object_of, page):
            file = _file(item)
            found[file.path] = file
    return PullFiles(tuple(found[path] for path in sorted(found)), len(found) < MOST_FILES)


def _file(item: Json) -> ChangedFile:
    with parse_answer():
        path = as_text(item.get("filename"), "filename")
        old = as_text(item.get("previous_filename"), "previous_filename") or None
        return ChangedFile(path, old, as_text(item.get("status"), "status"))


def of_head(desk: Session, owner: str, branch: str, sha: str) -> Pull | None:
    """The newest open pull request whose head is this branch, at exactly this commit.

    GitHub ignores filters that it does not understand, so each result is checked again.
    """
    found = []
    for page in desk.http.pages(desk.path("/pulls"), head=f"{owner}:{branch}", state="open"):
        for item in map(object_of, page):
            with parse_answer():
                pull = _pull(item, owner, branch, sha)
            found += [pull] if pull else []
    return max(found, default=None)


def _pull(item: Json, owner: str, branch: str, sha: str) -> Pull | None:
    head, base = as_object(item.get("head"), "head"), as_object(item.get("base"), "base")
    whose = as_text(as_object(head.get("user"), "head.user").get("login"), "head.user.login")
    same = as_text(head.get("ref"), "head.ref") == branch and whose.lower() == owner.lower()
    number = as_number(item.get("number"), "number")
    if not same or not sha or head.get("sha") != sha or item.get("state") != "open" or number is None:
        return None
    return Pull(number, sha, as_text(base.get("sha"), "base.sha"))


class GitHub:
    """One repository on GitHub. Methods raise ``ApiError``; those that write raise ``ReadOnlyError`` for a read-only token."""

    def __init__(self, http: Http, repository: str) -> None:
        self._desk = Session(http, repository, Identity(http))
        self.repository = repository  # owner/name

    def __repr__(self) -> str:
        return f"GitHub({self.repository!r})"

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], token: str) -> GitHub:
        """Create a client from GITHUB_API_URL, GITHUB_GRAPHQL_URL and GITHUB_REPOSITORY.

        Raises ``UsageError`` if one of them, or the token, is not valid.
        """
        if not token.isascii() or not token.isprintable() or " " in token:
            raise UsageError(
                "the GitHub token contains spaces, line breaks or other characters that are not valid in a token"
            )
        where = address_of(environ)
        return cls(Http(where.api, where.graphql, token), where.repository)

    def upsert_comment(self, number: int, key: str, body: str, create: bool = True) -> PostResult:
        """Create or edit the comment for this key on a pull request. With ``create`` False, only edit an existing one.

        The marker is added before ``body``. Only comments of the token's own identity are edited.
        """
        return comments.upsert_comment(self._desk, number, key, body, create)

    def upsert_issue(
        self,
        key: str,
        title: str,
        body: str,
        *,
        label: str = "plugin-eval",
        comment: str | None = None,
        create: bool = True,
    ) -> PostResult:
        """Create the issue for this key or replace its body. ``comment`` is posted below it and reopens a closed issue."""
        return issues.upsert_issue(self._desk, issues.IssueContent(key, title, body, label, comment, create))

    def pull_files(self, number: int) -> PullFiles:
        """All files of a pull request."""
        return files(self._desk, number)

    def pull_of_head(self, owner: str, branch: str, sha: str) -> Pull | None:
        """The open pull request of ``owner:branch`` with head ``sha``. None if it was updated or closed."""
        return of_head(self._desk, owner, branch, sha)

    def artifact_of_run(self, run_id: int, name: str) -> Artifact | None:
        """The artifact with this name from a workflow run."""
        return artifacts.of_run(self._desk, run_id, name)

    def latest_artifact(self, name: str, branch: str) -> Artifact | None:
        """The newest artifact with this name that has not expired, from a run on ``branch`` of this repository (not of a fork)."""
        return artifacts.latest(self._desk, name, branch)

    def read_artifact(
        self, artifact: Artifact, names: Sequence[str], limit: int = 32 * 1024 * 1024
    ) -> dict[str, bytes]:
        """The files in an artifact with one of ``names``, at most ``limit`` bytes each. Read in memory, never extracted."""
        return artifacts.read_artifact(self._desk, artifact, names, limit)
