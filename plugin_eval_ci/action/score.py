"""Mode score: reports on everything below the paths in the summary, as files, and in a tracking issue."""

from __future__ import annotations

import os

from plugin_eval_ci.action.context import NOT_ASKED, Job, ModelRunOutcome, Outcome
from plugin_eval_ci.action.runner import SUMMARY_LIMIT, as_list
from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.load_config import read_config, say_left_out
from plugin_eval_ci.commands.publish import Verdict, files_of, judge_thresholds, with_history
from plugin_eval_ci.commands.report_date import day_of
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.report.escape import markdown_code
from plugin_eval_ci.report.size_limit import Block, fit_blocks
from plugin_eval_ci.report.survey import markdown as survey_markdown
from plugin_eval_ci.report.words import by_severity, many
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.survey.report import Survey
from plugin_eval_ci.survey.run import survey_of
from plugin_eval_ci.survey.since import Since

FILE, NAME = "report.json", "plugin-scores"
_LARGEST = 128 << 20  # bytes


def previous_report(job: Job) -> str | None:
    """The path of the previous report, or None. A missing or unreadable one never fails the run."""
    inputs, step = job.inputs, job.step
    if inputs.previous is not None:
        return inputs.previous
    name = inputs.artifact_name or NAME
    if name == "off" or not step.token or not step.event.default_branch:
        return None
    from plugin_eval_ci.errors import UsageError
    from plugin_eval_ci.github.client import GitHub
    from plugin_eval_ci.github.values import ApiError

    try:
        github = GitHub.from_environ(os.environ, step.token.value)
        artifact = github.latest_artifact(name, step.event.default_branch)
        if artifact is None:
            job.runner.log(f"no artifact {name} from {step.event.default_branch}; this is the first report")
            return None
        data = github.read_artifact(artifact, (FILE,), _LARGEST).get(FILE)
    except (ApiError, UsageError) as error:
        job.runner.log(f"the previous report could not be fetched (the job needs actions: read): {error}")
        return None
    if data is None:
        job.runner.log(f"the artifact {name} does not contain {FILE}; this is the first report")
        return None
    try:
        return _save_previous(step.temp, data)
    except OSError as error:
        job.runner.log(f"cannot save the previous report in {step.temp}: {error.strerror}")
        return None


def _save_previous(temp: str, data: bytes) -> str:
    import tempfile

    os.makedirs(temp, exist_ok=True)
    handle, file = tempfile.mkstemp(prefix="plugin-eval-previous-", suffix=".json", dir=temp)
    with open(handle, "wb") as stream:
        stream.write(data)
    return file


_BODY, _COMMENT = 60_000, 8_000  # bytes; GitHub takes 65,536 characters


def update_issue(job: Job, survey: Survey, since: Since | None) -> dict[str, str]:
    """Create or edit the issue and return its outputs. A failure is reported but never fails the run."""
    inputs, step = job.inputs, job.step
    if inputs.issue == "off":
        return {}
    if not step.token:
        job.runner.say(
            "warning",
            "issue not updated",
            "input github-token is empty; the tracking issue needs a token with issues: write",
        )
        return {}
    from plugin_eval_ci.errors import UsageError
    from plugin_eval_ci.github.client import GitHub
    from plugin_eval_ci.github.values import ApiError, ReadOnlyError

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
        job.runner.say("warning", "issue not updated", f"the job needs issues: write: {error}")
        return {}
    except (ApiError, UsageError) as error:
        job.runner.say("warning", "issue not updated", f"the tracking issue could not be written: {error}")
        return {}
    job.runner.log(f"issue {posted.action}" + (f": {posted.url}" if posted.url else ""))
    return {"issue-number": str(posted.number)} if posted.number is not None else {}


def _regressions(since: Since) -> str:
    """The scores that fell, largest drop first, as the text of the comment."""
    rows = [f"- {markdown_code(one.after.path)}: {-(one.difference or 0):.2f} points lower" for one in since.worse]
    rows += [f"- {markdown_code(one.after.path)}: no longer measured" for one in since.lost]
    head = f"{many(len(rows), 'score')} fell since {since.date}:\n"
    return fit_blocks([Block(head, tuple(rows))], _COMMENT)


_FILES = {"json-file": "report.json", "report-file": "report.md", "html-file": "report.html", "badge-file": "badge.svg"}


def run(job: Job) -> Outcome:
    """Score. The exit code is 1 if a score is below the threshold or fell too far, 2 if a path contains nothing to score, 3 if
    nothing was measured."""
    inputs = job.inputs
    config = read_config(inputs.paths, inputs.config, False, ())
    previous = previous_report(job)
    made = survey_of(inputs.paths, config, job.step.repository, day_of(None))
    wrong = say_left_out(made.found, hook=False)
    if not (made.found.skills or made.found.agents or made.found.plugins):
        raise UsageError(f"nothing to score in {', '.join(inputs.paths)}: found no skills, agents or plugins")
    survey, since = with_history(made.survey, previous)
    job.runner.log(
        f"scored {many(len(survey.of('plugin')), 'plugin')}, {many(len(survey.of('skill')), 'skill')}"
        + (f"; compared with {since.date}" if since else "; no earlier report to compare with")
    )
    judgements = _judge(job, survey, since)
    outputs = {**_counts(survey, since), **_write_reports(job, survey, since), **update_issue(job, survey, since)}
    asked = _run_models(job, made.found.skills)
    code = 2 if wrong else max(asked.code, *(judgement.code for judgement in judgements))
    return Outcome(code, "error" if code > 1 else "findings" if code else "clean", outputs | asked.outputs)


def _run_models(job: Job, skills: tuple[Location, ...]) -> ModelRunOutcome:
    if job.depth == "quick":
        return NOT_ASKED
    from plugin_eval_ci.action import model_layers

    return model_layers.score_with_models(job, [(where.path, where.file) for where in skills])


def _judge(job: Job, survey: Survey, since: Since | None) -> tuple[Verdict, Verdict]:
    judgements = judge_thresholds(survey, since, job.inputs.threshold, job.inputs.fail_on_regression)
    for judgement, title in zip(judgements, ("score below the threshold", "a score fell"), strict=True):
        if judgement.code:
            job.runner.say("error", title, judgement.said)
        elif judgement.said:
            job.runner.log(judgement.said)
    return judgements


def _write_reports(job: Job, survey: Survey, since: Since | None) -> dict[str, str]:
    if job.inputs.summary:
        job.runner.summary(survey_markdown.render(survey, since, SUMMARY_LIMIT))
    files = dict(files_of(survey, since))
    write(job.output_dir, files.items())
    there = {output: os.path.join(job.output_dir, name) for output, name in _FILES.items() if name in files}
    return {"output-dir": job.output_dir, **there}


def _counts(survey: Survey, since: Since | None) -> dict[str, str]:
    findings = survey.everything_found
    judged = [one.score for one in survey.targets if one.kind == "plugin" or one.plugin is None]
    scores = [score for score in judged if score is not None]
    return {
        **{f"{level.word}s": str(count) for level, count in by_severity(findings)},
        "new-findings": "" if since is None else str(len(since.new)),
        "score": f"{round_score(min(scores)):g}" if scores else "",
        "skills": as_list(one.path for one in survey.targets if one.kind != "plugin"),
    }
