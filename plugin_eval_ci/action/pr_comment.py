"""Mode comment: a run on ``workflow_run``, which may write, posts the comment of a run that may not, as for a fork.

The pull request is identified by the event and its head commit, never by the artifact. The artifact is untrusted data: it is validated
and rendered here. Nothing is checked out.
"""

from __future__ import annotations

import os

from plugin_eval_ci import page
from plugin_eval_ci.action.context import NOT_GATED, NOTHING, GateOutcome, Job, Outcome
from plugin_eval_ci.diff import Difference
from plugin_eval_ci.diff.load import MOST_BYTES, read_difference
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.github.actions import Run
from plugin_eval_ci.github.client import GitHub
from plugin_eval_ci.github.values import ApiError, ReadOnlyError
from plugin_eval_ci.report.diff import comment as comment_markdown
from plugin_eval_ci.report.links import Links

_LATER = f"a workflow on workflow_run must post the comment ({page('action')})"


def post_comment(
    job: Job, github: GitHub, difference: Difference, number: int, commit: str, gate: GateOutcome = NOT_GATED
) -> dict[str, str]:
    """Create or edit the comment and return its outputs. Raises ``ApiError``.

    ``commit`` is the head from the event, for links. If there is nothing to report, only an existing comment is edited.
    """
    links = Links(job.step.server_url, job.step.repository, commit)
    body = comment_markdown.render(difference, job.inputs.comment_key, links=links, more=gate.markdown)
    create = job.inputs.comment == "always" or gate.telling or not comment_markdown.is_clean(difference)
    posted = github.upsert_comment(number, job.inputs.comment_key, body, create=create)
    job.runner.log(f"comment {posted.action}" + (f": {posted.url}" if posted.url else ""))
    return {"comment-pending": "false", **({"comment-url": posted.url} if posted.url else {})}


def try_comment(
    job: Job, difference: Difference, number: int, commit: str, gate: GateOutcome = NOT_GATED
) -> dict[str, str]:
    """The same for a lint run: a failure is reported in a notice, and the output ``comment-pending`` is true."""
    pending = {"comment-pending": "true"}
    if not job.step.token:
        job.runner.log(f"no token to post a comment; {_LATER}")
        return pending
    try:
        github = GitHub.from_environ(os.environ, job.step.token.value)
        return post_comment(job, github, difference, number, commit, gate)
    except ReadOnlyError as error:
        job.runner.log(f"the token is read-only, as in every run for a fork or for Dependabot ({error}); {_LATER}")
    except (ApiError, UsageError) as error:
        job.runner.say("warning", "comment not posted", f"the comment could not be posted: {error}")
    return pending


FILE, NAME = "report.json", "plugin-eval-ci"


def run(job: Job) -> Outcome:
    """Post the results of another run. A missing report, or a pull request that was updated or closed, is not an error."""
    other = job.step.event.run
    assert other is not None, "main only starts this mode for a run on a pull request"
    if not job.step.token:
        raise MeasurementError("input github-token is empty; the comment needs a token with pull-requests: write")
    try:
        return _post_report(job, GitHub.from_environ(os.environ, job.step.token.value), other)
    except ReadOnlyError as error:
        raise MeasurementError(f"the job needs pull-requests: write and actions: read: {error}") from None
    except ApiError as error:
        raise MeasurementError(f"the comment could not be posted: {error}") from None


def _post_report(job: Job, github: GitHub, other: Run) -> Outcome:
    pull = github.pull_of_head(other.owner, other.branch, other.commit)
    if pull is None:
        job.runner.log(f"no open pull request of {other.owner}:{other.branch} has the head {other.commit[:12]}")
        return NOTHING
    name = job.inputs.artifact_name or NAME
    artifact = github.artifact_of_run(other.id, name)
    if artifact is None:
        job.runner.log(f"the triggering run has no artifact {name}")
        return NOTHING
    data = github.read_artifact(artifact, (FILE,), MOST_BYTES).get(FILE)
    if data is None:
        raise MeasurementError(f"the artifact {name} does not contain {FILE}")
    difference = read_difference(data, FILE)
    outputs = post_comment(job, github, difference, pull.number, other.commit)
    new = sum(len(row.new) for row in difference.rows) + len(difference.elsewhere)
    return Outcome(0, "clean", {"new-findings": str(new), **outputs})
