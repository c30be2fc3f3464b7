"""Ignore comments: which rules they name, and which lines they speak of."""

from __future__ import annotations

import re
from typing import NamedTuple

from plugin_eval_ci.config import no_such_rule
from plugin_eval_ci.model import MARK, Body, Header, Source
from plugin_eval_ci.parse.comments import Comment, in_header, in_markdown

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
    above = list(in_header(lines[1 : top - 1])) if top else []
    own = _own_lines(above)
    for comment in above:
        target = _next(lines, comment.line, own, "#") if comment.alone else comment.line
        found.append(_ignore(source.path, comment, _value(header, target), rules))
    below = in_markdown(body.text, body.first_line) if MARK in body.text else []
    own = _own_lines(below)
    for comment in below:
        if comment.alone:
            target = _next(lines, comment.end_line, own)
            covered = next(((f.line, f.end_line) for f in body.fences if f.line == target), (target, target))
        else:
            covered = (comment.line, comment.end_line)
        found.append(_ignore(source.path, comment, covered, rules))
    return tuple(found)


def _own_lines(comments: list[Comment]) -> set[int]:
    return {line for comment in comments if comment.alone for line in range(comment.line, comment.end_line + 1)}


def _next(lines: list[str], after: int, own: set[int], skip: str = "\n") -> int:
    """The first line below ``after`` that is neither blank nor one of these comments."""
    line = after + 1
    while line <= len(lines) and (
        line in own or not lines[line - 1].strip() or lines[line - 1].lstrip().startswith(skip)
    ):
        line += 1
    return line


def _value(header: Header, line: int) -> tuple[int, int]:
    """The lines of the key that begins on ``line``, with all of its value; else that line."""
    starts = [field.line for field in header.fields]
    if line not in starts:
        return line, line
    following = [start for start in starts if start > line]
    return line, (min(following) if following else header.end_line) - 1


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
