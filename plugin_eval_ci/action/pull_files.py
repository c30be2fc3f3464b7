"""The changed files of a pull request from GitHub's API, used if git cannot list them and there is a token."""

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
    """The skills and agents that the listed files affect. The base is not available."""

    found: Targets
    scope: Scope
    shown: frozenset[str]  # reported paths whose findings are shown

    @property
    def changed(self) -> tuple[str, ...]:
        """Reported paths of skills and agents."""
        return tuple(sorted(self.scope.changed))

    @property
    def total(self) -> int:
        """Skills and agents in the repository."""
        return len(self.found.skills) + len(self.found.agents)

    def linted(self, config: ConfigSource) -> Evaluation:
        """Lint the affected files in their current state."""
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
    """The changes that GitHub lists. None if it cannot list them either; the reason is logged."""
    changes = _listed_files(job)
    if changes is None or job.changes is None:
        return None
    root = job.changes.root
    everything = find_targets((root,), config)
    inside = within(root, job.inputs.paths, changes)
    scope = scope_of(everything, inside)
    return ListedChanges(
        everything, scope, scope.changed | set(paths_naming([*everything.skills, *everything.agents], inside))
    )


def _listed_files(job: Job) -> tuple[Change, ...] | None:
    pull, token = job.step.event.pull, job.step.token
    if pull is None or not token:
        return None
    from plugin_eval_ci.github.client import GitHub  # loads urllib3, which only this branch needs
    from plugin_eval_ci.github.values import ApiError

    try:
        files = GitHub.from_environ(os.environ, token.value).pull_files(pull.number)
    except (ApiError, UsageError) as error:
        job.runner.log(f"could not read the list of changed files from GitHub: {error}")
        return None
    if not files.complete:
        job.runner.log(f"GitHub lists {len(files.files):,} changed files, but there are more")
        return None
    job.runner.log("using the changed files that GitHub lists")
    return tuple(
        Change(
            (file.old_path or file.path) if file.status in ("removed", "renamed", "modified", "changed") else None,
            None if file.status == "removed" else file.path,
        )
        for file in files.files
    )
