"""What the formats of a score share: groups of findings, paths, sentences, and line wrapping."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator

from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.score.advice import Change, is_measured_plugin, static_of
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.scoring.static.layer import portability

WIDTH = 100  # without a terminal
_LEAST_WIDTH = 40
_NAMED = 3  # members of a change that are named
_STYLE = re.compile("\x1b\\[[0-9;]*m")


def width_of_output() -> int:
    """The columns of the terminal that is written to."""
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    except (OSError, ValueError, AttributeError):
        columns = 0
    return max(columns, _LEAST_WIDTH) if columns else WIDTH


def wrap(lead: str, text: str, width: int, indent: int | None = None) -> str:
    """``lead`` and ``text``, broken at blanks; further lines are indented as far as ``lead`` reaches.

    With an ``indent`` they stand there, and so does the first word when it does not fit behind ``lead``.
    """
    hang = columns(lead) if indent is None else indent
    lines, line, used = [], lead, columns(lead)
    fresh = True
    for word in text.split(" "):
        size = columns(word)
        if used + (not fresh) + size > width and (not fresh or used > hang):
            lines.append(line)
            line, used, fresh = " " * hang, hang, True
        line, used = (line + word, used + size) if fresh else (f"{line} {word}", used + 1 + size)
        fresh = False
    return "\n".join([*lines, line])


def columns(text: str) -> int:
    """How wide a terminal shows ``text``: styles take no room, a CJK character takes two columns."""
    plain = _STYLE.sub("", text)
    if plain.isascii():
        return len(plain)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in plain)


def short(path: str, report: ScoreReport) -> str:
    """A path as seen from the plugin, or from the folder of the skill or agent."""
    base = report.path if report.kind == "plugin" else report.path.rpartition("/")[0]
    return path[len(base) + 1 :] if base and path.startswith(base + "/") else path


def place(finding: Finding, report: ScoreReport) -> str:
    """Where a finding is: path, line and column."""
    column = f":{finding.column}" if finding.column else ""
    return f"{short(finding.path, report)}:{finding.line}{column}"


def spot(change: Change, report: ScoreReport) -> str:
    """Where a change is to be made: path, and line if it has one."""
    return short(change.path, report) + (f":{change.line}" if change.line else "")


def also(change: Change) -> str:
    """For a change that several members need: the gain of the first one, and the names of the others."""
    if not change.others:
        return ""
    more = len(change.others) - _NAMED
    names = ", ".join(change.others[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"(largest gain: +{change.most:.1f}); also {names}"


def errors(report: ScoreReport) -> list[Finding]:
    """The errors that are not anti-patterns."""
    return [finding for finding in _unweighed(report) if finding.severity is Severity.ERROR]


def others(report: ScoreReport) -> list[Finding]:
    """Warnings and notices without a weight, the most severe first."""
    found = [finding for finding in _unweighed(report) if finding.severity is not Severity.ERROR]
    return sorted(found, key=lambda finding: -finding.severity)


def _unweighed(report: ScoreReport) -> Iterator[Finding]:
    return (finding for finding in report.findings if not finding.anti_pattern and finding.weight is None)


def marks(member: ScoreReport) -> str:
    """What is wrong with a member, in a few words: its errors, then its anti-patterns."""
    counted = [*(f"error {finding.rule}" for finding in errors(member)), *(f.rule for f in member.anti_patterns)]
    return ", ".join(f"{rule} x {count}" if count > 1 else rule for rule, count in Counter(counted).items())


def agent_note(member: ScoreReport) -> str:
    """For an agent with portability findings: why they are not in its score."""
    count = len(list(portability(member.findings))) if member.kind == "agent" else 0
    if not count:
        return ""
    return f"{count} portability finding{'s do' if count > 1 else ' does'} not change an agent's score"


def portability_note(report: ScoreReport) -> str:
    """The weight of portability findings; empty without any."""
    if not any(portability(report.findings)):
        return ""
    if report.kind == "agent":
        return "Portability findings do not change an agent's score."
    weight = "6 % of a skill's static layer score"
    if report.kind == "plugin":
        return f"They count for {weight}, and so affect the plugin's. They do not change an agent's score."
    return f"They count for {weight}, and so affect a plugin's composite, but not the skill's own."


def mean_note(report: ScoreReport, composite: str) -> str:
    """How a plugin's composite is computed."""
    static = static_of(report)
    if report.kind != "plugin" or static is None:
        return ""
    if is_measured_plugin(report):
        return f"Composite {composite} = mean of the composites of its skills; agents are not tested."
    count, penalty = len(report.anti_patterns), report.composite.anti_pattern_penalty
    said = f"Composite {composite} = mean of the static layer scores above ({static.score:.4f}) x 100"
    if not count:
        return said + "."
    return f"{said} x {penalty:.2f} for {many(count, 'anti-pattern')}. Each flag counts twice: here and in its member's layer score."
