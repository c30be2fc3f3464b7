"""The client: one repository, one token, and what this project does with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plugin_eval_ci.edges.github import artifacts, comments, issues, pulls
from plugin_eval_ci.edges.github.address import address_of
from plugin_eval_ci.edges.github.desk import Desk, Identity
from plugin_eval_ci.edges.github.http import Http
from plugin_eval_ci.edges.github.values import Artifact, Posted, Pull, PullFiles
from plugin_eval_ci.errors import UsageError


class GitHub:
    """Every method raises ``ApiError``; those that write raise ``ReadOnlyError`` when the token may only read."""

    def __init__(self, http: Http, repository: str) -> None:
        self._desk = Desk(http, repository, Identity(http))
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

    def upsert_comment(self, number: int, key: str, body: str, create: bool = True) -> Posted:
        """One comment for each key on a pull request, edited in place. ``create`` False only edits one that is there.

        The marker is put before ``body`` here. Only comments of our own identity are edited.
        """
        return comments.upsert(self._desk, number, key, body, create)

    def upsert_issue(
        self,
        key: str,
        title: str,
        body: str,
        *,
        label: str = "plugin-eval",
        comment: str | None = None,
        create: bool = True,
    ) -> Posted:
        """One issue for each key, its body replaced; ``comment`` (a score fell) is added below and reopens a closed one."""
        return issues.upsert(self._desk, issues.Wanted(key, title, body, label, comment, create))

    def pull_files(self, number: int) -> PullFiles:
        """The files of a pull request, all pages."""
        return pulls.files(self._desk, number)

    def pull_of_head(self, owner: str, branch: str, sha: str) -> Pull | None:
        """The open pull request of ``owner:branch`` whose head is exactly ``sha``; None when it moved on or was closed."""
        return pulls.of_head(self._desk, owner, branch, sha)

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
        return artifacts.read(self._desk, artifact, names, limit)
