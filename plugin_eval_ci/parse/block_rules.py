"""Block rules of markdown-it for tokens that are read later: each says at once that a line is none of its own.

Lists, headings and lines across the page are read here, as markdown-it reads them, but without the tokens that nobody looks at; the other
rules stand before one of markdown-it's own, which is asked only about lines that it may match.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from markdown_it.rules_block import StateBlock

from plugin_eval_ci.parse.block_state import State, trim

Rule = Callable[[StateBlock, int, int, bool], bool]

_DELIMITER = frozenset("|-:")  # begins the second row of a table
_ACROSS = frozenset("*-_ \t")  # ends a line across the page
_MARKER = re.compile(r"(?:[*+-]|([0-9]{1,9})[.)])(?=[ \t\n]|\Z)")
_HASHES = re.compile(r"#{1,6}(?=[ \t\n]|\Z)")
_DEEP = 4  # columns: what is indented so far is code


def table(rule: Rule) -> Rule:
    """Asks only where the next line may be a table's second row, and this one has cells."""

    def asks(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        source, first = state.src, state.bMarks
        position = first[line + 1] + state.tShift[line + 1]
        return (
            source[position : position + 1] in _DELIMITER
            and source.find("|", first[line], state.eMarks[line]) >= 0
            and rule(state, line, end, silent)
        )

    return asks


def code(rule: Rule) -> Rule:
    """Asks only about lines that are indented far enough."""

    def asks(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        return state.sCount[line] - state.blkIndent >= _DEEP and rule(state, line, end, silent)

    return asks


def fence(rule: Rule) -> Rule:
    """Asks only about lines that begin with three marks; most of those with one begin with code in a sentence."""

    def asks(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        position = state.bMarks[line] + state.tShift[line]
        return state.src.startswith(("```", "~~~"), position) and rule(state, line, end, silent)

    return asks


def setext(rule: Rule) -> Rule:
    """Asks only where an underline follows: a heading's text reaches to it without a blank line."""

    def asks(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        assert isinstance(state, State)
        at = bisect_right(state.underlines, line)
        if at == len(state.underlines) or state.underlines[at] >= end:
            return False
        above = state.underlines[at] - 1
        return not (above > line and state.isEmpty(above)) and rule(state, line, end, silent)

    return asks


def paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """markdown-it's rule, with its one token that is read."""
    ends = state.md.block.ruler.getRules("paragraph")[0]
    before, state.parentType = state.parentType, "paragraph"
    first, shifts, lasts, indents, indent = state.bMarks, state.tShift, state.eMarks, state.sCount, state.blkIndent
    line, end = start + 1, state.lineMax
    while line < end and first[line] + shifts[line] < lasts[line]:
        # what is indented further, or was found to go on a quotation, goes on whatever it looks like
        if 0 <= indents[line] < indent + _DEEP and ends(state, line, end, True):
            break
        line += 1
    text = (
        state.getLines(start, line, indent, False)
        if line > start + 1
        else state.src[first[start] + shifts[start] : lasts[start]]
    )
    state.line = line
    token = state.push("inline", "", 0)
    token.level += 1
    token.content = trim(text)
    token.map = [start, line]
    token.children = []
    state.parentType = before
    return True


def heading(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """A heading that begins with ``#``."""
    if state.sCount[line] - state.blkIndent >= _DEEP:
        return False
    hashes = _HASHES.match(state.src, state.bMarks[line] + state.tShift[line])
    if hashes is None or silent:
        return hashes is not None
    text = state.src[hashes.end() : state.eMarks[line]].rstrip(" \t")
    title = text.rstrip("#")  # a closing sequence counts only behind a blank
    state.line = line + 1
    token = state.push("heading_open", f"h{len(hashes[0])}", 1)
    token.markup = hashes[0]
    token.map = [line, state.line]
    token = state.push("inline", "", 0)
    token.content = trim(title if title.endswith((" ", "\t")) else text)
    token.map = [line, state.line]
    token.children = []
    state.level -= 1
    return True


def across(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """A line across the page: three or more of one mark, blanks between them allowed."""
    last = state.eMarks[line]
    if state.src[last - 1] not in _ACROSS or state.sCount[line] - state.blkIndent >= _DEEP:
        return False
    marks = state.src[state.bMarks[line] + state.tShift[line] : last].replace(" ", "").replace("\t", "")
    if len(marks) < 3 or marks[0] not in "*-_" or marks.strip(marks[0]):
        return False
    if not silent:
        state.line = line + 1
    return True


def items(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A list: what is read later are the blocks in its items."""
    indents, indent = state.sCount, state.sCount[start]
    if indent - state.blkIndent >= _DEEP or (0 <= state.listIndent <= indent - _DEEP and indent < state.blkIndent):
        return False  # code, or more text of the item above
    marker = _marker(state, start)
    if marker is None or silent:
        return marker is not None and _ends_text(state, start, marker)
    ends = state.md.block.ruler.getRules("list")[0]
    before, state.parentType = state.parentType, "list"
    line, kind = start, marker[0][-1]
    state.level += 2  # that of the blocks in an item
    while marker is not None and marker[0][-1] == kind:
        line = _item(state, line, end, marker.end())
        if line >= end or not 0 <= indents[line] - state.blkIndent < _DEEP or ends(state, line, end, True):
            break
        marker = _marker(state, line)
    state.level -= 2
    state.line = line
    state.parentType = before
    return True


def _marker(state: StateBlock, line: int) -> re.Match[str] | None:
    return _MARKER.match(state.src, state.bMarks[line] + state.tShift[line])


def _ends_text(state: StateBlock, line: int, marker: re.Match[str]) -> bool:
    """Whether a list may begin here: right below a paragraph only with a 1 and with words, lest a wrapped line become a list."""
    if state.parentType != "paragraph" or state.sCount[line] < state.blkIndent:
        return True
    number = marker[1]
    return (number is None or int(number) == 1) and bool(state.src[marker.end() : state.eMarks[line]].strip(" \t"))


def _item(state: StateBlock, line: int, end: int, position: int) -> int:
    """Read the blocks of an item whose marker ends at ``position``; the line behind it."""
    source, last = state.src, state.eMarks[line]
    shift, indent, outer = state.tShift[line], state.sCount[line], state.listIndent
    behind = column = indent + position - state.bMarks[line] - shift
    while position < last and source[position] in " \t":
        column += 1 if source[position] == " " else 4 - (column + state.bsCount[line]) % 4
        position += 1
    blanks = column - behind if position < last else 1
    # further in than that is code, whose own blanks those are
    state.listIndent, state.blkIndent = state.blkIndent, behind + (blanks if blanks <= _DEEP else 1)
    state.tShift[line], state.sCount[line] = position - state.bMarks[line], column
    if position >= last and state.isEmpty(line + 1):
        state.line = min(state.line + 2, end)  # an item without words ends at a blank line
    else:
        state.md.block.tokenize(state, line, end)
    state.listIndent, state.blkIndent = outer, state.listIndent
    state.tShift[line], state.sCount[line] = shift, indent
    return state.line
