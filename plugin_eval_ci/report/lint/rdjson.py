"""Lint findings in reviewdog's diagnostic format (rdjson).

No suggestions: a fix is advice in words, and reviewdog would offer it as text to put into the file. Messages are escaped as
Markdown, because reviewdog's main use is to post them as review comments.
"""

from __future__ import annotations

import json

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.document import Json
from plugin_eval_ci.report.escape import for_markdown
from plugin_eval_ci.report.lint.positions import LineOf, fault_findings, lines_of, unicode_path, utf8_column
from plugin_eval_ci.report.rules import HOME, url

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTICE: "INFO"}


def render(evaluation: Evaluation) -> str:
    """The result, with a final newline."""
    findings, line_of = (*fault_findings(), *evaluation.checked.findings), lines_of(evaluation)
    document: Json = {
        "source": {"name": "plugin-eval", "url": HOME},
        "diagnostics": [_diagnostic(finding, line_of) for finding in findings],
    }
    if findings:
        document["severity"] = _SEVERITIES[max(finding.severity for finding in findings)]
    return json.dumps(document, ensure_ascii=True, indent=2) + "\n"


def _diagnostic(finding: Finding, line_of: LineOf) -> Json:
    address = url(finding.rule)
    fix = f" (fix: {for_markdown(finding.fix)})" if finding.fix else ""
    return {
        "message": f"{for_markdown(finding.message)}{fix}",
        "location": {"path": unicode_path(finding.path), "range": _range(finding, line_of(finding))},
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": for_markdown(finding.rule)} | ({"url": address} if address else {}),
    }


def _range(finding: Finding, line: str) -> dict[str, dict[str, int]]:
    """With a column the place, without one the lines: an end next to a column would be exclusive and is not known."""
    if finding.column is not None:
        return {"start": {"line": finding.line, "column": utf8_column(line, finding.column)}}
    if finding.end_line is not None and finding.end_line > finding.line:
        return {"start": {"line": finding.line}, "end": {"line": finding.end_line}}
    return {"start": {"line": finding.line}}
