"""Lint findings for a terminal: place, severity, rule, what is wrong, how to fix it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.counts import many, said_suppressed, severities
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.style import paint

_MOST_NOTICES = 30  # beside errors or warnings
_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTICE: "36"}


def render(evaluation: Evaluation, color: bool, hook: bool) -> str:
    """The whole text; empty for a hook that found nothing."""
    findings = evaluation.checked.findings
    if hook and not findings:
        return ""
    shown, folded = _folded(findings)
    blocks = ["\n".join(finding_lines(finding, color)) for finding in shown]
    if shown:
        blocks.append("")
    if folded:
        blocks += [_counted(folded), ""]
    blocks.append(_summary(evaluation))
    if hidden := said_suppressed(evaluation.checked.suppressed):
        blocks.append(f"{hidden}.")
    if findings and not hook:
        ours = [
            finding for finding in findings if "/" not in finding.rule
        ]  # merged findings of other tools have no page here
        if ours:
            worst = max(ours, key=lambda finding: finding.severity)
            blocks.append(f"More about a rule: plugin-eval explain {worst.rule}")
    return "\n".join(blocks) + "\n"


def _folded(findings: Sequence[Finding]) -> tuple[Sequence[Finding], Sequence[Finding]]:
    """What is shown one by one, and notices that are only counted, since so many of them would hide what matters."""
    notices = [finding for finding in findings if finding.severity is Severity.NOTICE]
    if len(notices) <= _MOST_NOTICES or len(notices) == len(findings):
        return findings, ()
    return [finding for finding in findings if finding.severity is not Severity.NOTICE], notices


def _counted(notices: Sequence[Finding]) -> str:
    rules = Counter(finding.rule for finding in notices).most_common()
    said = ", ".join(f"{for_terminal(rule)} {count:,}" for rule, count in rules)
    return f"{many(len(notices), 'notice')}, not shown one by one: {said}.\n    --select RULE shows those of a rule."


def finding_lines(finding: Finding, color: bool) -> list[str]:
    """One finding: its place, what is wrong, how to fix it."""
    column = f":{finding.column}" if finding.column else ""
    place = paint(f"{for_terminal(finding.path)}:{finding.line}{column}", "1", color)
    severity = paint(finding.severity.word, _COLORS[finding.severity], color)
    lines = [
        f"{place}: {severity} {paint(for_terminal(finding.rule), '1', color)}",
        f"    {for_terminal(finding.message)}",
    ]
    if finding.fix:
        lines.append(f"    {paint('fix:', '2', color)} {for_terminal(finding.fix)}")
    return lines


def _summary(evaluation: Evaluation) -> str:
    collection, findings = evaluation.collection, evaluation.checked.findings
    looked = _looked_at(len(collection.skills), len(collection.agents))
    if not findings:
        if not (collection.documents or collection.manifests):
            return "Nothing was looked at."
        gone = len(evaluation.found.missing)
        return f"{looked}: nothing to report" + (f"; {many(gone, 'path')} not found." if gone else ".")
    return f"{looked}: {severities(findings)}."


def _looked_at(skills: int, agents: int) -> str:
    words = [many(skills, "skill")] if skills or not agents else []
    if agents:
        words.append(many(agents, "agent"))
    return " and ".join(words)
