"""The same line is repeated until the file is long.

## What it flags

A skill or an agent in which one line of eight words or more stands five times or more in prose, when such repetitions are at least 30 %
of all lines of prose. Headings, code, tables and short list items do not count.

## Why

Repetition fills the context and says nothing new. It is what a text looks like that was stretched, or pasted by mistake.

## Bad

The sentence "Follow the best practices of the team and check the result with care." ten times, and little else.

## Good

The sentence once, and the practices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "content"

_TIMES = 5
_WORDS = 8
_SHARE = 0.3


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the second place of the line that is repeated most."""
    prose = document.body.prose
    if len(prose) < _TIMES or len({line.text for line in prose}) > len(prose) * (1 - _SHARE) + _TIMES:
        return
    times = Counter(line.text.strip() for line in prose)
    repeated = {text: count for text, count in times.items() if count >= _TIMES and len(text.split()) >= _WORDS}
    if not repeated or sum(repeated.values()) < _SHARE * len(prose):
        return
    text = max(repeated, key=lambda line: repeated[line])
    place = [line.line for line in prose if line.text.strip() == text][1]
    yield Hit(place, f"this line occurs {repeated[text]} times in the file: {quote(text)}", "Say it once.", text[:80])
