"""Lint findings as JUnit XML, for the test pages of Jenkins and GitLab.

A suite is a file and a case is a rule in it. Both programs tell cases apart by name, so a name holds path and rule and no
line: a finding that moves stays the same case, and GitLab shows only the name in a merge request. A file without findings
is one case that passes, because Jenkins fails a build whose report holds no case. Notices pass and say what they have to
say as output, since JUnit knows no levels. A case has no ``file`` and no ``line``: Jenkins' xUnit plugin refuses a whole
report for either; the text of the failure says both.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.lint.positions import fault_findings
from plugin_eval_ci.util import faults

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Cases = dict[str, list[Finding]]


def render(evaluation: Evaluation) -> str:
    """The document, with a final newline."""
    suites: dict[str, Cases] = {document.source.path: {} for document in evaluation.collection.documents}
    for finding in (*fault_findings(), *evaluation.checked.findings):
        suites.setdefault(finding.path, {}).setdefault(finding.rule, []).append(finding)
    root = ElementTree.Element("testsuites", name="plugin-eval")
    for path, cases in sorted(suites.items()):
        _suite(root, path, cases)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: ElementTree.Element, path: str, cases: Cases) -> None:
    broken = int(faults.RULE in cases)
    failed = sum(_fails(findings) for findings in cases.values()) - broken
    counts = {"tests": str(len(cases) or 1), "failures": str(failed), "errors": str(broken), "skipped": "0"}
    suite = ElementTree.SubElement(root, "testsuite", {"name": _plain(path), **counts})
    # A full stop would part packages and classes for Jenkins.
    about = {"classname": _plain(path).replace(".", "_")}
    if not cases:
        ElementTree.SubElement(suite, "testcase", {"name": f"no findings in {_plain(path)}", **about})
    for rule, findings in sorted(cases.items()):
        name = f"{_plain(rule)} in {_plain(path)}"
        case = ElementTree.SubElement(suite, "testcase", {"name": name, **about})
        _outcome(case, findings)


def _outcome(case: ElementTree.Element, findings: list[Finding]) -> None:
    text = "\n".join(_line(finding) for finding in findings)
    if not _fails(findings):
        ElementTree.SubElement(case, "system-out").text = text
        return
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    kind = max(finding.severity for finding in findings).word
    message = _plain(findings[0].message) + more
    name = "error" if findings[0].rule == faults.RULE else "failure"
    ElementTree.SubElement(case, name, {"type": kind, "message": message}).text = text


def _line(finding: Finding) -> str:
    column = f":{finding.column}" if finding.column else ""
    fix = f" (fix: {_plain(finding.fix)})" if finding.fix else ""
    return f"{_plain(finding.path)}:{finding.line}{column}: {finding.severity.word}: {_plain(finding.message)}{fix}"


def _fails(findings: list[Finding]) -> bool:
    return any(finding.severity > Severity.NOTICE for finding in findings)


def _plain(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", for_terminal(text))
