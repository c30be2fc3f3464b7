"""Characters that a person does not see and a model reads: tags, overrides of the writing direction, zero-width runs."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plugin_eval_ci.lazy import Lazy


class Hidden(NamedTuple):
    """Hidden characters of one sort in a file: the first place, how many, and what they spell."""

    line: int
    column: int
    sort: str  # tags, direction, zero-width, selectors
    size: int
    spells: str


_TAGS = Lazy("[\U000e0000-\U000e007f]+")
_FLAG = Lazy("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_SELECTORS = Lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")
_TURNS = "\u202b\u202d\u202e\u2067"
_ZERO = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u180e\ufeff"
_RIGHT_TO_LEFT = Lazy("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")
# Scripts that join, part or break words with such characters: Arabic to Tibetan, Myanmar, Khmer, Mongolian.
_NEEDS_JOINERS = (
    ("\u0600", "\u109f"),
    ("\u1780", "\u18af"),
    ("\u1900", "\u1aaf"),
    ("\ua840", "\ua9df"),
    ("\ufb50", "\ufdff"),
    ("\ufe70", "\ufefe"),
)
_LEAST = 3
_MOST = 20_000  # that are looked at one by one
_LONGEST = 400  # characters of one word


def hidden_in(text: str) -> Iterator[Hidden]:
    """The hidden characters of a text, one value for each sort."""
    if text.isascii():
        return
    data = text.encode(
        "utf-8", "surrogatepass"
    )  # looking for bytes is much faster than looking for classes of characters
    if b"\xf3\xa0" in data or data.count(b"\xef\xb8") >= _LEAST:
        yield from _smuggled(text)
    if any(char in text for char in _TURNS):
        turned = [match.start() for match in re.finditer(f"[{_TURNS}]", text) if _turns(text, match.start())]
        if turned:
            yield _hidden(text, turned[0], "direction", len(turned))
    if any(char in text for char in _ZERO):
        words = [(first, count) for first, count in _words(text) if count >= _LEAST]
        if words:
            yield _hidden(text, words[0][0], "zero-width", sum(count for _, count in words))


def _smuggled(text: str) -> Iterator[Hidden]:
    """Characters that stand for others: tags for ASCII, variation selectors for bytes."""
    tags = list(_TAGS().finditer(_FLAG().sub(lambda match: " " * len(match[0]), text)))
    if tags:
        spelled = "".join(
            chr(ord(char) - 0xE0000) for match in tags for char in match[0] if 0xE0020 <= ord(char) < 0xE007F
        )
        yield _hidden(text, tags[0].start(), "tags", sum(len(match[0]) for match in tags), spelled)
    selectors = list(_SELECTORS().finditer(text))
    if selectors:
        yield _hidden(text, selectors[0].start(), "selectors", sum(len(match[0]) for match in selectors))


def _hidden(text: str, at: int, sort: str, size: int, spells: str = "") -> Hidden:
    return Hidden(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), sort, size, spells)


def _turns(text: str, at: int) -> bool:
    """Whether a character turns what needs no turning: overrides always, embeddings on a line without such a script."""
    if text[at] in "\u202d\u202e":
        return True
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return _RIGHT_TO_LEFT().search(text, start, end if end >= 0 else len(text)) is None


def _words(text: str) -> list[tuple[int, int]]:
    """For each word with characters that hide in it without a reason: where the first one is, and how many there are."""
    words: list[tuple[int, int]] = []
    last = -_LONGEST
    for match in islice(re.finditer(f"[{_ZERO}]", text), _MOST):
        at = match.start()
        if _has_a_reason(text, at):
            continue
        if words and at - last < _LONGEST and not any(char.isspace() for char in text[last:at]):
            words[-1] = (words[-1][0], words[-1][1] + 1)
        else:
            words.append((at, 1))
        last = at
    return words


def _has_a_reason(text: str, at: int) -> bool:
    before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    if _joins(before) or _joins(after):
        return True
    joined = text[at] == "\u200d" and bool(before) and _is_picture(before)
    return joined and (not after or after.isspace() or _is_picture(after))


def _joins(char: str) -> bool:
    return bool(char) and any(low <= char <= high for low, high in _NEEDS_JOINERS)


def _is_picture(char: str) -> bool:
    """Emoji, their skin tones and selectors, and the signs that join with them."""
    return (
        "\U0001f000" <= char <= "\U0001faff"
        or char == "\ufe0f"
        or "\u2190" <= char <= "\u2bff"
        or char in "\u20e3\u3030\u303d"
    )
