"""Lint findings as workflow commands, which GitHub's runner turns into annotations.

The runner keeps ten annotations per level and step, first come, first kept: the ones that matter most come first and the
rest is a number. A path that begins with ``=`` loses that sign to the runner's parser; nothing can be done about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.lint.positions import fault_findings
from plugin_eval_ci.report.rules import cut_utf16, summary, url
from plugin_eval_ci.report.words import severities
from plugin_eval_ci.report.workflow_commands import MESSAGE_LIMIT, TITLE_LIMIT, break_command, command

PER_LEVEL = 10
# What a path may hold and still be found is left alone; what moves a cursor or is no text is shown.
_UNSAFE = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

Key = Callable[[Finding], int]


def render(evaluation: Evaluation, key: Key | None = None, faults: bool = True) -> str:
    """One command a line: faults of ours unless they are said elsewhere, then findings, those with a lower ``key`` first. Empty when
    there is nothing to report."""
    shown, left = _ranked(evaluation.checked.findings, key)
    lines = [_command(finding) for finding in shown]
    if left:
        lines.append(_rest(left))
    return (of_faults() if faults else "") + "".join(f"{line}\n" for line in lines)


def of_faults() -> str:
    """The faults of ours alone, as many as GitHub shows; the log names them all."""
    return "".join(f"{_command(finding)}\n" for finding in fault_findings()[:PER_LEVEL])


def _ranked(findings: tuple[Finding, ...], key: Key | None) -> tuple[list[Finding], list[Finding]]:
    def rank(finding: Finding) -> tuple[int, int, str, int]:
        return (key(finding) if key else 0, -finding.severity, finding.path, finding.line)

    shown: list[Finding] = []
    left: list[Finding] = []
    used = dict.fromkeys(Severity, 0)
    for finding in sorted(findings, key=rank):
        used[finding.severity] += 1
        (shown if used[finding.severity] <= PER_LEVEL else left).append(finding)
    return shown, left


def _rest(left: list[Finding]) -> str:
    return f"plugin-eval: {len(left):,} more than GitHub shows as annotations: {severities(left)}."


def _command(finding: Finding) -> str:
    return command(finding.severity.word, _properties(finding), _message(finding))


def _properties(finding: Finding) -> list[tuple[str, str]]:
    title = for_terminal(finding.rule) if url(finding.rule) is None else f"{finding.rule}: {summary(finding.rule)}"
    # Last, because the runner trims the whole list; a finding about the whole repository has no file to stand on.
    last = ("title", cut_utf16(break_command(title), TITLE_LIMIT).rstrip())
    return [last] if finding.path == "." else [("file", _path(finding.path)), *_place(finding), last]


def _place(finding: Finding) -> list[tuple[str, str]]:
    """The runner drops columns of several lines, and everything when the end stands before the start."""
    place = [("line", str(finding.line))]
    if finding.end_line is not None and finding.end_line >= finding.line:
        place.append(("endLine", str(finding.end_line)))
    if finding.column is not None and finding.end_line in (None, finding.line):
        place.append(("col", str(finding.column)))
    return place


def _message(finding: Finding) -> str:
    parts = [for_terminal(finding.message)]
    if finding.fix:
        parts.append(f"fix: {for_terminal(finding.fix)}")
    tail = f"\n{url(finding.rule)}" if url(finding.rule) else ""
    return cut_utf16(break_command("\n".join(parts)), MESSAGE_LIMIT - len(tail)) + tail


def _path(path: str) -> str:
    return break_command(_UNSAFE.sub(lambda match: for_terminal(match[0]), path))
