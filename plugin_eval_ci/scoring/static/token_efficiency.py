"""3.5 token_efficiency: how dense the directives are, and how much of the text repeats itself."""

from __future__ import annotations

import re

from plugin_eval_ci.model import Body, Skill
from plugin_eval_ci.parse.facts import directive_lines
from plugin_eval_ci.scoring.measurement import Part, SubScore, sub_score

_NOT_WORDS = re.compile(r"[^\w\s]|_")
_DIGITS = re.compile(r"\d+")
_DENSITY = ((50, 0.4), (20, 0.2), (10, 0.1))  # per cent of the lines, to be exceeded
_REPETITION = 0.4


def token_efficiency(skill: Skill) -> SubScore:
    """1 less what dense directives and repeated lines cost."""
    directives = directive_lines(skill.body)
    count = len(directives)
    lines = max(1, skill.source.line_count)
    rows = _numbered(skill.body)
    repeated = repetition([form for _, form in rows])
    return sub_score(
        "token_efficiency",
        (
            Part(1.0, 1.0),
            Part(
                -next((cost for percent, cost in _DENSITY if count * 100 > percent * lines), 0.0),
                0.0,
                f"Replace MUST, NEVER and ALWAYS with reasons ({count} in {lines} lines; one in ten costs nothing).",
                ("OVER_CONSTRAINED",),
                edit="directives",
                line=min(directives, default=None),
            ),
            Part(
                -_REPETITION * repeated,
                0.0,
                f"Remove repeated lines, starting with this one ({repeated:.0%} of the lines repeat another one).",
                edit="repetition",
                line=_first_repeated(rows),
            ),
        ),
    )


def repetition(lines: list[str]) -> float:
    """The share of the lines, as ``meaningful_lines`` gives them, that repeat another one."""
    return 1 - len(set(lines)) / len(lines) if lines else 0.0


def _first_repeated(rows: list[tuple[int, str]]) -> int | None:
    seen: set[str] = set()
    for number, form in rows:
        if form in seen:
            return number
        seen.add(form)
    return None


def meaningful_lines(body: Body) -> list[str]:
    """The body's lines that hold a letter or a digit, without fence markers, in the form they are compared in."""
    return [form for _, form in _numbered(body)]


def _numbered(body: Body) -> list[tuple[int, str]]:
    """Those lines with their numbers: lower case, no punctuation, one blank between words, every run of digits as one digit."""
    markers = {fence.line for fence in body.fences} | {fence.end_line for fence in body.fences if fence.closed}
    text = _DIGITS.sub("0", _NOT_WORDS.sub("", body.text.lower()))
    rows = ((number, " ".join(row.split())) for number, row in enumerate(text.split("\n"), body.first_line))
    return [(number, form) for number, form in rows if form and number not in markers]
