"""Lint findings one a line, ``path:line:col: severity RULE message``, for editors; docs/editors.md holds the patterns."""

from __future__ import annotations

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_terminal


def render(evaluation: Evaluation) -> str:
    """One line a finding, in the order of files; nothing else."""
    return "".join(_line(finding) for finding in evaluation.checked.findings)


def _line(finding: Finding) -> str:
    place = f"{for_terminal(finding.path)}:{finding.line}:{finding.column or 1}"
    return f"{place}: {finding.severity.word} {for_terminal(finding.rule)} {for_terminal(finding.message)}\n"
