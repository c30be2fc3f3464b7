"""The comment on a pull request."""

from __future__ import annotations

import os

from plugin_eval_ci import page
from plugin_eval_ci.action.job import NOT_GATED, Gate, Job
from plugin_eval_ci.difference import Difference
from plugin_eval_ci.edges.github import ApiError, GitHub, ReadOnlyError
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.report import comment_markdown
from plugin_eval_ci.report.links import Links

_LATER = f"the comment is left to a workflow on workflow_run ({page('action')})"


def comment(
    job: Job, github: GitHub, difference: Difference, number: int, commit: str, gate: Gate = NOT_GATED
) -> dict[str, str]:
    """Write or edit it; returns the outputs about it. Raises ``ApiError``.

    ``commit`` is the head as the event names it: links lead there. With nothing to say, only a comment that is there is edited.
    """
    links = Links(job.step.server_url, job.step.repository, commit)
    body = comment_markdown.render(difference, job.inputs.comment_key, links=links, more=gate.markdown)
    create = job.inputs.comment == "always" or gate.telling or not comment_markdown.is_clean(difference)
    posted = github.upsert_comment(number, job.inputs.comment_key, body, create=create)
    job.runner.log(f"comment {posted.action}" + (f": {posted.url}" if posted.url else ""))
    return {"comment-pending": "false", **({"comment-url": posted.url} if posted.url else {})}


def tried(job: Job, difference: Difference, number: int, commit: str, gate: Gate = NOT_GATED) -> dict[str, str]:
    """The same, where a comment is an extra: what goes wrong is said, and the output ``comment-pending`` is true."""
    pending = {"comment-pending": "true"}
    if not job.step.token:
        job.runner.log(f"no token to comment with; {_LATER}")
        return pending
    try:
        github = GitHub.from_environ(os.environ, job.step.token.value)
        return comment(job, github, difference, number, commit, gate)
    except ReadOnlyError as error:
        job.runner.log(f"the token may not write, as in every run for a fork or for Dependabot ({error}); {_LATER}")
    except (ApiError, UsageError) as error:
        job.runner.say("warning", "no comment", f"the comment could not be written: {error}")
    return pending
