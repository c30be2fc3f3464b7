"""Mode comment: the run on ``workflow_run`` that may write, for one that may not, as for a fork.

The pull request comes from the event and its head commit, never from the artifact; the artifact is data that is checked and rendered here.
Nothing is checked out.
"""

from __future__ import annotations

import os

from plugin_eval_ci.action import post
from plugin_eval_ci.action.job import NOTHING, Job, Outcome
from plugin_eval_ci.difference.read import MOST_BYTES, read
from plugin_eval_ci.edges.actions import Run
from plugin_eval_ci.edges.github import ApiError, GitHub, ReadOnlyError
from plugin_eval_ci.errors import MeasurementError

FILE, NAME = "report.json", "plugin-eval-ci"


def run(job: Job) -> Outcome:
    """Post what another run found. Nothing to do is fine: it left no report, or its pull request moved on or was closed."""
    other = job.step.event.run
    assert other is not None, "the start sees to that"
    if not job.step.token:
        raise MeasurementError("input github-token is empty, and the comment needs one with pull-requests: write")
    try:
        return _posted(job, GitHub.from_environ(os.environ, job.step.token.value), other)
    except ReadOnlyError as error:
        raise MeasurementError(f"the job needs pull-requests: write and actions: read: {error}") from None
    except ApiError as error:
        raise MeasurementError(f"the comment could not be written: {error}") from None


def _posted(job: Job, github: GitHub, other: Run) -> Outcome:
    pull = github.pull_of_head(other.owner, other.branch, other.commit)
    if pull is None:
        job.runner.log(f"no open pull request of {other.owner}:{other.branch} has the head {other.commit[:12]}")
        return NOTHING
    name = job.inputs.artifact_name or NAME
    artifact = github.artifact_of_run(other.id, name)
    if artifact is None:
        job.runner.log(f"the other run left no artifact {name}")
        return NOTHING
    data = github.read_artifact(artifact, (FILE,), MOST_BYTES).get(FILE)
    if data is None:
        raise MeasurementError(f"the artifact {name} holds no {FILE}")
    difference = read(data, FILE)
    outputs = post.comment(job, github, difference, pull.number, other.commit)
    new = sum(len(row.new) for row in difference.rows) + len(difference.elsewhere)
    return Outcome(0, "clean", {"new-findings": str(new), **outputs})
