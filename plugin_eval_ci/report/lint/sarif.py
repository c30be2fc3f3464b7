"""Lint findings as SARIF 2.1.0, with what GitHub's code scanning asks for.

Every region is one line: in a pull request an alert shows only when all of its lines are in the diff. No rule carries a
``security-severity`` or the tag ``security``: these are findings about quality.
"""

from __future__ import annotations

import json
import os
from urllib.parse import quote

from plugin_eval_ci import __version__
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.document import Json
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.lint.positions import LineOf, lines_of, path_bytes, utf16_column
from plugin_eval_ci.report.rules import HOME, cut_utf16, page, summary, url, what_it_flags
from plugin_eval_ci.rules import rule_named
from plugin_eval_ci.util import faults

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 5000  # what code scanning keeps
DESCRIPTION_LIMIT = 1024
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "recommendation"}


def render(evaluation: Evaluation, category: str = "lint") -> str:
    """The log, with a final newline. ``category`` tells several uploads for one commit apart."""
    findings = sorted(evaluation.checked.findings, key=lambda finding: -finding.severity)  # stable: path and line hold
    kept = findings[:MOST_RESULTS]
    first = {finding.rule: finding for finding in reversed(kept)}
    names = sorted(first)
    driver = {
        "name": "plugin-eval-ci",
        "semanticVersion": __version__,
        "informationUri": HOME,
        "rules": [_rule(first[name]) for name in names],
    }
    places = {name: index for index, name in enumerate(names)}
    line_of, uri_of = lines_of(evaluation), _Uris(evaluation)
    run: Json = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"plugin-eval-ci/{category}/"},
        "columnKind": "utf16CodeUnits",
        "results": [_result(finding, places[finding.rule], uri_of, line_of) for finding in kept],
    }
    if failed := faults.noted():
        run["invocations"] = [
            {
                "executionSuccessful": False,
                "toolExecutionNotifications": [_notification(fault) for fault in failed[:MOST_RESULTS]],
            }
        ]
    if len(kept) < len(findings):
        run["properties"] = {"resultsLeftOut": len(findings) - len(kept)}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=2) + "\n"


def _notification(fault: faults.Fault) -> Json:
    """A fault of ours. Its rule is named by words and not by id, because the log holds only the rules that found something."""
    notification: Json = {
        "level": "error",
        "descriptor": {"id": faults.RULE},
        "message": {"text": for_terminal(f"{fault.said}. {faults.ADVICE}").replace("](", "] (")},
        "exception": {"kind": for_terminal(fault.exception), "message": for_terminal(fault.message)},
    }
    if fault.path != ".":
        uri = quote(path_bytes(fault.path), safe="/")
        notification["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri}}}]
    return notification | ({"associatedRule": {"id": fault.rule}} if fault.rule else {})


def _rule(finding: Finding) -> Json:
    name = finding.rule
    known = rule_named(name)
    severity = known.severity if known else finding.severity
    tags = ["agent-skills", known.group if known else "merged"]
    rule: Json = {
        "id": name,
        "name": cut_utf16(
            "".join(word.capitalize() for word in name.replace("/", "_").replace("-", "_").split("_")), 255
        ),
        "shortDescription": {"text": cut_utf16(summary(name), DESCRIPTION_LIMIT)},
        "fullDescription": {"text": cut_utf16(what_it_flags(name), DESCRIPTION_LIMIT)},
        "help": {"text": page(name), "markdown": page(name)},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {
            "tags": tags,
            "precision": "high" if known else "medium",
            "problem.severity": _PROBLEMS[severity],
        },
    }
    return rule | ({"helpUri": url(name)} if known else {})


def _result(finding: Finding, index: int, uri_of: _Uris, line_of: LineOf) -> Json:
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _text(finding)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri_of(finding)},
                    "region": _region(finding, line_of(finding)),
                }
            }
        ],
        "partialFingerprints": {"pluginEvalFingerprint/v1": finding.fingerprint},
    }


def _text(finding: Finding) -> str:
    """The message. In SARIF ``[words](target)`` is a link, which a file's words must not make."""
    words = for_terminal(finding.message).rstrip()
    end = "" if not finding.fix or words.endswith((".", "!", "?", "…")) else "."
    return f"{words}{end} {for_terminal(finding.fix)}".strip().replace("](", "] (") or finding.rule


def _region(finding: Finding, line: str) -> dict[str, int]:
    start = finding.column or 1
    end = max(len(line) + 1, start + 1)
    return {
        "startLine": finding.line,
        "startColumn": utf16_column(line, start),
        "endLine": finding.line,
        "endColumn": utf16_column(line, end),
    }


class _Uris:
    """From a finding to its file's address; a linked file's is that of the file it leads to, which is what git shows."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._files = {document.source.path: document.source.file for document in evaluation.collection.documents}
        self._root = os.path.realpath(evaluation.found.root)
        self._known: dict[str, str] = {}

    def __call__(self, finding: Finding) -> str:
        if finding.path not in self._known:
            self._known[finding.path] = quote(path_bytes(self._resolved(finding.path)), safe="/")
        return self._known[finding.path]

    def _resolved(self, path: str) -> str:
        file = self._files.get(path)
        if file is None:
            return path
        real = os.path.realpath(file)
        if not real.startswith(os.path.join(self._root, "")):
            return path
        return os.path.relpath(real, self._root).replace(os.sep, "/")
