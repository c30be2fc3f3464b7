"""The scope of a lint: the changes since the base, the files that GitHub lists, or everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import git
from plugin_eval_ci.action import pull_files
from plugin_eval_ci.action.context import Job
from plugin_eval_ci.commands import lint as linting
from plugin_eval_ci.commands import since
from plugin_eval_ci.diff import Difference, difference_of, difference_without_base
from plugin_eval_ci.diff.changes import Revision, open_revision
from plugin_eval_ci.lint.evaluate import Evaluation, evaluate

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Result(NamedTuple):
    """What was linted. ``base`` is None if new and old findings cannot be distinguished. ``total`` counts skills and agents."""

    evaluation: Evaluation  # the findings to show and count
    looked_at: tuple[str, ...]  # reported paths of skills and agents
    total: int
    partial: bool  # whether unchanged files were left out
    base: str | None = None
    new: int | None = None
    difference: Difference | None = None  # always for a pull request


def lint_scope(job: Job, config: ConfigSource, options: linting.LintOptions) -> Result:
    """Lint what is in scope. Without a base, everything is linted and a notice explains why."""
    changes, inputs = job.changes, job.inputs
    commit = changes.base.commit if changes else None
    if commit is not None:
        with _both_configurations(job, config, options, commit) as (lint, score):
            return _changes_since(job, lint, score, config, options._replace(base=commit))
    if (
        changes is not None
        and inputs.scope != "all"
        and (listed := pull_files.pull_request_scope(job, config)) is not None
    ):
        evaluation = linting.without_baseline(inputs.paths, listed.linted(config), config, options._replace(hook=True))
        note = f"{changes.base.why}: using the changed files that GitHub lists; every finding counts as new."
        difference = difference_without_base(listed.linted(config.for_score()), evaluation.checked, notes=(note,))
        return Result(
            evaluation, listed.changed, listed.total, True, difference=difference._replace(total=listed.total)
        )
    return _lint_everything(job, config, options)


def _lint_everything(job: Job, config: ConfigSource, options: linting.LintOptions) -> Result:
    changes, paths = job.changes, job.inputs.paths
    notes: tuple[str, ...] = ()
    if changes is not None and changes.base.wanted:
        notes = (f"{changes.base.why}; linting everything, and every finding counts as new",)
        job.runner.say("notice", "no base", notes[0])
    evaluation = linting.without_baseline(paths, evaluate(paths, config), config, options)
    looked_at = _targets(evaluation)
    difference = None
    if job.step.event.pull is not None:
        difference = difference_without_base(evaluate(paths, config.for_score()), evaluation.checked, notes=notes)
    return Result(evaluation, looked_at, len(looked_at), False, difference=difference)


@contextmanager
def _both_configurations(
    job: Job, config: ConfigSource, options: linting.LintOptions, base: str
) -> Iterator[tuple[Revision, Revision]]:
    """The change under the lint configuration, and under the fixed rules of the methodology, which scores use."""
    paths, root = job.inputs.paths, job.changes.root if job.changes else "."
    told = since.settings_of(config, root, options.config_file, False, (), linting.overrides(options))
    with open_revision(paths, told, base) as lint, open_revision(paths, since.for_score(told), base) as score:
        yield lint, score


def _changes_since(
    job: Job, lint: Revision, score: Revision, config: ConfigSource, options: linting.LintOptions
) -> Result:
    paths, inputs = job.inputs.paths, job.inputs
    lint = lint._replace(after=linting.without_baseline(paths, lint.after, config, options._replace(hook=True)))
    new = sum(finding.state == "new" for finding in lint.after.checked.findings)
    shown, looked_at = lint.after, lint.changed
    if inputs.scope == "all":
        whole = linting.without_baseline(paths, evaluate(paths, config), config, options)
        shown, looked_at = _mark_new(whole, lint.after), _targets(whole)
    findings = shown.checked.findings
    if inputs.only_new is False:
        findings = tuple(finding._replace(state=None) for finding in findings)
    else:
        findings = tuple(finding for finding in findings if finding.state != "old")
    shown = shown._replace(checked=shown.checked._replace(findings=findings))
    root = job.changes.root if job.changes else "."
    difference = difference_of(score, git.numstat(root, score.base, score.head), lint)
    return Result(shown, looked_at, lint.total, inputs.scope != "all", lint.base, new, difference)


def _mark_new(whole: Evaluation, changed: Evaluation) -> Evaluation:
    """``whole`` with each finding marked new if it is new in ``changed``, else old.

    Findings that only the comparison shows, or that the change tries to hide, are added.
    """
    known = {(f.path, f.line, f.fingerprint) for f in whole.checked.findings}
    more = [f for f in changed.checked.findings if f.state == "new" and (f.path, f.line, f.fingerprint) not in known]
    new = {(f.path, f.line, f.fingerprint) for f in changed.checked.findings if f.state == "new"}
    findings = tuple(
        f._replace(state="new" if (f.path, f.line, f.fingerprint) in new else "old") for f in whole.checked.findings
    )
    in_order = tuple(sorted((*findings, *more), key=lambda f: (f.path, f.line, -f.severity, f.rule)))
    return whole._replace(checked=whole.checked._replace(findings=in_order))


def _targets(evaluation: Evaluation) -> tuple[str, ...]:
    return tuple(where.path for where in (*evaluation.found.skills, *evaluation.found.agents))
