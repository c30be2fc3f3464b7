"""Lint findings in Markdown: what the summary of a job shows."""

from __future__ import annotations

from plugin_eval_ci.diff import Difference
from plugin_eval_ci.lint.causes import Cause, causes_of, texts_of
from plugin_eval_ci.lint.evaluate import Evaluation
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
    findings = evaluation.checked.findings
    hidden = said_suppressed(evaluation.checked.suppressed)
    blocks = [
        Block(f"## plugin-eval: {severities(findings) or 'no findings'}"),
        Block("  \n".join(line for line in (heading, hidden) if line)),
    ]
    if difference is not None:
        blocks += table(difference, None, limit)
    if found := causes_of((*fault_findings(), *findings), texts_of(evaluation.collection)):
        head = "| | Rule | Where | What | Fix |\n| --- | --- | --- | --- | --- |"
        rows, left = write_rows(found, limit, _row)
        blocks.append(Block(head, rows, more=_more, hidden=left))
    return fit_blocks([block for block in blocks if block.head], limit)


def _more(count: int) -> str:
    return f"\n{many(count, 'more row')} left out here; the files of the run hold them all."


def _row(cause: Cause) -> str:
    finding = cause.first
    page = url(finding.rule)
    rule = markdown_code(finding.rule)
    cells = (
        finding.severity.word,
        f"[{rule}]({page})" if page else rule,
        markdown_code(finding.path if finding.path == "." else f"{finding.path}:{finding.line}")
        + (f"<br>{cause.amount}" if cause.amount else ""),
        for_markdown(cut_utf16(cause.message, _LONGEST)),
        for_markdown(cut_utf16(cause.fix, _LONGEST)),
    )
    return f"| {' | '.join(cells)} |"
