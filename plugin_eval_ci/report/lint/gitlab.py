"""Lint findings as a GitLab Code Quality report."""

from __future__ import annotations

import json
from collections import Counter

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.lint.positions import fault_findings, unicode_path

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTICE: "info"}


def render(evaluation: Evaluation) -> str:
    """The list, with a final newline. GitLab keeps one entry a fingerprint, so a repeated one is told apart."""
    seen: Counter[str] = Counter()
    entries = []
    for finding in (*fault_findings(), *evaluation.checked.findings):
        again = seen[finding.fingerprint]
        seen[finding.fingerprint] += 1
        entries.append(_entry(finding, f"{finding.fingerprint}-{again}" if again else finding.fingerprint))
    return json.dumps(entries, ensure_ascii=True, indent=2) + "\n"


def _entry(finding: Finding, fingerprint: str) -> dict[str, object]:
    fix = f" (fix: {for_terminal(finding.fix)})" if finding.fix else ""
    lines = {"begin": finding.line}
    if finding.end_line is not None and finding.end_line > finding.line:
        lines["end"] = finding.end_line
    return {
        "description": f"{for_terminal(finding.message)}{fix}",
        "check_name": for_terminal(finding.rule),
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": unicode_path(finding.path), "lines": lines},
    }
