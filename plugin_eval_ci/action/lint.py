"""Mode lint: what changed, or everything; annotations, summary, files and counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.action import publish, pull_files
from plugin_eval_ci.action.job import NOTHING, Job, Outcome
from plugin_eval_ci.action.relevance import is_configuration
from plugin_eval_ci.action.runner import OUTPUT_LIMIT, SUMMARY_LIMIT
from plugin_eval_ci.changes import Revision, revising
from plugin_eval_ci.commands import lint as linting
from plugin_eval_ci.commands.settings import say_left_out
from plugin_eval_ci.difference import Difference, difference_of
from plugin_eval_ci.edges import git
from plugin_eval_ci.evaluate import Evaluation, evaluate
from plugin_eval_ci.model import Severity
from plugin_eval_ci.report import findings_markdown, lint_github, lint_json, lint_sarif
from plugin_eval_ci.report.counts import many

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Result(NamedTuple):
    """What was linted. ``base`` is None when findings could not be told new from old; ``total`` counts skills and agents."""

    evaluation: Evaluation  # as far as it is to be shown and counted
    looked_at: tuple[str, ...]  # reported paths of skills and agents
    total: int
    base: str | None
    new: int | None
    difference: Difference | None


def run(job: Job) -> Outcome:
    """Lint. The outcome's code is 1 when a finding is at the fail level, 2 when a path holds nothing."""
    options = _options(job)
    config = linting.config_of_run(job.inputs.paths, options)
    _say_configured(job)
    result = _linted(job, config, options)
    if result is None:
        job.runner.log("nothing to lint: no skill, agent or plugin changed")
        return NOTHING
    _say(job, result)
    code = 2 if say_left_out(result.evaluation.found, hook=job.changes is not None and result.base is not None) else 0
    failing = any(linting.fails(finding, config) for finding in result.evaluation.checked.findings)
    files = _publish(job, result)
    return Outcome(
        code or int(failing), "error" if code else "findings" if failing else "clean", {**_counts(result), **files}
    )


def _options(job: Job) -> linting.Options:
    inputs = job.inputs
    return linting.Options("github", inputs.fail_on, (), (), False, (), inputs.config, False, baseline=inputs.baseline)


def _linted(job: Job, config: ConfigSource, options: linting.Options) -> Result | None:
    """None when it turns out that nothing is to be looked at."""
    changes, inputs = job.changes, job.inputs
    commit = changes.base.commit if changes else None
    if commit is not None:
        with _both(inputs.paths, config, commit) as (lint, score):
            return _since(job, lint, score, config, options)
    if changes is not None and inputs.scope != "all" and (listed := pull_files.linted(job, config)) is not None:
        if not (listed.changed or listed.evaluation.checked.findings):
            return None
        evaluation = linting.unaccepted(inputs.paths, listed.evaluation, config, options._replace(hook=True))
        return Result(evaluation, listed.changed, listed.total, None, None, None)
    if changes is not None and changes.base.wanted:
        job.runner.say(
            "notice",
            "everything is linted",
            f"{changes.base.why}; everything is linted, and every finding counts as new",
        )
    evaluation = linting.unaccepted(inputs.paths, evaluate(inputs.paths, config), config, options)
    looked_at = _targets(evaluation)
    return Result(evaluation, looked_at, len(looked_at), None, None, None)


@contextmanager
def _both(paths: tuple[str, ...], config: ConfigSource, base: str) -> Iterator[tuple[Revision, Revision]]:
    """The change as the lint is told to see it, and as scores do: they count what the methodology counts."""
    with revising(paths, config, base) as lint, revising(paths, config.for_score(), base) as score:
        yield lint, score


def _since(job: Job, lint: Revision, score: Revision, config: ConfigSource, options: linting.Options) -> Result | None:
    paths, inputs = job.inputs.paths, job.inputs
    lint = lint._replace(after=linting.unaccepted(paths, lint.after, config, options._replace(hook=True)))
    findings = lint.after.checked.findings
    new = sum(finding.state == "new" for finding in findings)
    shown = lint.after
    looked_at: tuple[str, ...] = lint.changed
    if inputs.scope == "all":
        shown = linting.unaccepted(paths, evaluate(paths, config), config, options)
        shown = _marked(shown, lint.after)
        looked_at = _targets(shown)
    elif not (lint.changed or lint.removed or findings or lint.fixed):
        return None
    if inputs.only_new is False:
        plain = tuple(finding._replace(state=None) for finding in shown.checked.findings)
    else:
        plain = tuple(finding for finding in shown.checked.findings if finding.state != "old")
    shown = shown._replace(checked=shown.checked._replace(findings=plain))
    root = job.changes.root if job.changes else "."
    difference = difference_of(score, git.numstat(root, score.base, score.head))
    return Result(shown, looked_at, lint.total, lint.base, new, difference)


def _marked(everything: Evaluation, changed: Evaluation) -> Evaluation:
    """``everything`` with each finding new that is so in ``changed``; what the change does not concern is old."""
    new = {(f.path, f.line, f.fingerprint) for f in changed.checked.findings if f.state == "new"}
    findings = tuple(
        f._replace(state="new" if (f.path, f.line, f.fingerprint) in new else "old")
        for f in everything.checked.findings
    )
    return everything._replace(checked=everything.checked._replace(findings=findings))


def _targets(evaluation: Evaluation) -> tuple[str, ...]:
    return tuple(where.path for where in (*evaluation.found.skills, *evaluation.found.agents))


def _say(job: Job, result: Result) -> None:
    said = f"linting {len(result.looked_at):,} of {many(result.total, 'skill and agent', 'skills and agents')}"
    job.runner.log(f"{said}, base {result.base[:12]}" if result.base else said)


def _say_configured(job: Job) -> None:
    """A change of the configuration shows in no finding: both sides are linted as it is now."""
    files = job.changes.files if job.changes else None
    if changed := sorted({path for change in files or () for path in change if path and is_configuration(path)}):
        job.runner.say(
            "notice", "the configuration changes", f"{', '.join(changed)}: it holds for both sides of the comparison"
        )


def _counts(result: Result) -> dict[str, str]:
    findings = result.evaluation.checked.findings
    counts = {f"{level.word}s": str(sum(f.severity is level for f in findings)) for level in Severity}
    return {
        **counts,
        "new-findings": "" if result.new is None else str(result.new),
        "skills": _list(result.looked_at),
    }


def _list(paths: tuple[str, ...]) -> str:
    """A JSON array of whole entries, cut where an output would become too long."""
    entries, room = [], OUTPUT_LIMIT - 2
    for path in paths:
        entry = json.dumps(path.removesuffix("/SKILL.md"))
        room -= len(entry) + 2
        if room < 0:
            break
        entries.append(entry)
    return f"[{', '.join(entries)}]"


def _publish(job: Job, result: Result) -> dict[str, str]:
    """Annotations, summary, files and comment; returns the outputs about them."""
    runner, evaluation = job.runner, result.evaluation
    if job.inputs.annotations:
        runner.annotate(lint_github.render(evaluation, key=lambda finding: finding.state != "new"))
    markdown = findings_markdown.render(evaluation, SUMMARY_LIMIT, _heading(result))
    if job.inputs.summary:
        runner.summary(markdown)
    files = {
        "report-file": ("report.md", markdown),
        "sarif-file": ("results.sarif", lint_sarif.render(evaluation)),
        "json-file": ("report.json", lint_json.render(evaluation)),
    }
    return publish.write(job.output_dir, files)


def _heading(result: Result) -> str:
    part = f"{len(result.looked_at):,} of {many(result.total, 'skill and agent', 'skills and agents')}"
    return f"{part}, base {result.base[:12]}" if result.base else part
