"""The tools of Claude Code by name, as of 30 November 2026, and how a text shows that it means one.

Names that are everyday words of programming (a Rust ``Task``, an ``Agent`` class) count only with the word *tool*
behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from plugin_eval_ci.model import Body, CodeSpan

CLEAR = [
    "Read",
    "Edit",
    "Write",
    "MultiEdit",
    "Bash",
    "BashOutput",
    "Grep",
    "Glob",
    "LS",
    "LSP",
    "TodoWrite",
    "TodoRead",
    "WebFetch",
    "WebSearch",
    "NotebookEdit",
    "NotebookRead",
    "AskUserQuestion",
    "ExitPlanMode",
    "EnterPlanMode",
    "SlashCommand",
    "KillShell",
    "KillBash",
    "ToolSearch",
    "ScheduleWakeup",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "TaskGet",
    "TaskOutput",
    "TaskStop",
    "TeamCreate",
    "TeamDelete",
    "SendMessage",
]
ONLY_AS_TOOL = ["Agent", "Task", "Skill", "Monitor", "Workflow"]
NAMES = frozenset(CLEAR) | frozenset(ONLY_AS_TOOL)

# What may follow a tool's name that is meant: nothing, the word tool, or a word that begins the next phrase.
_FOLLOWS = (
    "after again and as at before by during each first for from if in instead is it on once only or over rather then to"
    " too twice unless until when where which while with without"
)


@cache
def _before() -> re.Pattern[str]:
    verbs = "us(?:e|es|ing)|call(?:s|ing)?|invok(?:e|es|ing)|run(?:s|ning)?|via|with|through"
    return re.compile(rf"\b(?:{verbs})(?: +the)? +$|\bthe +$", re.IGNORECASE)


@cache
def _after() -> re.Pattern[str]:
    return re.compile(rf" *(?:$|[^\w\s(`]|(?:{_FOLLOWS.replace(' ', '|')})\b)|\s*\n")


@cache
def _tool_behind() -> re.Pattern[str]:
    return re.compile(r"[ -]+tools?\b(?![ -]*(?:window|bar|chain|kit|tip|box|strip|belt))")


@cache
def _between() -> re.Pattern[str]:
    return re.compile(r" *(?:[,/+&]|,? *(?:and|or|then)) *")


@cache
def _prose() -> re.Pattern[str]:
    clear, names = "|".join(sorted(CLEAR)), "|".join(sorted(NAMES))
    marked = rf"[*_]{{0,3}}(?:{names})[*_]{{0,3}}"
    listed = rf"{marked}(?:(?: *[/+&] *|,? (?:and|or) (?:the )?|, ){marked})+"
    before = r"\b(?:[Tt]he|(?:[Uu]s(?:e|es|ing)|[Ww]ith|[Vv]ia)(?: the| your| its)?) +"
    tool = _tool_behind().pattern
    return re.compile(
        rf"{before}(?:{listed}(?={tool})|{marked}(?={tool.replace('tools?', 'tool')})|[*_]{{0,3}}(?:{clear})[*_]{{0,3}}(?={tool}))"
    )


def in_backticks(body: Body) -> Iterator[CodeSpan]:
    """Inline code that names a tool where the text tells the agent to use it."""
    last: CodeSpan | None = None
    for span in body.code_spans:
        if span.text not in NAMES:
            continue
        behind = _tool_behind().match(span.after) is not None
        told = _before().search(span.before) is not None or _continues(last, span)
        if behind or (told and span.text not in ONLY_AS_TOOL and _after().match(span.after)):
            last = span
            yield span


def in_prose(body: Body) -> Iterator[int]:
    """Lines that speak of "the NAME tool", the name in backticks or not, of "use NAME tool" or of "with NAME and NAME tools"."""
    for line in body.prose:
        if "tool" in line.text and _prose().search(line.text):
            yield line.line
    for span in body.code_spans:
        if span.text in NAMES and span.before.lower().endswith("the ") and _tool_behind().match(span.after):
            yield span.line


def unmistakable(body: Body) -> Iterator[tuple[int, str]]:
    """Names of tools that are not English words, wherever the text has them: lines and names."""
    for line in body.prose:
        for name in _unmistakable().findall(line.text):
            yield line.line, name
    for span in body.code_spans:
        if _unmistakable().fullmatch(span.text):
            yield span.line, span.text


@cache
def _unmistakable() -> re.Pattern[str]:
    names = (name for name in CLEAR if not name.istitle() and not name.isupper())
    return re.compile(rf"(?<![\w.`/-])(?:{'|'.join(sorted(names))})(?![\w`/(-]|\.\w)")


def _continues(last: CodeSpan | None, span: CodeSpan) -> bool:
    """Whether a span goes on with a list of tools: "use `Grep`, `Glob` or `Read`"."""
    return last is not None and last.line == span.line and _between().fullmatch(span.before) is not None
