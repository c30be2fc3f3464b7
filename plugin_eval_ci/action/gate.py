"""The gate in a step: runs the same prompts on base and head within the budget, and writes summary, comment and files."""

from __future__ import annotations

import os

from plugin_eval_ci.action.context import GateOutcome, Job
from plugin_eval_ci.action.runner import Runner
from plugin_eval_ci.commands import gate as command
from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.model_options import ModelOptions
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.evals.trials.gate import GateResult
from plugin_eval_ci.evals.trials.gate.run import GatePlan
from plugin_eval_ci.evals.trials.values import Settings
from plugin_eval_ci.report.gate import github as gate_github
from plugin_eval_ci.report.gate import github as gate_markdown
from plugin_eval_ci.report.gate import json as gate_json
from plugin_eval_ci.report.gate import text as gate_words
from plugin_eval_ci.scoring.spending import dollars

_FILE = "gate.json"
_COMMENT_ROOM = 20_000  # bytes of the comment; the lint gets the rest
_SUMMARY_ROOM = 60_000
_TELLING = ("regression", "unmeasured", "interrupted", "inconclusive")


def compare_with_base(job: Job) -> GateOutcome:
    """Compare the pull request with its base. A failure to measure is an error of the step, never a verdict."""
    base = job.changes.base.commit if job.changes else None
    if base is None:
        why = job.changes.base.why if job.changes else "this run did not determine a base"
        return _report_failure(job.runner, f"no base to compare with: {why}")
    typed = command.GateOptions(
        base=base,
        format="json",
        plan=GatePlan(job.inputs.gate_margin / 100),
        settings=Settings(),
        asking=ModelOptions(max_cost=job.inputs.max_cost, keys=job.step.keys),
        config_file=job.inputs.config,
    )
    try:
        estimate = command.estimate(job.inputs.paths, typed._replace(asking=typed.asking._replace(estimate=True)))
        # The client enforces the cap in any case, but a gate that stops half-way costs money and gives no verdict.
        if estimate.cost is not None and estimate.cost > job.inputs.max_cost:
            likely = f"the estimated cost is {dollars(estimate.cost)}, but max-cost is {dollars(job.inputs.max_cost)}"
            return _report_failure(
                job.runner, f"no model was called: {likely}; raise max-cost or reduce the number of prompts"
            )
        return _outcome_of(job, command.gate(job.inputs.paths, typed))
    except (MeasurementError, UsageError) as error:
        return _report_failure(job.runner, str(error))


def _outcome_of(job: Job, result: GateResult) -> GateOutcome:
    verdict = gate_json.verdict_of(result)
    write(job.output_dir, [(_FILE, gate_json.render(result))])
    if job.inputs.summary:
        job.runner.summary(gate_markdown.render_markdown(result, _SUMMARY_ROOM))
    if job.inputs.annotations:
        job.runner.annotate(gate_github.render_annotations(result))
    else:
        job.runner.log(gate_words.headline(result))
    code = command.code_of(result, strict=False)
    outputs = {"gate": verdict, "gate-file": os.path.join(job.output_dir, _FILE)}
    spent = result.spent.cost or 0.0
    return GateOutcome(code, outputs, gate_markdown.render_markdown(result, _COMMENT_ROOM), spent, verdict in _TELLING)


def _report_failure(runner: Runner, why: str) -> GateOutcome:
    runner.say("error", "gate not measured", why)
    return GateOutcome(3, {"gate": "unmeasured", "gate-file": ""})
