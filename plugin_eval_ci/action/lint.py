"""Mode lint: annotations, summary, files, comment and counts of the findings."""

from __future__ import annotations

import os

from plugin_eval_ci.action.changes import is_configuration
from plugin_eval_ci.action.context import NOT_ASKED, NOT_GATED, NOTHING, GateOutcome, Job, ModelRunOutcome, Outcome
from plugin_eval_ci.action.runner import SUMMARY_LIMIT, as_list
from plugin_eval_ci.action.scope import Result, lint_scope
from plugin_eval_ci.commands import lint as linting
from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.load_config import say_left_out
from plugin_eval_ci.report.diff import json as diff_json
from plugin_eval_ci.report.lint import github as lint_github
from plugin_eval_ci.report.lint import json as lint_json
from plugin_eval_ci.report.lint import markdown as findings_markdown
from plugin_eval_ci.report.lint import sarif as lint_sarif
from plugin_eval_ci.report.words import by_severity, many


def run(job: Job) -> Outcome:
    """Lint. The exit code is 1 if a finding reaches the fail level, and 2 if a path contains nothing to lint."""
    inputs = job.inputs
    options = linting.LintOptions(
        format="github", fail_on=inputs.fail_on, config_file=inputs.config, baseline=inputs.baseline
    )
    base = job.changes.base.commit if job.changes else None
    config = linting.config_that_judges(
        inputs.paths, linting.config_of_run(inputs.paths, options), options._replace(base=base)
    )
    _report_config_change(job)
    result = lint_scope(job, config, options)
    findings = result.evaluation.checked.findings
    if result.partial and not result.looked_at and not findings:
        job.runner.log("nothing to lint: no skill, agent or plugin changed")
        return NOTHING._replace(outputs={**NOTHING.outputs, **_post_comment(job, result, NOT_GATED)})
    job.runner.log(f"linting {_scope_text(result)}")
    wrong = say_left_out(result.evaluation.found, hook=result.partial)
    failing = any(linting.fails(finding, config) for finding in findings)
    published = _write_reports(job, result)
    gate = _run_gate(job)
    outputs = {**_counts(result), **published, **_post_comment(job, result, gate)}
    asked = _run_models(job, result, gate.spent)
    code = 2 if wrong else max(int(failing), gate.code, asked.code)
    spent = _total_cost(gate, asked)
    return Outcome(code, ("clean", "findings", "error")[min(code, 2)], outputs | gate.outputs | asked.outputs | spent)


def _run_gate(job: Job) -> GateOutcome:
    """The result of the gate, if it is switched on."""
    if not job.gate:
        return NOT_GATED
    from plugin_eval_ci.action import gate

    return gate.compare_with_base(job)


def _total_cost(gate: GateOutcome, asked: ModelRunOutcome) -> dict[str, str]:
    """The total cost of the model calls."""
    if not gate.outputs:
        return {}
    return {"model-cost": f"{gate.spent + float(asked.outputs.get('model-cost', 0)):.4f}"}


def _run_models(job: Job, result: Result, spent: float) -> ModelRunOutcome:
    """Model scores of the linted skills. At depth quick this returns at once and loads nothing."""
    if job.depth == "quick":
        return NOT_ASKED
    from plugin_eval_ci.action import model_layers

    skills = result.evaluation.collection.skills
    looked_at = set(result.looked_at)
    job = job._replace(inputs=job.inputs._replace(max_cost=max(0.0, job.inputs.max_cost - spent)))
    return model_layers.score_with_models(
        job, [(one.source.path, one.source.file) for one in skills if one.source.path in looked_at]
    )


def _report_config_change(job: Job) -> None:
    """Report a changed configuration without a base, because CONFIG_CHANGED needs one."""
    files = job.changes.files if job.changes and job.changes.base.commit is None else None
    if changed := sorted(
        {path for change in files or () for path in (change.old, change.new) if path and is_configuration(path)}
    ):
        job.runner.say("notice", "configuration changed", f"{', '.join(changed)}: this change may hide findings")


def _scope_text(result: Result) -> str:
    part = f"{len(result.looked_at):,} of {many(result.total, 'skill and agent', 'skills and agents')}"
    return f"{part}, base {result.base[:12]}" if result.base else part


def _counts(result: Result) -> dict[str, str]:
    findings = result.evaluation.checked.findings
    return {
        **{f"{level.word}s": str(count) for level, count in by_severity(findings)},
        "new-findings": "" if result.new is None else str(result.new),
        "skills": as_list(result.looked_at),
    }


def _write_reports(job: Job, result: Result) -> dict[str, str]:
    """Annotations, summary and files; returns the outputs about them."""
    runner, evaluation = job.runner, result.evaluation
    if job.inputs.annotations:
        runner.annotate(lint_github.render(evaluation, key=lambda finding: finding.state != "new", faults=False))
    markdown = findings_markdown.render(evaluation, SUMMARY_LIMIT, _scope_text(result), result.difference)
    if job.inputs.summary:
        runner.summary(markdown)
    found = lint_json.render(evaluation) if result.difference is None else diff_json.render(result.difference)
    files = {
        "report-file": ("report.md", markdown),
        "sarif-file": ("results.sarif", lint_sarif.render(evaluation)),
        "json-file": ("report.json", found),
    }
    write(job.output_dir, files.values())
    return {
        "output-dir": job.output_dir,
        **{output: os.path.join(job.output_dir, name) for output, (name, _) in files.items()},
    }


def _post_comment(job: Job, result: Result, gate: GateOutcome) -> dict[str, str]:
    """Post the comment on the pull request, if it is switched on. A failure here never fails the lint."""
    pull = job.step.event.pull
    if job.inputs.comment == "off" or pull is None or result.difference is None:
        return {"comment-pending": "false"}
    from plugin_eval_ci.action import pr_comment  # loads urllib3, which only this branch needs

    commit = pull.head or job.step.sha or ""
    return pr_comment.try_comment(job, result.difference, pull.number, commit, gate)
