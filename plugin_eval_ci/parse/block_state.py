"""The lines of a Markdown text, cut as markdown-it cuts them, and the tokens of its blocks that are read later."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate
from typing import Literal

import markdown_it.common.utils
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

# What is cut off the ends of a paragraph: the function came with markdown-it-py 4.1, before it every blank was.
trim: Callable[[str], str] = getattr(markdown_it.common.utils, "mdTrim", str.strip)

_READ = frozenset(
    {"inline", "heading_open", "fence", "html_block", "table_open", "blockquote_open", "blockquote_close"}
)
_UNREAD = Token("", "", 0)  # rules write to it, nobody reads it
# A line of nothing but = or -, in whatever list or quotation: what a setext heading needs below it.
_UNDERLINE = re.compile(r"[ \t>*+\-=0-9.)]*[=-][ \t]*\Z")
_TAILS = frozenset("=- \t")  # ends such a line


class State(StateBlock):
    """The lines of a text, cut as markdown-it cuts them, and the tokens that are read later."""

    def __init__(self, text: str, parser: MarkdownIt, environment: dict[str, object]) -> None:
        super().__init__("", parser, environment, [])
        self.src = text
        lines = text.split("\n")
        if not lines[-1].strip(" \t"):
            lines.pop()  # what follows the last line end is no line
        lengths = [len(line) for line in lines]
        starts = [0, *accumulate(length + 1 for length in lengths)][: len(lines)]
        shifts = [length - len(line.lstrip(" \t")) for length, line in zip(lengths, lines, strict=True)]
        indents = shifts
        if "\t" in text:
            indents = [_columns(line[:shift]) if shift else 0 for line, shift in zip(lines, shifts, strict=True)]
        ends = [start + length for start, length in zip(starts, lengths, strict=True)]
        self.underlines = [row for row, line in enumerate(lines) if line[-1:] in _TAILS and _UNDERLINE.match(line)]
        self.bMarks = [*starts, len(text)]
        self.eMarks = [*ends, len(text)]
        self.tShift = [*shifts, 0]
        self.sCount = [*indents, 0]
        self.bsCount = [0] * (len(lines) + 1)
        self.lineMax = len(lines)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if nesting < 0:
            self.level -= 1
        token = _UNREAD
        if ttype in _READ:
            token = Part(ttype, tag, self.level)
            self.tokens.append(token)
        if nesting > 0:
            self.level += 1
        return token


class Part(Token):
    """A token less what only a renderer reads, which takes most of the time that it takes to make one."""

    __slots__ = ()

    def __init__(self, kind: str, tag: str, level: int) -> None:
        self.type = kind
        self.tag = tag
        self.level = level
        self.map = None
        self.content = self.markup = self.info = ""


def _columns(blanks: str) -> int:
    return len(blanks.expandtabs(4))
