"""Pull requests: their files, and which one a commit is the head of."""

from __future__ import annotations

from plugin_eval_ci.edges.github.http import Http
from plugin_eval_ci.edges.github.values import Pull, PullFiles


def files(http: Http, repository: str, number: int) -> PullFiles:
    """The files of a pull request."""
    raise NotImplementedError


def of_head(http: Http, repository: str, owner: str, branch: str, sha: str) -> Pull | None:
    """The open pull request with that head."""
    raise NotImplementedError
