"""Blocks of Markdown by markdown-it's own rules, each tried only on lines that it could match.

Half of a parser's time goes into rules that look at a line, find that it begins with a letter, and leave. Here the first character of a
line chooses the rules that are asked, and tokens that nobody reads are not made. What is found is the same, token for token; the tests
compare.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from plugin_eval_ci.parse.block_state import State, trim

# The characters that a rule needs at the start of a line; a rule that is not named here is tried on every line.
_FIRST = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
_DELIMITER = frozenset("|-:")  # begins the second row of a table
_Rule = Callable[[StateBlock, int, int, bool], bool]


class Blocks:
    """The block rules of one parser, sorted by the first character of the lines that they can match."""

    def __init__(self, parser: MarkdownIt) -> None:
        self.parser = parser
        ruler = parser.block.ruler
        faster: dict[str, Callable[[_Rule], _Rule]] = {
            "table": _table,
            "code": _code,
            "lheading": _setext,
            "paragraph": _read_paragraph,
        }
        names, rules = ruler.get_active_rules(), ruler.getRules("")
        known: dict[_Rule, tuple[str, _Rule]] = {
            rule: (name, faster[name](rule) if name in faster else rule)
            for name, rule in zip(names, rules, strict=True)
        }
        self.rules = _sorted([known[rule] for rule in rules])
        chains = {chain: ruler.getRules(chain) for chain in ("paragraph", "reference", "blockquote", "list")}
        self.chains = {chain: [_any(_sorted([known[rule] for rule in rules]))] for chain, rules in chains.items()}
        ruler.getRules = self.chains.__getitem__  # type: ignore[method-assign, assignment]
        parser.block.tokenize = self.tokenize  # type: ignore[method-assign, assignment]

    def parse(self, text: str, environment: dict[str, object]) -> list[Token]:
        """The tokens of a text, in order, less those that open and close what has no facts of its own."""
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        state = State(text.replace("\0", "\ufffd"), self.parser, environment)
        self.tokenize(state, 0, state.lineMax)
        return state.tokens

    def tokenize(self, state: StateBlock, start: int, end: int) -> None:
        """What ``ParserBlock.tokenize`` does, for the rules that a line's first character allows."""
        deepest = state.md.options.maxNesting
        source, indents = state.src, state.sCount
        first_of, otherwise = self.rules
        line, blank = start, False
        while line < end:
            state.line = line = state.skipEmptyLines(line)
            if line >= end or indents[line] < state.blkIndent:
                break
            if state.level >= deepest:
                state.line = end
                break
            position = state.bMarks[line] + state.tShift[line]
            for rule in first_of.get(source[position], otherwise):
                if rule(state, line, end, False):
                    break
            state.tight = not blank
            line = state.line
            if line - 1 < end and state.isEmpty(line - 1):
                blank = True
            if line < end and state.isEmpty(line):
                blank = True
                line += 1
                state.line = line


@cache
def reader() -> Blocks:
    """CommonMark with tables."""
    parser = MarkdownIt("commonmark").enable("table")
    # Destinations stay as written: what the file says is resolved and shown, not a percent-encoded form of it.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return Blocks(parser)


_Sorted = tuple[dict[str, tuple[_Rule, ...]], tuple[_Rule, ...]]


def _sorted(rules: list[tuple[str, _Rule]]) -> _Sorted:
    """The rules for each first character, and those for every other one; the order among them stays."""
    firsts = {first for firsts in _FIRST.values() for first in firsts}
    by_first = {
        first: tuple(rule for name, rule in rules if name not in _FIRST or first in _FIRST[name]) for first in firsts
    }
    return by_first, tuple(rule for name, rule in rules if name not in _FIRST)


def _any(rules: _Sorted) -> _Rule:
    """One rule for many that say only whether a line ends what is above it."""
    by_first, otherwise = rules

    def ends(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        position = state.bMarks[line] + state.tShift[line]
        for rule in by_first.get(state.src[position : position + 1], otherwise):  # noqa: SIM110 (called for every line)
            if rule(state, line, end, silent):
                return True
        return False

    return ends


def _table(rule: _Rule) -> _Rule:
    def table(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        position = state.bMarks[line + 1] + state.tShift[line + 1]
        return state.src[position : position + 1] in _DELIMITER and rule(state, line, end, silent)

    return table


def _code(rule: _Rule) -> _Rule:
    def code(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        return state.sCount[line] - state.blkIndent > 3 and rule(state, line, end, silent)

    return code


def _setext(rule: _Rule) -> _Rule:
    """A heading's text reaches to its underline without a blank line."""

    def setext(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        assert isinstance(state, State)
        at = bisect_right(state.underlines, line)
        if at == len(state.underlines) or state.underlines[at] >= end:
            return False
        above = state.underlines[at] - 1
        return not (above > line and state.isEmpty(above)) and rule(state, line, end, silent)

    return setext


def _read_paragraph(_: _Rule) -> _Rule:
    return _paragraph


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """markdown-it's rule, with its one token that is read."""
    ends = state.md.block.ruler.getRules("paragraph")[0]
    before, state.parentType = state.parentType, "paragraph"
    first, shifts, lasts, indents, indent = state.bMarks, state.tShift, state.eMarks, state.sCount, state.blkIndent
    line, end = start + 1, state.lineMax
    while line < end and first[line] + shifts[line] < lasts[line]:
        # what is indented further, or was found to go on a quotation, goes on whatever it looks like
        if 0 <= indents[line] <= indent + 3 and ends(state, line, end, True):
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
