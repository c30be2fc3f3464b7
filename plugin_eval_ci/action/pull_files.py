"""The changed files of a pull request as GitHub lists them: where git cannot tell, and a token may ask."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.action.job import Job
from plugin_eval_ci.changes import evaluated, naming, scope_of, within
from plugin_eval_ci.discover import find
from plugin_eval_ci.edges.git import Change
from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.suppress import folder_of

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Listed(NamedTuple):
    """What the listed files concern, linted as it is now: there is no other state to compare with."""

    evaluation: Evaluation
    changed: tuple[str, ...]  # reported paths of skills and agents
    total: int


def linted(job: Job, config: ConfigSource) -> Listed | None:
    """Lint what GitHub says changed; None when it cannot tell either, which is logged."""
    changes = _listed(job)
    if changes is None or job.changes is None:
        return None
    root = job.changes.root
    everything = find((root,), config)
    inside = within(root, job.inputs.paths, changes)
    scope = scope_of(everything, inside)
    evaluation = evaluated(everything, scope.concerned, config)
    shown = scope.changed | set(naming([*everything.skills, *everything.agents], inside))
    folders = {folder_of(path) for path in shown if path.rpartition("/")[2].lower() == "skill.md"}
    findings = tuple(
        finding
        for finding in evaluation.checked.findings
        if finding.path in shown or any(finding.path.startswith(f"{folder}/") for folder in folders)
    )
    evaluation = evaluation._replace(checked=evaluation.checked._replace(findings=findings))
    return Listed(evaluation, tuple(sorted(scope.changed)), len(everything.skills) + len(everything.agents))


def _listed(job: Job) -> tuple[Change, ...] | None:
    pull, token = job.step.event.pull, job.step.token
    if pull is None or not token:
        return None
    from plugin_eval_ci.edges.github import ApiError, GitHub
    from plugin_eval_ci.errors import UsageError

    try:
        files = GitHub.from_environ(os.environ, token.value).pull_files(pull.number)
    except (ApiError, UsageError) as error:
        job.runner.log(f"GitHub's list of the changed files could not be read: {error}")
        return None
    if not files.complete:
        job.runner.log(f"GitHub lists {len(files.files):,} changed files and leaves out more")
        return None
    job.runner.log("the changed files are those that GitHub lists")
    return tuple(
        Change(
            (file.old_path or file.path) if file.status in ("removed", "renamed", "modified", "changed") else None,
            None if file.status == "removed" else file.path,
        )
        for file in files.files
    )
