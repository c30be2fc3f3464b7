"""Comments that speak to this tool: HTML comments of Markdown outside of code, and YAML comments of a frontmatter.

A text without the mark is never parsed a second time; with it, only the paragraphs that hold the mark are read for inline markup.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.config import no_such_rule
from plugin_eval_ci.model import MARK, Body, Header, Source

if TYPE_CHECKING:
    import yaml
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MAX = 1_000  # comments of one file
_MAX_BRACKETS = (
    3_000  # in all paragraphs that are read for comments: without their ends each costs as much as a paragraph
)
_YAML = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*(?=plugin-eval:)")


class Comment(NamedTuple):
    """One comment. ``alone`` when its lines hold nothing else, so that it speaks of the next line."""

    line: int
    end_line: int
    alone: bool
    text: str


def in_markdown(text: str, first_line: int) -> list[Comment]:
    """The comments with the mark in Markdown whose first line is line ``first_line`` of its file."""
    from plugin_eval_ci.parse.markdown import MAX_INLINE, readable

    lines = text.split("\n")
    shown, _ = readable(text, lines)
    found: list[Comment] = []
    budget = _MAX_BRACKETS
    for token in _parser().parse(shown, {}):
        if MARK not in token.content or not token.map or len(found) >= _MAX:
            continue
        if token.type == "html_block":
            places = list(_whole(token.content))
        elif token.type == "inline" and len(token.content) <= MAX_INLINE and budget > 0:
            budget -= token.content.count("[")
            places = _inline(token)
        else:
            continue
        for offset, comment in places:
            if MARK in comment:
                row = token.map[0] + token.content.count("\n", 0, offset)
                found.append(_comment(lines, row, comment, first_line))
    return found


def _comment(lines: list[str], row: int, comment: str, first_line: int) -> Comment:
    end = row + comment.count("\n")
    around = "\n".join(lines[row : end + 1])
    rest, end_of_last = [], 0
    for start, found in _whole(around):
        rest.append(around[end_of_last:start])
        end_of_last = start + len(found)
    alone = not "".join([*rest, around[end_of_last:]]).strip(" \t\n>")
    return Comment(row + first_line, end + first_line, alone, comment[4:-3].strip())


def _whole(text: str) -> Iterator[tuple[int, str]]:
    """Each HTML comment that is closed, and where it begins; every character is read once."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        yield start, text[start : end + 3]
        start = text.find("<!--", end + 3)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline.html_inline import html_inline

    def noting(state: StateInline, silent: bool) -> bool:
        start = state.pos
        met = html_inline(state, silent)
        if met and not silent and state.src.startswith("<!--", start):
            state.env.setdefault("comments", []).append((start, state.src[start : state.pos]))
        return met

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    parser.inline.ruler.at("html_inline", noting)
    return parser


def _inline(token: Token) -> list[tuple[int, str]]:
    environment: dict[str, list[tuple[int, str]]] = {}
    parser = _parser()
    parser.inline.parse(token.content, parser, environment, [])
    return environment.get("comments", [])


def in_header(lines: list[str]) -> Iterator[Comment]:
    """The comments with the mark in a frontmatter; ``lines`` are those between the fences, the first being line 2."""
    text = "\n".join(lines) + "\n"
    if MARK not in text:
        return
    spans = _scalars(text)
    starts = [start for start, _ in spans or ()]
    for row, line in enumerate(lines):
        match = _YAML.search(line)
        if match is None:
            continue
        alone = not line[: match.start()].strip()
        if spans is None and not alone:
            continue  # broken YAML does not say where a value ends
        before = bisect_right(starts, (row, match.start()))  # values do not overlap
        if not (before and spans and (row, match.start()) < spans[before - 1][1]):
            yield Comment(row + 2, row + 2, alone, line[match.end() :].strip())


def _scalars(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]] | None:
    """Where the values are, for a number sign in a value begins no comment; None when the YAML is broken."""
    import yaml

    from plugin_eval_ci.config.yaml_values import LOADER, hide_breaks

    try:
        tokens = [token for token in yaml.scan(hide_breaks(text), Loader=LOADER) if isinstance(token, yaml.ScalarToken)]
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        return None
    return [(_start(token), (token.end_mark.line, token.end_mark.column)) for token in tokens]


def _start(token: yaml.ScalarToken) -> tuple[int, int]:
    if token.style in ("|", ">"):  # behind the mark of a block a comment may stand
        return token.start_mark.line + 1, 0
    return token.start_mark.line, token.start_mark.column


_DIRECTIVE = re.compile(r"plugin-eval:\s*([\w-]*)\s*(?:\[([^\]]*)\])?\s*(.*)", re.DOTALL)


class Ignore(NamedTuple):
    """One comment. ``lines`` are the first and last it speaks of, None for the whole file; ``problems`` say what is wrong with it."""

    path: str
    line: int
    rules: tuple[str, ...]
    lines: tuple[int, int] | None
    reason: str
    problems: tuple[str, ...] = ()

    def covers(self, rule: str, line: int) -> bool:
        """Whether it hides a finding of ``rule`` on ``line``."""
        return rule in self.rules and (self.lines is None or self.lines[0] <= line <= self.lines[1])


def ignores_of(source: Source, header: Header, body: Body, rules: frozenset[str]) -> tuple[Ignore, ...]:
    """The ignore comments of one file; ``rules`` are the names that a comment may hold."""
    if MARK not in source.text:
        return ()
    lines = source.text.split("\n")
    top = header.end_line
    found: list[Ignore] = []
    above = list(islice(in_header(lines[1 : top - 1]), _MAX)) if top else []
    own = _own_lines(above)
    starts = sorted(field.line for field in header.fields)
    following = _following(lines, own, "#") if above else []
    for comment in above:
        target = following[comment.line] if comment.alone else comment.line
        found.append(_ignore(source.path, comment, _value(header, starts, target), rules))
    below = in_markdown(body.text, body.first_line) if MARK in body.text else []
    own = _own_lines(below)
    following = _following(lines, own) if below else []
    fences = {fence.line: fence.end_line for fence in reversed(body.fences)}
    for comment in below:
        if comment.alone:
            target = following[comment.end_line]
            covered = target, fences.get(target, target)
        else:
            covered = (comment.line, comment.end_line)
        found.append(_ignore(source.path, comment, covered, rules))
    return tuple(found)


def _own_lines(comments: list[Comment]) -> set[int]:
    return {line for comment in comments if comment.alone for line in range(comment.line, comment.end_line + 1)}


def _following(lines: list[str], own: set[int], skip: str = "\n") -> list[int]:
    """For each line by its number, the first one below that is neither blank nor one of these comments."""
    found = [0] * (len(lines) + 1)
    target = len(lines) + 1
    for line in range(len(lines), -1, -1):
        found[line] = target
        text = lines[line - 1].lstrip() if line else ""
        if line not in own and text and not text.startswith(skip):
            target = line
    return found


def _value(header: Header, starts: list[int], line: int) -> tuple[int, int]:
    """The lines of the key that begins on ``line``, with all of its value; else that line. ``starts``: the lines of all keys."""
    after = bisect_right(starts, line)
    if not after or starts[after - 1] != line:
        return line, line
    return line, (starts[after] if after < len(starts) else header.end_line) - 1


def _ignore(path: str, comment: Comment, lines: tuple[int, int], rules: frozenset[str]) -> Ignore:
    match = _DIRECTIVE.match(comment.text)
    word, names, reason = (match[1], match[2], match[3]) if match else ("", None, "")
    if word not in ("ignore", "ignore-file"):
        problem = f"{word[:40]!r} is nothing that can be asked here: write ignore[RULE] or ignore-file[RULE]"
        return Ignore(path, comment.line, (), None, "", (problem,))
    named = tuple(dict.fromkeys(name.strip().upper() for name in (names or "").split(",") if name.strip()))
    problems = tuple(no_such_rule(name, rules) for name in named if name not in rules)
    if not named:
        problems = (f"names no rule, so it hides nothing: write {word}[RULE]",)
    known = tuple(name for name in named if name in rules)
    return Ignore(path, comment.line, known, lines if word == "ignore" else None, " ".join(reason.split()), problems)


def of_text(source: Source, rules: frozenset[str]) -> tuple[Ignore, ...]:
    """The same for a file that nobody has parsed yet."""
    if MARK not in source.text:
        return ()
    from plugin_eval_ci.parse.documents import parse_text

    return ignores_of(source, *parse_text(source), rules)
