"""Blocks of Markdown by markdown-it's own rules, each tried only on lines that it could match.

Half of a parser's time goes into rules that look at a line, find that it begins with a letter, and leave. Here the first character of a
line chooses the rules that are asked, and tokens that nobody reads are not made. What is found is the same, token for token; the tests
compare.
"""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from plugin_eval_ci.parse import block_rules
from plugin_eval_ci.parse.block_rules import Rule
from plugin_eval_ci.parse.block_state import State

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
# Rules that stand in for markdown-it's, and those that stand before one of them.
_INSTEAD: dict[str, Rule] = {
    "hr": block_rules.across,
    "list": block_rules.items,
    "heading": block_rules.heading,
    "paragraph": block_rules.paragraph,
}
_BEFORE = {
    "table": block_rules.table,
    "code": block_rules.code,
    "fence": block_rules.fence,
    "lheading": block_rules.setext,
}


class Blocks:
    """The block rules of one parser, sorted by the first character of the lines that they can match."""

    def __init__(self, parser: MarkdownIt) -> None:
        self.parser = parser
        ruler = parser.block.ruler
        names, rules = ruler.get_active_rules(), ruler.getRules("")
        known = {rule: (name, _faster(name, rule)) for name, rule in zip(names, rules, strict=True)}
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
        """What ``ParserBlock.tokenize`` does, for the rules that a line's first character allows.

        Whether a list is tight, which it also finds out, is a matter of how it is shown.
        """
        deepest = state.md.options.maxNesting
        source, indents, first, shifts, lasts = state.src, state.sCount, state.bMarks, state.tShift, state.eMarks
        first_of, otherwise = self.rules
        line = start
        while line < end:
            while line < state.lineMax and first[line] + shifts[line] >= lasts[line]:
                line += 1
            state.line = line
            if line >= end or indents[line] < state.blkIndent:
                break
            if state.level >= deepest:
                state.line = end
                break
            for rule in first_of.get(source[first[line] + shifts[line]], otherwise):
                if rule(state, line, end, False):
                    break
            line = state.line
            if line < end and first[line] + shifts[line] >= lasts[line]:
                # the one blank line that is looked at when it is the last: more would reach out of a quotation
                state.line = line = line + 1


@cache
def reader() -> Blocks:
    """CommonMark with tables."""
    parser = MarkdownIt("commonmark").enable("table")
    # Destinations stay as written: what the file says is resolved and shown, not a percent-encoded form of it.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return Blocks(parser)


def _faster(name: str, rule: Rule) -> Rule:
    return _BEFORE[name](rule) if name in _BEFORE else _INSTEAD.get(name, rule)


_Sorted = tuple[dict[str, tuple[Rule, ...]], tuple[Rule, ...]]


def _sorted(rules: list[tuple[str, Rule]]) -> _Sorted:
    """The rules for each first character, and those for every other one; the order among them stays."""
    firsts = {first for firsts in _FIRST.values() for first in firsts}
    by_first = {
        first: tuple(rule for name, rule in rules if name not in _FIRST or first in _FIRST[name]) for first in firsts
    }
    return by_first, tuple(rule for name, rule in rules if name not in _FIRST)


def _any(rules: _Sorted) -> Rule:
    """One rule for many that say only whether a line ends what is above it."""
    by_first, otherwise = rules

    def ends(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        position = state.bMarks[line] + state.tShift[line]
        for rule in by_first.get(state.src[position : position + 1], otherwise):  # noqa: SIM110 (called for every line)
            if rule(state, line, end, silent):
                return True
        return False

    return ends
