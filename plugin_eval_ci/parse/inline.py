"""Inline Markdown to links, code and words with their lines: by markdown-it, and without it where a line holds no markup but code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import CodeSpan, Link

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_AROUND = 48
_HTML_LINK = Lazy(
    r"<(?:a\b[^<>]{0,500}?\shref|(?P<image>img)\b[^<>]{0,500}?\ssrc)\s*=\s*(?:\"([^\"<>]{0,1000})\"|'([^'<>]{0,1000})'|([^\s\"'<>`=]{1,1000}))",
    re.IGNORECASE,
)

_CODE = "\ufffc"  # stands in the words of a line for its inline code
_MAX_PLAIN = 2_000
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
# Bold words that nobody can read otherwise: they begin with a letter or a digit, and end with one or before a blank.
_STRONG = re.compile(r"\*\*(?=[^\W_])([^*]*)(?:(?<=[^\W_])\*\*(?!\*)|(?<=\S)\*\*(?= |\Z))")
# Other emphasis, tags, escapes, the end of a link's text, entities; an underscore inside a word is none.
_MARKUP = re.compile(r"[*\\\n]|<(?!\s)|\][(\[]|&#?\w+;|(?<![A-Za-z0-9_])_|_(?![A-Za-z0-9_])")

Row = tuple[int, str, str]  # line, its words, its words outside of links


class Found(NamedTuple):
    """What a paragraph holds, in order."""

    links: list[Link]
    code_spans: list[CodeSpan]
    rows: Iterable[Row]


def read(content: str, line: int, parser: MarkdownIt, environment: dict[str, object]) -> Found:
    """The inline content of a paragraph, a heading or a cell that starts on ``line``."""
    if len(content) <= _MAX_PLAIN and ("[" not in content or not environment):
        found = _only_code(content, line)
        if found is not None:
            return found
    return _Inline(content, line).read(parser, environment)


def _only_code(content: str, line: int) -> Found | None:
    """The spans of a single line without other markup than bold words; None when there may be some."""
    spans: list[tuple[str, str]] = []  # the words before a span, and the span
    at = 0
    for match in _SPAN.finditer(content) if "`" in content else ():
        code = match[2]
        if code[0] == " " == code[-1] and code.strip(" "):
            code = code[1:-1]
        spans.append((content[at : match.start()], code))
        at = match.end()
    words = [before for before, _ in spans]
    words.append(content[at:])
    text = _CODE.join(words)
    if "**" in text:
        text = _STRONG.sub(r"\1", text)
    if _MARKUP.search(text):
        return None
    # the words around code reach to where bold ones begin or end
    codes = [
        CodeSpan(code, line, before.rpartition("**")[2][-_AROUND:], after.partition("**")[0][:_AROUND])
        for (before, code), after in zip(spans, words[1:], strict=True)
    ]
    return Found([], codes, ((line, text, text),))


def html_links(text: str) -> Iterator[tuple[str, int, bool]]:
    """Where the links and images of raw HTML lead, the position of each, and whether it is an image."""
    for match in _HTML_LINK().finditer(text):
        target = match[2] or match[3] or match[4] or ""
        if target:
            yield target, match.start(), match["image"] is not None


class _State(StateInline):
    """Notes on each token where in the paragraph it was met, which markdown-it keeps for blocks only."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        position = self.pos
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = position
        return token

    def pushPending(self) -> Token:  # noqa: N802
        token = super().pushPending()
        token.meta["at"] = self.pos
        return token


class _Inline:
    """The children of one inline token, with the line each stands on."""

    def __init__(self, content: str, line: int) -> None:
        self.links: list[Link] = []
        self.code_spans: list[CodeSpan] = []
        self.content = content
        self.first = line
        self.breaks = [match.start() for match in re.finditer("\n", content)]
        self.texts: list[list[str]] = [[] for _ in range(len(self.breaks) + 1)]
        self.plains: list[list[str]] = [[] for _ in range(len(self.breaks) + 1)]
        self.link: tuple[str, int, list[str]] | None = None
        self.code_tag = False

    def read(self, parser: MarkdownIt, environment: dict[str, object]) -> Found:
        children = self.children(parser, environment)
        for position, child in enumerate(children):
            kind = child.type
            row = bisect_left(self.breaks, child.meta["at"])
            if kind == "text" or kind == "text_special":
                self.say(child.content, row)
            elif kind in ("softbreak", "hardbreak") and self.link is not None:
                self.link[2].append(" ")
            elif kind == "code_inline":
                self.code(child, children, position, row)
            elif kind == "link_open":
                self.link = (str(child.attrs.get("href", "")), self.first + row, [])
            elif kind == "link_close" and self.link is not None:
                target, line, words = self.link
                self.links.append(Link(target, "".join(words), line, False))
                self.link = None
            elif kind == "image":
                self.links.append(Link(str(child.attrs.get("src", "")), child.content, self.first + row, True))
            elif kind == "html_inline":
                self.html(child.content, row)
        rows = (
            (self.first + row, "".join(text), "".join(plain))
            for row, (text, plain) in enumerate(zip(self.texts, self.plains, strict=True))
        )
        return Found(self.links, self.code_spans, rows)

    def html(self, tag: str, row: int) -> None:
        if tag[:5].lower() in ("<code", "<pre>", "<pre "):
            self.code_tag = True
        elif tag[:6].lower() in ("</code", "</pre>"):
            self.code_tag = False
        elif not self.code_tag and not tag.startswith("<!--"):
            self.links += (Link(target, "", self.first + row, image) for target, _, image in html_links(tag))

    def children(self, parser: MarkdownIt, environment: dict[str, object]) -> list[Token]:
        state = _State(self.content, parser, environment, [])
        parser.inline.tokenize(state)
        for rule in parser.inline.ruler2.getRules(""):
            rule(state)
        return state.tokens

    def say(self, text: str, row: int) -> None:
        self.texts[row].append(text)
        if self.link is None:
            self.plains[row].append(text)
        else:
            self.link[2].append(text)

    def code(self, child: Token, children: list[Token], position: int, row: int) -> None:
        before = children[position - 1].content if position and children[position - 1].type == "text" else ""
        after = (
            children[position + 1].content
            if position + 1 < len(children) and children[position + 1].type == "text"
            else ""
        )
        self.code_spans.append(CodeSpan(child.content, self.first + row, before[-_AROUND:], after[:_AROUND]))
        self.texts[row].append(_CODE)
        if self.link is None:
            self.plains[row].append(_CODE)
        else:
            self.link[2].append(child.content)
