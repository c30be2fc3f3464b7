"""One comment for each key on a pull request, edited in place."""

from __future__ import annotations

from plugin_eval_ci.edges.github.http import Http
from plugin_eval_ci.edges.github.values import Posted


def upsert(http: Http, repository: str, number: int, key: str, body: str, create: bool) -> Posted:
    """Create the comment or edit ours."""
    raise NotImplementedError
