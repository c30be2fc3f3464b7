"""References to other skills and agents: links by themselves, inline code and bare words where the sentence sends the reader there."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plugin_eval_ci.analysis.resolve.intent import (
    has_reading_heading,
    is_example,
    is_exempt,
    is_instruction,
    is_made,
    is_made_in_shell,
)
from plugin_eval_ci.analysis.resolve.paths import Local, Resolution, has_placeholder, local_path
from plugin_eval_ci.analysis.resolve.sentence import Place, sentence_around
from plugin_eval_ci.analysis.resolve.target import MARKS, destination, goal, is_generic, leads_to_another
from plugin_eval_ci.model import Skill
from plugin_eval_ci.util.lazy import Lazy

MAX_CANDIDATES = 200  # paths of one skill that are looked at: each is weighed against the others


class CrossReference(NamedTuple):
    """A relative path from a skill to another skill or agent."""

    path: str
    line: int
    resolution: Resolution
    linked: bool  # a Markdown link, not inline code or words


class _Candidate(NamedTuple):
    """A path that could be a reference. ``place`` is None for a link, which needs no words around it."""

    text: str
    line: int
    local: Local
    place: Place | None
    code: bool


_ROOT = r"@?(?:\$\{CLAUDE_PLUGIN_ROOT\}/|\$CLAUDE_PLUGIN_ROOT/)?(?:\.{1,2}/)*"
_CODE = Lazy(rf"{_ROOT}[\w.-]+(?:/[\w.-]+)*/?(?:#[\w-]*)?")
_BARE = Lazy(
    rf"(?<![\w/.~:@$}}\\-]){_ROOT}(?:(?:[\w.-]{{1,80}}/){{0,6}}?(?:skills?|agents|sub-skills)/[\w.-]{{1,100}}(?:/[\w.-]{{1,100}}){{0,6}}"
    r"|(?<=\.\./)[\w.-]{1,100}(?:/[\w.-]{1,100}){0,4}/SKILL\.md)/?",
    re.ASCII,
)
_WORD_LISTS = Lazy(r"(?:^|[\s(])(?:soft|hard|core|key|technical|social|language|my|your|new)\s\Z", re.IGNORECASE)


def cross_references(skill: Skill) -> tuple[CrossReference, ...]:
    """The paths by which a skill names other skills and agents, each once, at its first line."""
    found: dict[str, CrossReference] = {}
    made: set[str] = set()
    answers = [
        (candidate, answer)
        for candidate in islice(_candidates(skill), MAX_CANDIDATES)
        if (answer := destination(skill, candidate.local, candidate.place is None)) is not None
    ]
    for candidate, answer in answers:
        if answer.status == "missing" and candidate.place is not None and is_made(candidate.place.before):
            made.add(_key(candidate))
    for candidate, answer in answers:
        key = _key(candidate)
        if key in found or key in made:
            continue
        if answer.status == "found" or candidate.place is None or _is_meant(skill, candidate, candidate.place, answers):
            found[key] = CrossReference(candidate.local.path, candidate.line, answer, candidate.place is None)
    return tuple(sorted(found.values(), key=lambda reference: (reference.line, reference.path)))


def first_unread(skill: Skill) -> int | None:
    """The line of the first path that was not read, in a skill with more paths than the limit; else None."""
    left = next(islice(_candidates(skill), MAX_CANDIDATES, None), None)
    return left.line if left is not None else None


def _key(candidate: _Candidate) -> str:
    return candidate.local.path.strip("/").removesuffix("/SKILL.md")


def _candidates(skill: Skill) -> Iterator[_Candidate]:
    body = skill.body
    for link in body.links:
        local = local_path(link.target)
        if local is not None and local.base != "skill" and leads_to_another(local.path):
            yield _Candidate(link.target, link.line, local, None, False)
    if not any(word in body.text for word in MARKS) and "/SKILL.md" not in body.text:
        return
    lines = skill.source.text.split("\n")
    for span in body.code_spans:
        text = span.text.strip()
        if "/" in text and _CODE().fullmatch(text):
            yield from _words(lines, text, span.line, True)
    for prose in body.prose:
        if "/" in prose.plain and (any(word in prose.plain for word in MARKS) or "/SKILL.md" in prose.plain):
            for match in _BARE().finditer(prose.plain):
                yield from _words(lines, match[0].rstrip(".-"), prose.line, False)


def _words(lines: list[str], text: str, line: int, code: bool) -> Iterator[_Candidate]:
    path = text.removeprefix("@")
    local = local_path(path)
    if local is None or local.base == "skill" or goal(local.path) is None or line > len(lines):
        return
    at = _find(lines[line - 1], text, code)
    if at >= 0 and not _labels_a_link(lines[line - 1][at + len(text) :], code):
        yield _Candidate(text, line, local, sentence_around(lines, line - 1, at, at + len(text)), code)


def _find(line: str, text: str, code: bool) -> int:
    for match in re.finditer(re.escape(text), line):
        before, after = line[: match.start()].rstrip()[-1:], line[match.end() : match.end() + 1]
        if (before == "`") if code else (before not in "`/" or not before) and after not in ("`", "/"):
            return match.start()
    return -1


def _labels_a_link(after: str, code: bool) -> bool:
    """Whether inline code is the text of a link: then the link's target says where it leads."""
    return code and re.match(r"[`*]*\s*\]\(", after) is not None


def _is_meant(skill: Skill, candidate: _Candidate, place: Place, answers: list[tuple[_Candidate, Resolution]]) -> bool:
    """Whether the words around a path that leads nowhere send the reader there."""
    text = candidate.text
    path = candidate.local.path
    file = path.endswith(".md") or path.startswith("../")
    if has_placeholder(path, is_example(place.before) or is_example(place.line[:40])) or not _is_name(candidate, file):
        return False
    if is_exempt(place) or is_made_in_shell(skill.source.text, path):
        return False
    if text.startswith("@") and path.endswith(".md"):
        return True
    if is_instruction(place, strict=not candidate.code and not file, file=file):
        return candidate.code or file or not _WORD_LISTS().search(place.before)
    if is_exempt(place, loosely=True):
        return False
    if (
        candidate.local.base is None
        and place.line.strip(" `.") == text
        and not place.listed
        and not place.after.strip(" `.")
    ):
        return not place.intro or has_reading_heading(place)  # a paragraph of its own
    if place.listed and (candidate.code or file) and has_reading_heading(place):
        return True
    return _has_sibling(candidate, place, answers)


def _is_name(candidate: _Candidate, file: bool) -> bool:
    """Whether what follows ``skills/`` or ``agents/`` looks like a name, not like the next word of a list."""
    parts = [part for part in candidate.local.path.split("/") if part not in ("", "..")]
    name = parts[-1] if file is False or parts[-1] != "SKILL.md" else parts[-2]
    if not file and (is_generic(name) or all(is_generic(part) for part in parts)):
        return False
    certain = (
        "-" in name
        or "_" in name
        or name[-1:].isdigit()
        or file
        or candidate.text.endswith("/")
        or candidate.text.startswith(".")
    )
    return certain or (candidate.code and name == name.lower())


def _has_sibling(candidate: _Candidate, place: Place, answers: list[tuple[_Candidate, Resolution]]) -> bool:
    """Whether the same sentence, or the list it is an item of, names a skill that is there."""
    for other, answer in answers:
        if answer.status != "found" or other is candidate or goal(other.local.path) is None:
            continue
        if other.line == candidate.line and other.text in place.sentence:
            return True
        if (
            place.listed
            and other.place is not None
            and other.place.listed
            and other.place.intro == place.intro
            and abs(other.line - candidate.line) < 40
        ):
            return place.intro != "" or abs(other.line - candidate.line) < 4
    return False
