"""The tracking issue: one for each key, edited in place; somebody is told only when a score fell."""

from __future__ import annotations

import os

from plugin_eval_ci.action.job import Job
from plugin_eval_ci.report import survey_markdown
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.escape import markdown_code
from plugin_eval_ci.report.rows import Block, fit
from plugin_eval_ci.since import Since
from plugin_eval_ci.survey import Survey

_BODY, _COMMENT = 60_000, 8_000  # bytes; GitHub takes 65,536 characters


def tracked(job: Job, survey: Survey, since: Since | None) -> dict[str, str]:
    """Write or edit the issue; returns the outputs about it. What goes wrong is said, and fails nothing."""
    inputs, step = job.inputs, job.step
    if inputs.issue == "off":
        return {}
    if not step.token:
        job.runner.say("warning", "no issue", "input github-token is empty, and the tracking issue needs one")
        return {}
    from plugin_eval_ci.edges.github import ApiError, GitHub, ReadOnlyError
    from plugin_eval_ci.errors import UsageError

    fell = since is not None and bool(since.worse or since.lost)
    try:
        posted = GitHub.from_environ(os.environ, step.token.value).upsert_issue(
            inputs.comment_key,
            "Plugin scores",
            survey_markdown.render(survey, since, _BODY),
            comment=_regressions(since) if since is not None and fell else None,
            create=fell or inputs.issue == "always",
        )
    except ReadOnlyError as error:
        job.runner.say("warning", "no issue", f"the job needs issues: write: {error}")
        return {}
    except (ApiError, UsageError) as error:
        job.runner.say("warning", "no issue", f"the tracking issue could not be written: {error}")
        return {}
    job.runner.log(f"issue {posted.action}" + (f": {posted.url}" if posted.url else ""))
    return {"issue-number": str(posted.number)} if posted.number is not None else {}


def _regressions(since: Since) -> str:
    """What fell, the most first: the text that people are told."""
    rows = [f"- {markdown_code(one.after.path)}: {-(one.difference or 0):.2f} points lower" for one in since.worse]
    rows += [f"- {markdown_code(one.after.path)}: no longer measured" for one in since.lost]
    head = f"{many(len(rows), 'score')} fell since {since.date}:\n"
    return fit([Block(head, tuple(rows))], _COMMENT)
