"""Lint findings for a terminal: place, severity, rule, what is wrong, how to fix it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.words import many, paint, said_suppressed, severities

_MOST_OF_A_RULE = 10  # more of them fold
_WIDEST = 120  # characters of a source line
_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTICE: "36"}


class How(NamedTuple):
    """How findings are shown."""

    color: bool = False
    hook: bool = False
    every: bool = False  # fold nothing
    quiet: bool = False  # findings only
    source: bool = False  # show the line of the file, with a caret


def render(evaluation: Evaluation, how: How) -> str:
    """The whole text; empty for a hook that found nothing."""
    findings = evaluation.checked.findings
    if not findings and (how.hook or how.quiet):
        return ""
    root = evaluation.found.root if how.source else ""
    blocks: list[str] = []
    for group in _groups(findings):
        shown = group if how.every else group[:_MOST_OF_A_RULE]
        blocks += ["\n".join(finding_lines(finding, how.color, root)) for finding in shown]
        if len(shown) < len(group):
            blocks.append(f"    … {many(len(group) - len(shown), f'more {group[0].rule} finding')}; --all shows them.")
    if how.quiet:
        return "\n".join(blocks) + "\n"
    if blocks:
        blocks.append("")
    if counted := _counted_by_rule(findings):
        blocks += [counted, ""]
    blocks.append(_summary(evaluation))
    if hidden := said_suppressed(evaluation.checked.suppressed):
        blocks.append(f"{hidden}.")
    # Merged findings of other tools have no page here.
    if not how.hook and (ours := [finding for finding in findings if "/" not in finding.rule]):
        worst = max(ours, key=lambda finding: finding.severity)
        blocks.append(f"More about a rule: plugin-eval explain {worst.rule}")
    return "\n".join(blocks) + "\n"


def _groups(findings: Sequence[Finding]) -> list[list[Finding]]:
    """What may fold together, the worst first. A later grouping by cause changes only this function."""
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    singles: list[tuple[Severity, list[Finding]]] = []
    often = Counter((finding.severity, finding.rule) for finding in findings)
    for finding in findings:
        key = finding.severity, finding.rule
        if often[key] <= _MOST_OF_A_RULE:
            singles.append((finding.severity, [finding]))
        elif key in groups:
            groups[key].append(finding)
        else:
            groups[key] = [finding]
            singles.append((finding.severity, groups[key]))
    return [group for _, group in sorted(singles, key=lambda pair: -pair[0])]


def _counted_by_rule(findings: Sequence[Finding]) -> str:
    """How many warnings each rule has; empty for a few, which one can count."""
    warnings = [for_terminal(finding.rule) for finding in findings if finding.severity is Severity.WARNING]
    if len(warnings) <= _MOST_OF_A_RULE:
        return ""
    return "Warnings by rule: " + ", ".join(f"{rule} {count:,}" for rule, count in Counter(warnings).most_common())


def finding_lines(finding: Finding, color: bool, root: str = "") -> list[str]:
    """One finding: its place, what is wrong, how to fix it; with a ``root``, also the line of the file."""
    column = f":{finding.column}" if finding.column else ""
    place = paint(f"{for_terminal(finding.path)}:{finding.line}{column}", "1", color)
    severity = paint(finding.severity.word, _COLORS[finding.severity], color)
    lines = [
        f"{place}: {severity} {paint(for_terminal(finding.rule), '1', color)}",
        f"    {for_terminal(finding.message)}",
    ]
    lines += _source_lines(finding, color, root) if root else []
    if finding.fix:
        lines.append(f"    {paint('fix:', '2', color)} {for_terminal(finding.fix)}")
    return lines


def _source_lines(finding: Finding, color: bool, root: str) -> list[str]:
    """The line that the finding is about and a caret below its column; no caret without a column, nothing without such a line."""
    try:
        with open(os.path.join(root, finding.path), encoding="utf-8-sig", errors="replace") as stream:
            line = next(islice(stream, finding.line - 1, None), "").rstrip("\n")
    except OSError:
        return []
    start = (finding.column or 1) - 1
    if start > len(line) or not line.strip():
        return []
    first = max(0, start - _WIDEST // 2)
    # Escapes make text longer, so the caret stands below what is printed in front of it.
    before = for_terminal(line[first:start].replace("\t", " "))
    after = for_terminal(line[start : first + _WIDEST].replace("\t", " "))
    gutter = f"    {finding.line} | "
    caret = paint("^", _COLORS[finding.severity], color)
    shown = [f"{gutter}{before}{after}"]
    return shown if not finding.column else [*shown, f"{' ' * (len(gutter) - 2)}| {' ' * _columns(before)}{caret}"]


def _columns(text: str) -> int:
    """How many columns of a terminal ``text`` takes."""
    return sum(2 if east_asian_width(letter) in "WF" else not combining(letter) for letter in text)


def _summary(evaluation: Evaluation) -> str:
    collection, findings = evaluation.collection, evaluation.checked.findings
    looked = _looked_at(len(collection.skills), len(collection.agents))
    if not findings:
        if not (collection.documents or collection.manifests):
            return "Nothing to lint."
        gone = len(evaluation.found.missing)
        return f"{looked}: nothing to report" + (f"; {many(gone, 'path')} not found." if gone else ".")
    return f"{looked}: {severities(findings)}."


def _looked_at(skills: int, agents: int) -> str:
    words = [many(skills, "skill")] if skills or not agents else []
    if agents:
        words.append(many(agents, "agent"))
    return " and ".join(words)
