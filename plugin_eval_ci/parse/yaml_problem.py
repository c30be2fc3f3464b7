"""What a YAML loader's error means to the author of a frontmatter: the line to mend, and how."""

from __future__ import annotations

import re

import yaml

from plugin_eval_ci.model import Problem

_KEY_VALUE = re.compile(r"[ \t]*([\w-]{1,64})[ \t]*:[ \t]+(\S.*)")
_CUT = re.compile(r"[ \t]*[\w-]{1,64}[ \t]*:[ \t]+[^\"'|>#\s].*?[ \t](#.*)")
_NO_KEY = "this line is neither key: value nor an indented continuation of one"
# Both loaders' words for the same defect -> ours.
_WORDS = (
    ("mapping values are not allowed", "a colon and a blank inside a value without quotes"),
    ("could not find expected ':'", _NO_KEY),
    ("found unexpected end of stream", "a quote is opened here and never closed"),
    ("found unexpected document separator", "a quote is opened here and never closed"),
    ("sequence entries are not allowed", "a list cannot begin on the line of its key"),
    ("mapping keys are not allowed", "'? ' begins a complex key, which is not allowed here"),
    ("found undefined alias", "a value that begins with * is a YAML alias, and no anchor of that name exists"),
    ("second occurrence", "an anchor (&) of this name exists already"),
    ("unknown escape character", "\\ with a letter that is no escape, in double quotes"),
    ("but found another document", "a second YAML document begins here"),
    ("<document start>", "a second YAML document begins here"),
    ("maximum nesting depth", "nested too deep"),
)
_CONTEXTS = (
    ("scanning an alias", "a value that begins with * is a YAML alias, not text"),
    ("scanning an anchor", "a value that begins with & is a YAML anchor, not text"),
    ("scanning a tag", "a value that begins with ! is a YAML tag, not text"),
    ("parsing a tag", "a value that begins with ! is a YAML tag, not text"),
    ("scanning a block scalar", "text stands after the | or > that begins a block of lines"),
    ("parsing a flow sequence", "a [ is never closed, or a comma is missing"),
    ("parsing a flow mapping", "a { is never closed, or a comma is missing"),
    ("parsing a block", "text after the end of a value, or a line that is indented differently"),
)


def explained(error: yaml.MarkedYAMLError, lines: list[str]) -> Problem:
    """The problem of a frontmatter whose lines are ``lines``; the line is the one to mend, which is not always where YAML stopped."""
    problem, context = error.problem or "", error.context or ""
    mark = error.problem_mark or error.context_mark
    row = _row(problem, context, mark.line if mark else 0, error.context_mark, lines)
    line = lines[row] if lines else ""
    column = (
        mark.column + 1 if mark and mark.line == row and mark.column < len(line) and "escape" not in problem else None
    )
    if "cannot start any token" in problem:
        at = line[column - 1] if column else ""
        why = (
            "a tab where only spaces are allowed"
            if at == "\t"
            else f"a value cannot begin with {at}"
            if at
            else "a character that cannot begin a value"
        )
    else:
        why = next((ours for theirs, ours in _WORDS if theirs in problem), "")
        why = (
            why
            or next((ours for theirs, ours in _CONTEXTS if theirs in context), "")
            or problem.split("\n")[0][:120]
            or "it cannot be read"
        )
    if "mapping values" in problem and ":" not in line:
        why = _NO_KEY
    if _cut_by_comment(problem, context, row, lines):
        why = "the text after # is a comment, and the value cannot go on below it"
    return Problem("FM_INVALID_YAML", row + 2, f"invalid YAML: {why}", _advice(line, why), column)


def _row(problem: str, context: str, row: int, start: yaml.Mark | None, lines: list[str]) -> int:
    last = max(0, len(lines) - 1)
    if start is not None and (
        "could not find expected ':'" in problem
        or "unexpected end of stream" in problem
        or "document separator" in problem
    ):
        return min(start.line, last)
    if start is not None and "parsing a flow" in context and (row > last or not lines[row][:1].isspace()):
        return min(start.line, last)
    row = min(row, last)
    if "mapping values" in problem and not any(":" in line for line in lines[:row]):
        return next((n for n in range(row) if lines[n].strip() and not lines[n].lstrip().startswith("#")), row)
    while row and not lines[row].strip():
        row -= 1
    return row - 1 if _cut_by_comment(problem, context, row - 1, lines) else row


def _cut_by_comment(problem: str, context: str, row: int, lines: list[str]) -> bool:
    """Whether the value on ``row`` ends at a comment while its text goes on, indented, on the next line."""
    if not 0 <= row < len(lines) - 1 or "parsing a block" not in context or problem.startswith("mapping"):
        return False
    return (
        lines[row + 1][:1].isspace()
        and not lines[row + 1].lstrip().startswith(("-", "#"))
        and _CUT.match(lines[row]) is not None
    )


def _advice(line: str, why: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in indent:
        return "Indent with spaces; YAML does not allow tabs."
    if why == _NO_KEY:
        return "Put a colon and a blank after the key, or indent the line to continue the value above it."
    match = _KEY_VALUE.match(line)
    if match:
        key, value = match.groups()
        if value[0] in "*&!%@`|>[{-?,]}\"'" or ": " in value or value.endswith(":") or " #" in value:
            return f"Put the whole value of {key} in single quotes, and double every single quote inside it."
    return "Put values that hold ': ', '#', quotes or brackets in quotes."
