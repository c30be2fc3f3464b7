"""The changed files of a pull request as GitHub lists them: where git cannot tell, and a token may ask."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.action.context import Job
from plugin_eval_ci.diff.changes import Scope, evaluate_part, owner_of, paths_naming, scope_of, within
from plugin_eval_ci.discover import Targets, find_targets
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.git import Change
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.lint.suppress import folder_of

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class ListedChanges(NamedTuple):
    """What the listed files concern. There is no other state to compare with."""

    found: Targets
    scope: Scope
    shown: frozenset[str]  # reported paths whose findings are the change's business

    @property
    def changed(self) -> tuple[str, ...]:
        """Reported paths of skills and agents."""
        return tuple(sorted(self.scope.changed))

    @property
    def total(self) -> int:
        """Skills and agents in the repository."""
        return len(self.found.skills) + len(self.found.agents)

    def linted(self, config: ConfigSource) -> Evaluation:
        """Lint it as it is now."""
        evaluation = evaluate_part(self.found, self.scope.concerned, config)
        folders = {folder_of(path): path for path in self.shown if path.rpartition("/")[2].lower() == "skill.md"}
        findings = tuple(
            f for f in evaluation.checked.findings if f.path in self.shown or owner_of(f.path, folders) is not None
        )
        collection = evaluation.collection
        collection = collection._replace(
            skills=tuple(skill for skill in collection.skills if skill.source.path in self.shown),
            agents=tuple(agent for agent in collection.agents if agent.source.path in self.shown),
        )
        return Evaluation(evaluation.found, collection, evaluation.checked._replace(findings=findings))


def pull_request_scope(job: Job, config: ConfigSource) -> ListedChanges | None:
    """What GitHub says changed; None when it cannot tell either, which is logged."""
    changes = _listed(job)
    if changes is None or job.changes is None:
        return None
    root = job.changes.root
    everything = find_targets((root,), config)
    inside = within(root, job.inputs.paths, changes)
    scope = scope_of(everything, inside)
    return ListedChanges(
        everything, scope, scope.changed | set(paths_naming([*everything.skills, *everything.agents], inside))
    )


def _listed(job: Job) -> tuple[Change, ...] | None:
    pull, token = job.step.event.pull, job.step.token
    if pull is None or not token:
        return None
    from plugin_eval_ci.github.client import GitHub  # urllib3: only on this road
    from plugin_eval_ci.github.values import ApiError

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
