"""The phrases that say when to pick a skill, and which of them are denied. Time is linear in the text."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from plugin_eval_ci.languages.reading import (
    boundaries,
    compiled,
    expression,
    fold,
    languages_of,
    marked,
    mask_abbreviations,
    raw,
)
from plugin_eval_ci.languages.table import Language

_WINDOW = 60  # how far before a trigger its negation is looked for
_REACH = 200  # how far a denial reaches within a sentence
_KINDS = ("triggers", "clauses", "trailing")
# An apostrophe closes a quotation also before a CJK particle ('…'라고), which a letter of a Latin word does not follow.
QUOTED = (
    r"\"[^\"\n]{0,120}\"|“[^”\n]{0,120}”|「[^」\n]{0,120}」|『[^』\n]{0,120}』|«[^»\n]{0,120}»"
    r"|(?<![\w])'[^'\n]{0,120}'(?![a-z0-9])"
)


class Trigger(NamedTuple):
    """A phrase that says when to use the skill; positions are those of the text given."""

    start: int
    end: int
    language: str


class Cue(NamedTuple):
    """A phrase that is not denied, and where the situations it names are listed."""

    start: int
    end: int
    listed_from: int  # behind the verb, within the clause, or before the verb that closes the sentence
    listed_to: int  # the sentence's end
    language: Language


def trigger(text: str) -> Trigger | None:
    """The first trigger phrase that is not negated, or None. The first language that has one answers."""
    cue = next(affirmed(text), None)
    return Trigger(cue.start, cue.end, cue.language.code) if cue else None


def says_when(description: str, when_to_use: str = "") -> bool:
    """Whether the two texts say when to use the skill. ``when_to_use`` does in any words, unless it only denies."""
    if trigger(description):
        return True
    return bool(when_to_use.strip()) and not only_denies(when_to_use)


def only_denies(text: str) -> bool:
    """Whether every sentence says when *not* to use the skill. Nothing at all denies nothing."""
    if trigger(text):
        return False
    calm = unquoted(mask_abbreviations(fold(text)))
    sentences = [part for part in boundaries().split(calm) if part.strip(" \t\n.-*")]
    return bool(sentences) and all(map(_refuses, sentences))


def affirmed(text: str) -> Iterator[Cue]:
    """In each sentence the first trigger that is not negated, from the first language that has any."""
    folded = fold(text)
    for language in languages_of(folded):
        match = _next(language, folded, 0)
        if match is None:
            continue
        ends = _sentence_ends(folded)
        while match is not None:
            index = bisect_left(ends, match.end())
            kind = match.lastgroup or ""
            begin = ends[index - 1] + 1 if index else 0
            listed = {"triggers": match.end(), "clauses": match.start(), "trailing": begin}[kind]
            yield Cue(match.start(), match.end(), listed, ends[index], language)
            match = _next(language, folded, ends[index])
        return


def negated(language: Language, folded: str, start: int) -> bool:
    """Whether what begins at ``start`` has a "not" right before it."""
    before = folded[max(0, start - _WINDOW) : start].rstrip(" \t\n*")
    return marked(language.negation, "$").search(before) is not None


@lru_cache(maxsize=4)
def unquoted(folded: str) -> str:
    """Quotations blotted out, positions kept: what somebody says is neither an order nor a denial."""
    return raw(QUOTED).sub(lambda match: "_" * len(match[0]), folded)


@cache
def _triggers(language: Language) -> re.Pattern[str]:
    kinds = [f"(?P<{kind}>{expression(language, phrases)})" for kind in _KINDS if (phrases := getattr(language, kind))]
    return re.compile("|".join(kinds))


def _next(language: Language, folded: str, position: int) -> re.Match[str] | None:
    """The next match that stands. A denied one may hold a good one, so the search goes on from its second character."""
    search = _triggers(language).search
    match = search(folded, position)
    while match is not None and _denied(language, unquoted(folded), match):
        match = search(folded, match.start() + 1)
    return match


def _sentence_ends(folded: str) -> list[int]:
    return [stop.start() for stop in boundaries().finditer(mask_abbreviations(folded))] + [len(folded)]


def _denied(language: Language, calm: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    if negated(language, calm, start):
        return True
    if match.lastgroup == "triggers":
        return False
    if marked(language.denial).search(_clauses_before(calm, start)):
        return True
    stop = boundaries().search(calm, end, end + _REACH)
    return marked(language.denied_after).match(calm, end, stop.start() if stop else end + _REACH) is not None


def _clauses_before(calm: str, start: int) -> str:
    """The sentence up to a place, from its last semicolon or "but" on: a denial does not reach over these."""
    before = calm[max(0, start - _REACH) : start]
    parts = raw(r"[.!?](?=\s)|[。！？;；]|\n[^\S\n]*\n|\bbut\b|\binstead\b").split(before)
    return str(parts[-1])


def _refuses(sentence: str) -> bool:
    for language in languages_of(sentence):
        pattern = compiled(language.code, "refusal")
        if pattern is not None and pattern.search(sentence):
            return True
    return False
