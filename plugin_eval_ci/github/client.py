"""The client: one repository, one token, and what this project does with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.github import artifacts, comments
from plugin_eval_ci.github import comments as issues
from plugin_eval_ci.github.session import Identity, Session, object_of
from plugin_eval_ci.github.transport import Http, address_of
from plugin_eval_ci.github.values import Artifact, ChangedFile, PostResult, Pull, PullFiles, parse_answer
from plugin_eval_ci.util.json_values import Json, as_number, as_object, as_text

MOST_FILES = 3_000  # GitHub lists no more, and does not say so


def files(desk: Session, number: int) -> PullFiles:
    """The files of a pull request, each once, by path."""
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
    """The open pull request whose head is that branch, still at that commit; of several (to several bases) the newest.

    GitHub ignores a filter that it does not understand, so each answer is compared again.
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
    """Every method raises ``ApiError``; those that write raise ``ReadOnlyError`` when the token may only read."""

    def __init__(self, http: Http, repository: str) -> None:
        self._desk = Session(http, repository, Identity(http))
        self.repository = repository  # owner/name

    def __repr__(self) -> str:
        return f"GitHub({self.repository!r})"

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], token: str) -> GitHub:
        """From GITHUB_API_URL, GITHUB_GRAPHQL_URL and GITHUB_REPOSITORY. Raises ``UsageError`` for a bad one.

        So does a token that no header can hold, which no server would ever be asked with.
        """
        if not token.isascii() or not token.isprintable() or " " in token:
            raise UsageError("the token holds blanks, line ends or letters that no token has")
        where = address_of(environ)
        return cls(Http(where.api, where.graphql, token), where.repository)

    def upsert_comment(self, number: int, key: str, body: str, create: bool = True) -> PostResult:
        """One comment for each key on a pull request, edited in place. ``create`` False only edits one that is there.

        The marker is put before ``body`` here. Only comments of our own identity are edited.
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
        """One issue for each key, its body replaced; ``comment`` (a score fell) is added below and reopens a closed one."""
        return issues.upsert_issue(self._desk, issues.IssueContent(key, title, body, label, comment, create))

    def pull_files(self, number: int) -> PullFiles:
        """The files of a pull request, all pages."""
        return files(self._desk, number)

    def pull_of_head(self, owner: str, branch: str, sha: str) -> Pull | None:
        """The open pull request of ``owner:branch`` whose head is exactly ``sha``; None when it moved on or was closed."""
        return of_head(self._desk, owner, branch, sha)

    def artifact_of_run(self, run_id: int, name: str) -> Artifact | None:
        """The artifact of that name that a workflow run left."""
        return artifacts.of_run(self._desk, run_id, name)

    def latest_artifact(self, name: str, branch: str) -> Artifact | None:
        """The newest artifact of that name which a run on ``branch`` of this repository (no fork) left and which is still there."""
        return artifacts.latest(self._desk, name, branch)

    def read_artifact(
        self, artifact: Artifact, names: Sequence[str], limit: int = 32 * 1024 * 1024
    ) -> dict[str, bytes]:
        """The files of an artifact that have one of ``names``, read in memory and never extracted; ``limit`` bytes each."""
        return artifacts.read_artifact(self._desk, artifact, names, limit)
