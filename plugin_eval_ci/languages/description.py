"""What a description tells the model about when to pick the skill (contract 3.1, 3.8 and MISSING_TRIGGER)."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
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
_QUOTED = (
    r"\"[^\"\n]{0,120}\"|“[^”\n]{0,120}”|「[^」\n]{0,120}」|『[^』\n]{0,120}』|«[^»\n]{0,120}»"
    r"|(?<![\w])'[^'\n]{0,120}'(?!\w)"
)
_PUNCTUATION = r"[;；，、؛]|,(?!\d)|(?<!\d),|\n\s{0,20}[-*•]\s"
_NO_ITEM = frozenset({"etc", "usw", "and", "and more", "or", "等", "など", "_____"})
# A file type or a name: an extension, a glob, an acronym, a capital within a word.
_FILE = (
    r"(?:(?<![\w.])|\*)\.[a-z][a-z0-9]{1,5}\b|\b[A-Z][A-Z0-9]{1,7}s?\b|\b[A-Za-z]{1,20}[a-z0-9][A-Z]\w{0,20}"
    r"|\b\w{1,20}\.(?:js|py|md|io|ai|json|ya?ml)\b"
)
_CAPITAL = r"(?<=[a-z,][ \n])[A-Z][a-z]{2,20}\b"
_LATIN_NAME = r"[A-Za-z][A-Za-z0-9.+#-]{1,30}"
_SHOUTED = (
    "ANY ALL ALWAYS AND BEFORE AFTER DO FIRST IF IN IS IT MUST NEVER NOT NO ON ONLY OR "
    "PROACTIVELY THE THIS TO USE  WHEN"
)


class Trigger(NamedTuple):
    """A phrase that says when to use the skill; positions are those of the text given."""

    start: int
    end: int
    language: str


class _Match(NamedTuple):
    start: int
    end: int
    listed_from: int  # behind the verb, within the clause, or before the verb that closes the sentence
    listed_to: int  # the sentence's end
    language: Language


def trigger(text: str) -> Trigger | None:
    """The first trigger phrase that is not negated, or None. The first language that has one answers."""
    match = next(_affirmed(text), None)
    return Trigger(match.start, match.end, match.language.code) if match else None


def contexts(text: str) -> int:
    """The items after the first one in each sentence with a trigger phrase.

    They are counted from the trigger on, or from the sentence's start when the trigger closes it. Items in brackets
    and bullets count; a quotation is one item whatever it holds.
    """
    folded = mask_abbreviations(fold(text))
    scopes = ((folded[match.listed_from : match.listed_to], match.language) for match in _affirmed(text))
    return sum(max(0, _count_items(scope, language) - 1) for scope, language in scopes)


def has_proactive(text: str) -> bool:
    """Whether it says "proactively"."""
    return _says("proactive", text)


def has_agent_proactive(text: str) -> bool:
    """Whether it says "use proactively", as an agent's description does."""
    return _says("agent_proactive", text)


def has_automatic(text: str) -> bool:
    """Whether it says that the skill comes by itself or is always used."""
    return _says("automatic", text)


def has_specific_context(text: str) -> bool:
    """Whether it says when doing what, or names a file type or a product after the trigger phrase."""
    if _says("context", text, negatable=False):
        return True
    return any(_names(text[match.listed_from : match.listed_to], match.language) for match in _affirmed(text))


def _says(field: str, text: str, negatable: bool = True) -> bool:
    folded = fold(text)
    for language in languages_of(folded):
        pattern = compiled(language.code, field)
        for match in pattern.finditer(folded) if pattern else ():
            if not (negatable and _negated(language, folded, match.start())):
                return True
    return False


@cache
def _triggers(language: Language) -> re.Pattern[str]:
    kinds = [f"(?P<{kind}>{expression(language, phrases)})" for kind in _KINDS if (phrases := getattr(language, kind))]
    return re.compile("|".join(kinds))


def _affirmed(text: str) -> Iterator[_Match]:
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
            yield _Match(match.start(), match.end(), listed, ends[index], language)
            match = _next(language, folded, ends[index])
        return


def _next(language: Language, folded: str, position: int) -> re.Match[str] | None:
    found = _triggers(language).finditer(folded, position)
    return next((match for match in found if not _denied(language, folded, match)), None)


def _sentence_ends(folded: str) -> list[int]:
    return [stop.start() for stop in boundaries().finditer(mask_abbreviations(folded))] + [len(folded)]


def _negated(language: Language, folded: str, start: int) -> bool:
    before = folded[max(0, start - _WINDOW) : start].rstrip(" \t\n*")
    return marked(language.negation, "$").search(before) is not None


def _denied(language: Language, folded: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    if _negated(language, folded, start):
        return True
    if match.lastgroup == "triggers":
        return False
    before = _clauses_before(folded, start)
    if marked(language.denial).search(before):
        return True
    after = marked(language.denied_after)
    if match.lastgroup == "trailing":
        return after.match(folded, end) is not None
    stop = boundaries().search(folded, end, end + _REACH)
    return after.search(folded, start, stop.start() if stop else end + _REACH) is not None


def _clauses_before(folded: str, start: int) -> str:
    """The sentence up to a place, from its last semicolon or "but" on: a denial does not reach over these."""
    before = folded[max(0, start - _REACH) : start]
    parts = raw(r"[.!?](?=\s)|[。！？;；]|\n[^\S\n]*\n|\bbut\b|\binstead\b").split(before)
    return str(parts[-1])


def _count_items(scope: str, language: Language) -> int:
    unquoted = raw(_QUOTED).sub("_____quoted", scope)
    words = "|".join(language.separators)
    words = f"(?:{words})" if language.letters else rf"\b(?:{words})(?!\w)"
    items = raw(f"{_PUNCTUATION}|{words}").split(unquoted)
    denial = marked(f"(?:{language.denial})|not for")
    return sum(_is_item(item) and not denial.match(item.strip()) for item in items)


def _is_item(item: str) -> bool:
    bare = item.strip(" \t\n.:()[]*\"'-")
    return any(map(str.isalnum, bare)) and bare not in _NO_ITEM


def _names(scope: str, language: Language) -> bool:
    if language.letters:
        return raw(_LATIN_NAME).search(scope) is not None
    shouted = frozenset(_SHOUTED.split())
    if any(word not in shouted for word in raw(_FILE).findall(scope)):
        return True
    return not language.capital_nouns and raw(_CAPITAL).search(scope) is not None
