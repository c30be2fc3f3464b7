"""Lint findings for a terminal: place, severity, rule, what is wrong, how to fix it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from plugin_eval_ci.lint.causes import Cause, causes_of, texts_of
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.words import many, paint, said_suppressed, severities

_FEW = 10  # findings of one severity; the rules of more are counted at the end
_LINES = 88  # for causes: with the counts and the summary, two screens of 50 lines
_WIDTH = 100  # columns of such a screen
_EXAMPLES = 2  # places shown of a cause
# How many causes of one rule are shown by severity: the first that fits. Notices go first, errors last.
_MOST = tuple(
    dict(zip((Severity.ERROR, Severity.WARNING, Severity.NOTICE), numbers, strict=True))
    for numbers in (
        (10, 10, 10),
        (10, 10, 5),
        (10, 10, 3),
        (10, 5, 2),
        (10, 5, 1),
        (5, 5, 1),
        (5, 3, 1),
        (3, 2, 1),
        (3, 2, 0),
        (2, 1, 0),
        (1, 1, 0),
    )
)
_STYLE = re.compile(r"\x1b\[\d*m")
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
    causes = causes_of(findings, texts_of(evaluation.collection))
    blocks = _blocks(findings, causes, how, root)
    if how.quiet:
        return "\n".join(blocks) + "\n"
    if blocks:
        blocks.append("")
    if counts := [line for severity in (Severity.WARNING, Severity.NOTICE) if (line := _counts(findings, severity))]:
        blocks += [*counts, ""]
    blocks.append(_summary(evaluation))
    if hidden := said_suppressed(evaluation.checked.suppressed):
        blocks.append(f"{hidden}.")
    # Merged findings of other tools have no page here.
    if not how.hook and (ours := [cause.first.rule for cause in causes if "/" not in cause.first.rule]):
        grouped = not how.every and any(cause.is_group or cause.copies for cause in causes)
        more = ". Similar findings are one entry; --all lists each." if grouped else ""
        blocks.append(f"More about a rule: plugin-eval explain {ours[0]}{more}")
    return "\n".join(blocks) + "\n"


def _blocks(findings: Sequence[Finding], causes: Sequence[Cause], how: How, root: str) -> list[str]:
    """What is shown of each cause: everything, or as much of each rule as leaves the whole on two screens."""
    if how.every:
        ordered = sorted(findings, key=lambda finding: -finding.severity)
        return ["\n".join(finding_lines(finding, how.color, root)) for finding in ordered]
    rows = [(cause, "\n".join(_cause_lines(cause, how, root))) for cause in _by_rule(causes)]
    blocks: list[str] = []
    for most in _MOST:
        blocks = _first_blocks(rows, most)
        if sum(_height(block) for block in blocks) <= _LINES:
            break
    return blocks


def _by_rule(causes: Sequence[Cause]) -> list[Cause]:
    """The causes, with those of one rule next to each other: the rule with the most findings of one form first."""
    rules: dict[tuple[Severity, str], list[Cause]] = {}
    for cause in causes:
        rules.setdefault((cause.first.severity, cause.first.rule), []).append(cause)
    return [cause for some in rules.values() for cause in some]


def _first_blocks(causes: Sequence[tuple[Cause, str]], most: dict[Severity, int]) -> list[str]:
    """The first so many causes of each rule, and how many findings of the rule were left out."""
    blocks: list[str] = []
    for (severity, rule), some in groupby(causes, key=lambda pair: (pair[0].first.severity, pair[0].first.rule)):
        rows = list(some)
        blocks += [block for _, block in rows[: most[severity]]]
        left = sum(len(cause.everything) for cause, _ in rows[most[severity] :])
        if left and most[severity]:
            blocks.append(f"    … {many(left, f'more {for_terminal(rule)} finding')}; --all shows them.")
    left = sum(len(cause.everything) for cause, _ in causes if not most[cause.first.severity])
    return [*blocks, f"… {many(left, 'more notice')}; --all shows them."] if left else blocks


def _height(block: str) -> int:
    """The lines that a block takes on a terminal of the usual width."""
    return sum(1 + max(0, _columns(_STYLE.sub("", line)) - 1) // _WIDTH for line in block.split("\n"))


def _cause_lines(cause: Cause, how: How, root: str) -> list[str]:
    """A cause with its amount, its form, its fix and its first places; a single finding as ``finding_lines`` has it."""
    first = cause.first
    if not cause.is_group:
        lines = finding_lines(first, how.color, root)
        copies = f"    {cause.amount}: {', '.join(for_terminal(copy.path) for copy in cause.copies[:_EXAMPLES])}"
        return [*lines, copies + _more(len(cause.copies) - _EXAMPLES)] if cause.copies else lines
    severity = paint(first.severity.word, _COLORS[first.severity], how.color)
    lines = [
        f"{severity} {paint(for_terminal(first.rule), '1', how.color)}: {cause.amount}",
        f"    {for_terminal(cause.message)}",
    ]
    if cause.fix:
        lines.append(f"    {paint('fix:', '2', how.color)} {for_terminal(cause.fix)}")
    places = [f"{for_terminal(finding.path)}:{finding.line}" for finding in cause.places[:_EXAMPLES]]
    if cause.example:
        places = [f"{places[0]} ({for_terminal(cause.example)})"]
    lines.append(f"    {paint('in:', '2', how.color)} {', '.join(places)}{_more(cause.files - len(places))}")
    return lines


def _more(count: int) -> str:
    return f" and {count:,} more" if count > 0 else ""


def _counts(findings: Sequence[Finding], severity: Severity) -> str:
    """How many findings of a severity each rule has; empty for a few, which one can count."""
    rules = [for_terminal(finding.rule) for finding in findings if finding.severity is severity]
    if len(rules) <= _FEW:
        return ""
    counted = ", ".join(f"{rule} {count:,}" for rule, count in Counter(rules).most_common())
    return f"{severity.word.capitalize()}s by rule: {counted}"


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
    targets = _targets(len(collection.skills), len(collection.agents))
    if not findings:
        if not (collection.documents or collection.manifests):
            return "Nothing to lint."
        gone = len(evaluation.found.missing)
        return f"{targets}: nothing to report" + (f"; {many(gone, 'path')} not found." if gone else ".")
    return f"{targets}: {severities(findings)}."


def _targets(skills: int, agents: int) -> str:
    words = [many(skills, "skill")] if skills or not agents else []
    if agents:
        words.append(many(agents, "agent"))
    return " and ".join(words)
