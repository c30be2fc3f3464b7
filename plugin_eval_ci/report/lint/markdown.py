"""Lint findings in Markdown: what the summary of a job shows."""

from __future__ import annotations

from plugin_eval_ci.diff import Difference
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.diff.comment import table
from plugin_eval_ci.report.escape import for_markdown, markdown_code
from plugin_eval_ci.report.lint.positions import fault_findings
from plugin_eval_ci.report.rules import cut_utf16, url
from plugin_eval_ci.report.size_limit import Block, fit_blocks, write_rows
from plugin_eval_ci.report.words import many, said_suppressed, severities

_LONGEST = 600  # characters of one message


def render(evaluation: Evaluation, limit: int, heading: str = "", difference: Difference | None = None) -> str:
    """The whole text, at most ``limit`` UTF-8 bytes; what matters most comes first, and how many rows were left out is said.

    With a ``difference``: its table of what the change does to scores and context.
    """
    findings = sorted(evaluation.checked.findings, key=_rank)
    hidden = said_suppressed(evaluation.checked.suppressed)
    blocks = [
        Block(f"## plugin-eval: {severities(findings) or 'no findings'}"),
        Block("  \n".join(line for line in (heading, hidden) if line)),
    ]
    if difference is not None:
        blocks += table(difference, None, limit)
    if found := [*fault_findings(), *findings]:
        head = "| | Rule | Where | What | Fix |\n| --- | --- | --- | --- | --- |"
        rows, left = write_rows(found, limit, _row)
        blocks.append(Block(head, rows, more=_more, hidden=left))
    return fit_blocks([block for block in blocks if block.head], limit)


def _rank(finding: Finding) -> tuple[bool, int, str, int, str]:
    return (finding.state == "old", -finding.severity, finding.path, finding.line, finding.rule)


def _more(count: int) -> str:
    return f"\n{many(count, 'more finding')} left out here; the files of the run hold them all."


def _row(finding: Finding) -> str:
    page = url(finding.rule)
    rule = markdown_code(finding.rule)
    cells = (
        finding.severity.word,
        f"[{rule}]({page})" if page else rule,
        markdown_code(finding.path if finding.path == "." else f"{finding.path}:{finding.line}"),
        for_markdown(cut_utf16(finding.message, _LONGEST)),
        for_markdown(cut_utf16(finding.fix, _LONGEST)),
    )
    return f"| {' | '.join(cells)} |"
