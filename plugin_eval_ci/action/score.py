"""Mode score: the report on everything below the paths, in the summary, as files, and in a tracking issue."""

from __future__ import annotations

import os

from plugin_eval_ci.action import earlier, issue
from plugin_eval_ci.action.job import NOT_ASKED, Deeper, Job, Outcome
from plugin_eval_ci.action.lists import as_list
from plugin_eval_ci.action.runner import SUMMARY_LIMIT
from plugin_eval_ci.commands.day import day_of
from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.publish import Judgement, compared, files_of, judged
from plugin_eval_ci.commands.settings import read_config, say_left_out
from plugin_eval_ci.dimensions import rounded
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.report import survey_markdown
from plugin_eval_ci.report.counts import by_severity, many
from plugin_eval_ci.since import Since
from plugin_eval_ci.survey import Survey
from plugin_eval_ci.surveying.run import survey_of

_FILES = {"json-file": "report.json", "report-file": "report.md", "html-file": "report.html", "badge-file": "badge.svg"}


def run(job: Job) -> Outcome:
    """Score. The code is 1 when a score is below the threshold or fell too far, 2 when a path holds nothing, 3 when
    nothing was measured."""
    inputs = job.inputs
    config = read_config(inputs.paths, inputs.config, False, ())
    previous = earlier.file_of(job)
    made = survey_of(inputs.paths, config, job.step.repository, day_of(None))
    wrong = say_left_out(made.found, hook=False)
    if not (made.found.skills or made.found.agents or made.found.plugins):
        raise UsageError(f"nothing to score in {', '.join(inputs.paths)}: no skill, no agent and no plugin")
    survey, since = compared(made.survey, previous)
    job.runner.log(
        f"scored {many(len(survey.of('plugin')), 'plugin')}, {many(len(survey.of('skill')), 'skill')}"
        + (f"; compared with {since.date}" if since else "; nothing to compare with")
    )
    judgements = _judged(job, survey, since)
    outputs = {**_counts(survey, since), **_published(job, survey, since), **issue.tracked(job, survey, since)}
    asked = _asked(job, made.found.skills)
    code = 2 if wrong else max(asked.code, *(judgement.code for judgement in judgements))
    return Outcome(code, "error" if code > 1 else "findings" if code else "clean", outputs | asked.outputs)


def _asked(job: Job, skills: tuple[Location, ...]) -> Deeper:
    if job.depth == "quick":
        return NOT_ASKED
    from plugin_eval_ci.action import deeper

    return deeper.judged(job, [(where.path, where.file) for where in skills])


def _judged(job: Job, survey: Survey, since: Since | None) -> tuple[Judgement, Judgement]:
    judgements = judged(survey, since, job.inputs.threshold, job.inputs.fail_on_regression)
    for judgement, title in zip(judgements, ("score below the threshold", "a score fell"), strict=True):
        if judgement.code:
            job.runner.say("error", title, judgement.said)
        elif judgement.said:
            job.runner.log(judgement.said)
    return judgements


def _published(job: Job, survey: Survey, since: Since | None) -> dict[str, str]:
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
        "score": f"{rounded(min(scores)):g}" if scores else "",
        "skills": as_list(one.path for one in survey.targets if one.kind != "plugin"),
    }
