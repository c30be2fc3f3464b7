"""The lines of a Markdown text, cut as markdown-it cuts them, and the tokens of its blocks that are read later."""

from __future__ import annotations

import re
from collections.abc import Callable
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
_TAILS = frozenset("=- \t")


class State(StateBlock):
    """The lines of a text, cut as markdown-it cuts them, and the tokens that are read later."""

    def __init__(self, text: str, parser: MarkdownIt, environment: dict[str, object]) -> None:
        super().__init__("", parser, environment, [])
        self.src = text
        lines = text.split("\n")
        if not lines[-1].strip(" \t"):
            lines.pop()  # what follows the last line end is no line
        starts, shifts, indents, ends = [], [], [], []
        self.underlines: list[int] = []
        start = 0
        for row, line in enumerate(lines):
            length = len(line)
            shift = indent = length - len(line.lstrip(" \t"))
            if shift and "\t" in line[:shift]:
                indent = len(line[:shift].expandtabs(4))
            starts.append(start)
            shifts.append(shift)
            indents.append(indent)
            ends.append(start + length)
            start += length + 1
            if line[-1:] in _TAILS and _UNDERLINE.match(line):
                self.underlines.append(row)
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
            token = Token(ttype, tag, nesting)
            token.level = self.level
            self.tokens.append(token)
        if nesting > 0:
            self.level += 1
        return token
