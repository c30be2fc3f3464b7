"""One tracking issue for each key."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.edges.github.http import Http
from plugin_eval_ci.edges.github.values import Posted


class Wanted(NamedTuple):
    """What the issue is to be."""

    key: str
    title: str
    body: str
    label: str
    comment: str | None
    create: bool


def upsert(http: Http, repository: str, wanted: Wanted) -> Posted:
    """Create the issue or edit ours."""
    raise NotImplementedError
