"""Entry point of a step, with only Python: reads the event, finds the changed files, and installs packages if needed."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from typing import NoReturn

from plugin_eval_ci import git, page
from plugin_eval_ci.action import changes as base
from plugin_eval_ci.action import inputs as reading
from plugin_eval_ci.action import models
from plugin_eval_ci.action.changes import concerns_skills
from plugin_eval_ci.action.context import NOTHING, Changes, Job, Mode, Outcome
from plugin_eval_ci.action.inputs import Inputs
from plugin_eval_ci.action.runner import Runner
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.github import actions
from plugin_eval_ci.github.actions import Step
from plugin_eval_ci.util import faults

USAGE, UNMEASURED, OUR_FAULT = 2, 3, 4
_MODES: dict[str, Mode] = {"schedule": "score", "workflow_dispatch": "score", "workflow_run": "comment"}


def main() -> NoReturn:
    """Run the step described by the environment, then exit."""
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    code = run(os.environ)
    sys.stdout.flush()
    os._exit(code)  # skips the clean-up of all parsed documents


def run(environ: MutableMapping[str, str]) -> int:
    """Run one step: 0 clean, 1 findings, 2 usage error, 3 not measured, 4 internal error. The outputs are always written.

    Model keys are removed from ``environ`` first, so git, pip and other child processes never see them.
    """
    faults.forget()
    step = actions.from_environ(environ)
    actions.forget_keys(environ)
    runner = Runner(sys.stdout, step.output, step.summary, step.debug)
    with contextlib.redirect_stderr(runner.stream()):
        outcome = _report_faults(_run_safely(environ, step, runner), runner)
    try:
        runner.outputs({"conclusion": outcome.conclusion, **outcome.outputs})
    except MeasurementError as error:
        return max(outcome.code, _error_outcome(runner, UNMEASURED, "step could not run", str(error)).code)
    return outcome.code


def _run_safely(environ: Mapping[str, str], step: Step, runner: Runner) -> Outcome:
    try:
        return _run(environ, step, runner)
    except UsageError as error:
        return _error_outcome(runner, USAGE, "wrong usage", str(error))
    except MeasurementError as error:
        return _error_outcome(runner, UNMEASURED, "step could not run", str(error))
    except Exception as error:
        for line in traceback.format_exc().splitlines():
            runner.debug(line)
        said = f"{type(error).__name__}: {str(error)[:200]}"
        return _error_outcome(
            runner,
            OUR_FAULT,
            "internal error",
            f"{said} (this is a bug in plugin-eval-ci; run again with debug logging for details)",
        )


def _report_faults(outcome: Outcome, runner: Runner) -> Outcome:
    """Report each internal error with its rule and file, and fail the step. The other rules still ran."""
    said = faults.lines()
    if not said:
        return outcome
    from plugin_eval_ci.report.lint import github as lint_github  # a rule ran, so the packages are installed

    runner.annotate(lint_github.of_faults())
    for line in said:
        runner.log(line)
    return outcome._replace(code=OUR_FAULT, conclusion="error")


def _error_outcome(runner: Runner, code: int, title: str, text: str) -> Outcome:
    runner.say("error", title, text)
    return Outcome(code, "error", {})


def _run(environ: Mapping[str, str], step: Step, runner: Runner) -> Outcome:
    inputs = reading.read_inputs(environ)
    mode = mode_of(inputs, step)
    if idle := reading.idle_inputs(environ, inputs, mode, step.event.pull is not None):
        runner.say("warning", "unused inputs", f"{', '.join(idle)}: no effect in mode {mode} on this event")
    folder = inputs.output_dir or os.path.join(step.temp, "plugin-eval-ci")
    step, depth, gate = models.model_access(mode, inputs, step, environ, runner)
    job = Job(mode, step, inputs, runner, os.path.abspath(folder), depth=depth, gate=gate)
    if mode == "lint":
        with runner.timed("finding what changed"):
            job = job._replace(changes=_changes(job))
        if _has_nothing_to_do(job):
            runner.log("nothing to lint: the change does not affect any skill, agent or plugin")
            return NOTHING
    elif mode == "comment" and (step.event.run is None or step.event.run.event != "pull_request"):
        runner.log("nothing to post: the triggering run was not for a pull request")
        return NOTHING
    with runner.timed("installing packages"):
        _load_packages(environ, job)
    with runner.timed(f"mode {mode}"):
        return _run_mode(job)


def mode_of(inputs: Inputs, step: Step) -> Mode:
    """The mode of this run. Raises ``UsageError`` for an event that the mode cannot run on."""
    name = step.event.name
    if name == "pull_request_target":
        raise UsageError(
            "the event pull_request_target is not supported: it checks out the base branch, not the pull request, and its"
            f" token has write access. Use pull_request, and a second workflow on workflow_run for comments on forks"
            f" ({page('action')})"
        )
    mode: Mode = _MODES.get(name, "lint") if inputs.mode == "auto" else inputs.mode  # type: ignore[assignment]
    if mode == "comment" and name != "workflow_run":
        raise UsageError(
            "input mode: comment needs the event workflow_run (to comment from a lint run, set the input comment)"
        )
    return mode


def _changes(job: Job) -> Changes | None:
    """What changed; None if everything is linted in any case."""
    inputs, runner = job.inputs, job.runner
    for path in inputs.paths:
        if not os.path.lexists(path):
            hint = "" if os.listdir(".") else "; the workspace is empty: add an actions/checkout step before this one"
            raise UsageError(f"input paths: {path}: no such file or folder{hint}")
    if inputs.scope == "all" and inputs.only_new is False and inputs.base is None:
        return None
    root = _checkout_of(os.path.abspath(inputs.paths[0]))
    if root is None:
        return _unknown_changes(runner, os.getcwd(), "not a git checkout", job.step.event.pull is not None)
    _trust_checkout(root)
    try:
        found = base.base_of(root, job.step, inputs.base)
    except git.GitError as error:
        return _unknown_changes(runner, root, str(error), True)
    if found.commit is None and inputs.base is not None:
        raise UsageError(f"{found.why}; name a commit, branch or tag of this repository, or leave the input empty")
    if found.commit is None:
        return _unknown_changes(
            runner, root, found.why, found.wanted or inputs.scope == "changed" or inputs.only_new is True
        )
    runner.debug(f"base {found.commit}: {found.why}")
    start = git.merge_base(root, found.commit, "HEAD") or found.commit
    try:
        return Changes(found, git.changes(root, start, None), root)
    except git.NotFetchedError as error:
        return _unknown_changes(runner, root, str(error), True)


def _unknown_changes(runner: Runner, root: str, why: str, wanted: bool) -> Changes:
    if wanted:
        runner.log(f"git could not list the changed files: {why}")
    return Changes(base.Base(None, why, wanted), None, root)


def _has_nothing_to_do(job: Job) -> bool:
    """Whether the lint can stop here: no changed file affects a skill, and no comment may need an update."""
    changes, inputs = job.changes, job.inputs
    if changes is None or changes.files is None or inputs.scope == "all":
        return False
    if inputs.comment != "off" and job.step.event.pull is not None:
        return False
    also = [name for name in (inputs.config, inputs.baseline) if name]
    return not concerns_skills(changes.root, changes.files, also)


def _checkout_of(place: str) -> str | None:
    while not os.path.lexists(os.path.join(place, ".git")):
        place, last = os.path.dirname(place), place
        if place == last:
            return None
    return place


def _trust_checkout(root: str) -> None:
    """Let git read a checkout that another user owns, as in a container. This applies only to our own child processes."""
    count = os.environ.get("GIT_CONFIG_COUNT", "0")
    number = int(count) if count.isascii() and count.isdecimal() else 0
    os.environ[f"GIT_CONFIG_KEY_{number}"] = "safe.directory"
    os.environ[f"GIT_CONFIG_VALUE_{number}"] = root.replace(os.sep, "/")
    os.environ["GIT_CONFIG_COUNT"] = str(number + 1)


def _load_packages(environ: Mapping[str, str], job: Job) -> None:
    """Make the pinned packages importable. The checkout is never on the import path, and nothing is written to it."""
    from plugin_eval_ci.action import install

    for place, lock in enumerate((install.LOCK, install.MODELS_LOCK) if job.asks else (install.LOCK,), 1):
        folder = install.ensure(job.step.temp, environ, job.runner.log, lock)
        if folder not in sys.path:
            sys.path.insert(place, folder)


def _run_mode(job: Job) -> Outcome:
    if job.mode == "score":
        from plugin_eval_ci.action import score

        return score.run(job)
    if job.mode == "comment":
        from plugin_eval_ci.action import pr_comment

        return pr_comment.run(job)
    from plugin_eval_ci.action import lint

    return lint.run(job)
