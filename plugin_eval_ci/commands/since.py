"""``plugin-eval lint --base REF``: the changed skills, and only what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plugin_eval_ci.changes import revising
from plugin_eval_ci.commands.settings import say
from plugin_eval_ci.edges.git import GitError
from plugin_eval_ci.evaluate import Evaluation, evaluate
from plugin_eval_ci.report.counts import many

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


def evaluate_since(paths: tuple[str, ...], config: ConfigSource, base: str) -> Evaluation:
    """Lint what changed since ``base``, each finding marked new or old; everything, with a note, when the base is not at hand."""
    try:
        with revising(paths, config, base) as revision:
            changed, total = len(revision.changed), many(revision.total, "skill and agent", "skills and agents")
            old = sum(finding.state == "old" for finding in revision.after.checked.findings)
            fixed = f"; {many(len(revision.fixed), 'finding')} fixed" if revision.fixed else ""
            say(f"linting {changed:,} of {total}, base {revision.base[:12]}; {many(old, 'old finding')}{fixed}")
            return revision.after
    except GitError as error:
        say(f"--base {base}: {error}; linting everything, and every finding counts as new")
        return evaluate(paths, config)


def only_new(evaluation: Evaluation) -> Evaluation:
    """Without what the base already had."""
    findings = tuple(finding for finding in evaluation.checked.findings if finding.state != "old")
    return evaluation._replace(checked=evaluation.checked._replace(findings=findings))
