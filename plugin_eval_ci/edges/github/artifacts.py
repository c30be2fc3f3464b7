"""Artifacts of workflow runs, read in memory."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.edges.github.http import Http
from plugin_eval_ci.edges.github.values import Artifact


def of_run(http: Http, repository: str, run_id: int, name: str) -> Artifact | None:
    """The artifact of a run."""
    raise NotImplementedError


def latest(http: Http, repository: str, name: str, branch: str) -> Artifact | None:
    """The newest artifact of a branch."""
    raise NotImplementedError


def read(http: Http, repository: str, artifact: Artifact, names: Sequence[str], limit: int) -> dict[str, bytes]:
    """The files of an artifact."""
    raise NotImplementedError
