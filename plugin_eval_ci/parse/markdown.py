"""Markdown to facts with lines, from markdown-it's tokens: one block pass, inline only where a line can hold a link or code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from plugin_eval_ci.model import Body, CodeSpan, Fence, Heading, Link, Prose
from plugin_eval_ci.util.lazy import Lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class InlineFacts(NamedTuple):
    """What a paragraph holds, in order."""

    links: list[Link]
    code_spans: list[CodeSpan]
    rows: Iterable[Row]


def parse_inline(content: str, line: int, parser: MarkdownIt, environment: dict[str, object]) -> InlineFacts:
    """The inline content of a paragraph, a heading or a cell that starts on ``line``."""
    if len(content) <= _MAX_PLAIN and ("[" not in content or not environment):
        found = _only_code(content, line)
        if found is not None:
            return found
    return _Inline(content, line).read(parser, environment)


def _only_code(content: str, line: int) -> InlineFacts | None:
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
    return InlineFacts([], codes, ((line, text, text),))


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

    def read(self, parser: MarkdownIt, environment: dict[str, object]) -> InlineFacts:
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
        return InlineFacts(self.links, self.code_spans, rows)

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


# A longer line is data, not prose; inline parsing of it is quadratic in the worst case.
MAX_LINE = 8_000
MAX_INLINE = 24_000
# Structure is read up to here: ten times the longest SKILL.md in use, and still well below a second.
MAX_CHARACTERS = 256 * 1024
MAX_LINES = 10_000
# Twenty times what any skill in use has; a document that is built to be slow has more, and is read up to there.
MAX_BRACKETS = 4_000
MAX_PIPES = 30_000  # each may be a cell, and a cell costs as much as a paragraph
MAX_PARTS = 10_000  # paragraphs and cells with markup
# A line in so many quotations is data: every line that follows is tried as a part of each of them.
_QUOTATIONS = re.compile(r"^(?:[ \t*+\-0-9.)]*+>){7}", re.MULTILINE)
_NEEDS_INLINE = re.compile(r"[`\[<\\&]")
_TAG = Lazy(r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]{0,500}>", re.DOTALL)
_FENCE_CLOSE = Lazy(r"[ \t>]*(`{3,}|~{3,})[ \t]*\Z")
_QUOTE = re.compile('["\u201c\u300c\u00ab]')  # those that the pattern below begins with
_QUOTED = Lazy(
    '"[^"\n]{0,200}"|\u201c[^\u201d\n]{0,200}\u201d|\u300c[^\u300d\n]{0,200}\u300d|\u00ab[^\u00bb\n]{0,200}\u00bb'
)
# Links of raw HTML; what stands in comments and code is none.
_NO_LINKS = Lazy(r"<!--.*?(?:-->|\Z)|<(pre|code|script|style|textarea)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)


def parse(text: str, first_line: int) -> Body:
    """Read Markdown whose first line is line ``first_line`` of its file."""
    lines = text.split("\n")
    part, cut_line = readable(text, lines)
    environment: dict[str, object] = {}
    parser = commonmark()
    walk = _Walk(lines, first_line, environment, parser)
    walk.blocks(parser.parse(part, environment))
    return Body(
        text,
        first_line,
        tuple(walk.headings),
        tuple(walk.fences),
        walk.tables,
        tuple(walk.links),
        tuple(walk.code_spans),
        tuple(walk.prose),
        min(
            (line for line in (walk.cut_line, cut_line + first_line if cut_line is not None else None) if line),
            default=None,
        ),
        tuple(sorted({*walk.unread, *_too_long(lines, first_line)})) if len(text) > MAX_LINE else (),
    )


@cache
def commonmark() -> MarkdownIt:
    """A parser of CommonMark with tables, whose ``parse`` finds the blocks; their inline content is read where facts need it."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    # Destinations stay as written: what the file says is resolved and shown, not a percent-encoded form of it.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


def _too_long(lines: list[str], first_line: int) -> Iterator[int]:
    """Lines that are left out of the text to parse, and that hold a link to all appearance."""
    return (row for row, line in enumerate(lines, first_line) if len(line) > MAX_LINE and "](" in line)


def readable(text: str, lines: list[str]) -> tuple[str, int | None]:
    """The text to parse, and the index of the first line left out, if any."""
    cut = None
    if len(text) > MAX_CHARACTERS or len(lines) > MAX_LINES:
        total = 0
        for cut, line in enumerate(lines):
            total += min(len(line), MAX_LINE) + 1
            if total > MAX_CHARACTERS or cut >= MAX_LINES:
                break
        else:
            cut = None
        text = "\n".join(lines[:cut])
    if text.count("|") > MAX_PIPES:
        total = 0
        for row, line in enumerate(lines[:cut]):
            total += line.count("|") if len(line) <= MAX_LINE else 0
            if total > MAX_PIPES:
                cut, text = row, "\n".join(lines[:row])
                break
    too_long = len(text) > MAX_LINE and any(len(line) > MAX_LINE for line in lines)
    if too_long or (">" in text and _QUOTATIONS.search(text)):
        text = "\n".join("" if len(line) > MAX_LINE or _QUOTATIONS.match(line) else line for line in lines[:cut])
    return text, cut


class _Walk:
    """Collects the facts of one token list, in order of appearance."""

    def __init__(self, lines: list[str], first_line: int, environment: dict[str, object], parser: MarkdownIt) -> None:
        self.lines = lines
        self.parser = parser
        self.first_line = first_line
        self.environment = environment
        self.headings: list[Heading] = []
        self.fences: list[Fence] = []
        self.tables = 0
        self.links: list[Link] = []
        self.code_spans: list[CodeSpan] = []
        self.prose: list[Prose] = []
        self.brackets = 0
        self.parts = 0
        self.cut_line: int | None = None  # where a budget ran out
        self.unread: list[int] = []  # paragraphs whose markup is not read

    def blocks(self, tokens: Sequence[Token]) -> None:
        quotes = 0
        row = 0
        for position, token in enumerate(tokens):
            kind = token.type
            if token.map:
                row = token.map[0]
            if kind == "inline":
                while token.map and row + 1 < token.map[1] and not self.lines[row].replace(">", "").strip():
                    row += (
                        1  # a line of blanks that Markdown does not know as such (no-break space, form feed) is cut off
                    )
                heading = position > 0 and tokens[position - 1].type == "heading_open"
                if heading:
                    self.headings.append(
                        Heading(int(tokens[position - 1].tag[1]), token.content.strip(), row + self.first_line)
                    )
                self.inline(token, row + self.first_line, quotes > 0)
            elif kind == "fence":
                self.fence(token)
            elif kind == "html_block":
                self.html(token, quotes > 0)
            elif kind == "table_open":
                self.tables += 1
            elif kind == "blockquote_open":
                quotes += 1
            elif kind == "blockquote_close":
                quotes -= 1

    def fence(self, token: Token) -> None:
        start, end = token.map or [0, 0]
        words = token.info.split()
        last = self.lines[end - 1] if start < end - 1 < len(self.lines) else ""
        closing = _FENCE_CLOSE().match(last)
        closed = bool(closing and closing[1][0] == token.markup[0] and len(closing[1]) >= len(token.markup))
        language = words[0].strip("{}.").lower() if words else ""
        self.fences.append(Fence(language, token.content, start + self.first_line, end + self.first_line - 1, closed))

    def html(self, token: Token, quoted: bool) -> None:
        start = (token.map or [0, 0])[0] + self.first_line
        content = token.content
        if "href" in content or "src" in content:
            visible = _NO_LINKS().sub(lambda match: "\n" * match[0].count("\n"), content)
            self.links += (
                Link(target, "", start + visible.count("\n", 0, at), image) for target, at, image in html_links(visible)
            )
        text = _TAG().sub(lambda match: "\n" * match[0].count("\n"), content)
        self.add_prose(((start + row, line, line) for row, line in enumerate(text.split("\n"))), quoted)

    def add_prose(self, rows: Iterable[tuple[int, str, str]], quoted: bool) -> None:
        for line, text, plain in rows:
            if text and not text.isspace():
                self.prose.append(Prose(line, text, "" if quoted else without_quotations(plain)))

    def inline(self, token: Token, line: int, quoted: bool) -> None:
        content = token.content
        if _NEEDS_INLINE.search(content) is None:
            self.words(content, line, quoted)
            return
        self.parts += 1
        self.brackets += content.count("[")
        spent = self.brackets > MAX_BRACKETS or self.parts > MAX_PARTS
        if spent and self.cut_line is None:
            self.cut_line = line
        if not spent and len(content) > MAX_INLINE:
            self.unread.append(line)
        if spent or len(content) > MAX_INLINE:
            self.words(content, line, quoted)
            return
        found = parse_inline(content, line, self.parser, self.environment)
        self.links += found.links
        self.code_spans += found.code_spans
        self.add_prose(found.rows, quoted)

    def words(self, content: str, line: int, quoted: bool) -> None:
        """A text whose markup, if there is any, is not read."""
        rows = content.split("\n") if "\n" in content else (content,)
        self.add_prose(((row, part, part) for row, part in enumerate(rows, line)), quoted)


def without_quotations(text: str) -> str:
    """A line with what stands in quotation marks taken out."""
    return _QUOTED().sub(" ", text) if _QUOTE.search(text) else text
