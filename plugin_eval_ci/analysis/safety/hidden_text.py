"""Characters that a person does not see and a model reads: tags, overrides of the writing direction, zero-width runs."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plugin_eval_ci.analysis.safety import digest_of
from plugin_eval_ci.util.lazy import Lazy


class HiddenText(NamedTuple):
    """Hidden characters of one sort in a file: the first place, how many, and what they spell."""

    line: int
    column: int
    sort: str  # tags, direction, zero-width, selectors, split
    size: int
    spells: str
    digest: str  # of what is hidden: another hidden text is another finding
    in_header: bool = False  # a name that a client reads is split


_TAGS = Lazy("[\U000e0000-\U000e007f]+")
_FLAG = Lazy("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_SELECTORS = Lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")
_TURNS = "\u202b\u202d\u202e\u2067"
# Of no width, or blank although they count as letters: joiners, fillers of Hangul, the empty Braille cell, marks of Mongolian and of music.
_MUSIC = "".join(map(chr, range(0x1D173, 0x1D17B)))
_ZERO = (
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u206a\u206b\u206c\u206d\u206e\u206f\u180b\u180c\u180d\u180e\u180f\ufeff"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + _MUSIC
)
_AT_HOME = {  # what stands next to such a character where it belongs
    "\u034f": ("\u0300", "\u06ff"),
    "\u115f": ("\u1100", "\u11ff"),
    "\u1160": ("\u1100", "\u11ff"),
    "\u2800": ("\u2801", "\u28ff"),
    "\u3164": ("\u3130", "\ud7af"),
    "\uffa0": ("\uffa1", "\uffdc"),
    **dict.fromkeys(_MUSIC, ("\U0001d100", "\U0001d1ff")),
}
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
_LITERAL = 8
_NAMED = Lazy(r"^([A-Za-z_-]+)[ \t]*:", re.MULTILINE)
_NAMES = frozenset(
    {
        "name",
        "tools",
        "allowed-tools",
        "disallowedtools",
        "disallowed-tools",
        "model",
        "skills",
        "agent",
        "hooks",
        "mcpservers",
        "paths",
    }
)
_ACTED_ON = frozenset(
    {
        "bash", "read", "write", "edit", "glob", "grep", "webfetch", "websearch", "task", "agent",
        "notebookedit", "multiedit", "todowrite", "curl", "wget", "rm", "sudo", "chmod", "ssh", "scp",
        "eval", "exec", "python", "python3", "node", "npm", "npx", "pip", "git", "docker",
        "kubectl", "powershell", "ignore", "disregard", "forget", "override", "instructions", "password", "secret", "token",
        "credentials", "exfiltrate", "delete",
    }
)  # fmt: skip
_MOST = 20_000  # that are looked at one by one
_LONGEST = 400  # characters of one word


def hidden_in(text: str) -> Iterator[HiddenText]:
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
            lines = dict.fromkeys(_line_at(text, at) for at in turned)
            yield _hidden(text, turned[0], "direction", len(turned), "", digest_of(*lines))
    if any(char in text for char in _ZERO):
        yield from _zero_width(text)


def _zero_width(text: str) -> Iterator[HiddenText]:
    """Characters of no width that carry or split something; a literal of nothing else, and a formula, hide nothing."""
    words = list(_words(text))
    carrying = [word for word in words if len(word.hidden) >= _LEAST and word.carries]
    if carrying:
        found = _hidden(text, carrying[0].at, "zero-width", sum(len(word.hidden) for word in carrying))
        yield found._replace(digest=digest_of(*(word.shown + word.hidden for word in carrying)))
    names = [word for word in words if word not in carrying and word.splits and _is_name(text, word)]
    if names:
        found = _hidden(text, names[0].at, "split", sum(len(word.hidden) for word in names), names[0].shown)
        header = any(_in_header(text, word.at) for word in names)
        yield found._replace(digest=digest_of(*(word.shown + word.hidden for word in names)), in_header=header)


def _smuggled(text: str) -> Iterator[HiddenText]:
    """Characters that stand for others: tags for ASCII, variation selectors for bytes."""
    tags = list(_TAGS().finditer(_FLAG().sub(lambda match: " " * len(match[0]), text)))
    if tags:
        spelled = "".join(
            chr(ord(char) - 0xE0000) for match in tags for char in match[0] if 0xE0020 <= ord(char) < 0xE007F
        )
        yield _hidden(
            text,
            tags[0].start(),
            "tags",
            sum(len(match[0]) for match in tags),
            spelled,
            digest_of(*(match[0] for match in tags)),
        )
    selectors = list(_SELECTORS().finditer(text))
    if selectors:
        size = sum(len(match[0]) for match in selectors)
        yield _hidden(text, selectors[0].start(), "selectors", size, "", digest_of(*(match[0] for match in selectors)))


def _hidden(text: str, at: int, sort: str, size: int, spells: str = "", digest: str = "") -> HiddenText:
    return HiddenText(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), sort, size, spells, digest)


def _line_at(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)]


def _turns(text: str, at: int) -> bool:
    """Whether a character turns what needs no turning: overrides always, embeddings on a line without such a script."""
    if text[at] in "\u202d\u202e":
        return True
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return _RIGHT_TO_LEFT().search(text, start, end if end >= 0 else len(text)) is None


class _Word(NamedTuple):
    """A word with characters that hide in it without a reason."""

    at: int  # of the first of them
    hidden: str
    shown: str  # the word without them
    splits: int  # how many stand between two letters
    carries: bool  # three split it, or some stand in a row, as text that is spelled with them does


def _words(text: str) -> Iterator[_Word]:
    places: list[int] = []
    for match in islice(re.finditer(f"[{_ZERO}]", text), _MOST):
        at = match.start()
        if _has_a_reason(text, at):
            continue
        if places and (at - places[-1] >= _LONGEST or any(char.isspace() for char in text[places[-1] : at])):
            yield _word(text, places)
            places = []
        places.append(at)
    if places:
        yield _word(text, places)


def _word(text: str, places: list[int]) -> _Word:
    hidden = "".join(text[at] for at in places)
    start, end = places[0], places[-1] + 1
    while start > max(0, places[0] - _LONGEST) and _in_word(text[start - 1]):
        start -= 1
    while end < min(len(text), places[-1] + _LONGEST) and _in_word(text[end]):
        end += 1
    shown = "".join(char for char in text[start:end] if char not in _ZERO)
    splits = [at for at in places if _splits(text, at)]
    carries = sum(text[at] != "\u00ad" for at in splits) >= _LEAST or _carries(
        text, places
    )  # a soft hyphen is for long words
    return _Word(places[0], hidden, shown, len(splits), carries)


def _in_word(char: str) -> bool:
    return char.isalnum() or char in "_-" or char in _ZERO


def _splits(text: str, at: int) -> bool:
    """Whether it stands inside a word of at least three letters; a hyphen that may be shown only between parts shorter than a syllable."""
    start, end = at, at + 1
    while start > 0 and at - start < _LONGEST and (text[start - 1] in _ZERO or _is_letter(text[start - 1])):
        start -= 1
    while end < len(text) and end - at < _LONGEST and (text[end] in _ZERO or _is_letter(text[end])):
        end += 1
    before = sum(char not in _ZERO for char in text[start:at])
    after = sum(char not in _ZERO for char in text[at + 1 : end])
    return before > 0 and after > 0 and before + after >= _LEAST


def _is_letter(char: str) -> bool:
    return (char.isascii() and char.isalnum()) or char == "_"


def _carries(text: str, places: list[int]) -> bool:
    """Whether some of them stand in a row that is not all that stands between two quotation marks or brackets."""
    row: list[int] = []
    for at in [*places, -1]:
        if row and at != row[-1] + 1:
            before, after = text[max(0, row[0] - 1) : row[0]], text[row[-1] + 1 : row[-1] + 2]
            literal = (
                len(row) <= _LITERAL and before in ("'", '"', "`", "[", "/") and after in ("'", '"', "`", "]", "/")
            )
            if len(row) >= _LEAST and not literal:
                return True
            row = []
        row.append(at)
    return False


def _is_name(text: str, word: _Word) -> bool:
    """Whether a word is a name that a client, a shell or a person acts on: in the header, in code, or a command."""
    if all(char == "\u00ad" for char in word.hidden) and not _in_header(text, word.at):
        return word.shown.lower() in _ACTED_ON
    if word.shown.lower() in _ACTED_ON or _in_header(text, word.at):
        return True
    line, at = _line_at(text, word.at), word.at - text.rfind("\n", 0, word.at) - 1
    return line.count("`", 0, at) % 2 == 1 and "`" in line[at:]


def _in_header(text: str, at: int) -> bool:
    """Whether it is part of a name, or of a list of tools, in the frontmatter."""
    end = text.find("\n---", 3) if text.startswith("---\n") else -1
    if not 0 <= at <= end:
        return False
    keys = _NAMED().findall(text, 0, at)
    return bool(keys) and keys[-1].lower() in _NAMES


def _has_a_reason(text: str, at: int) -> bool:
    before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    if text[at] == "\ufeff" and at == 0:
        return True
    home = _AT_HOME.get(text[at])
    if home is not None and any(home[0] <= char <= home[1] for char in _line_at(text, at) if char not in _ZERO):
        return True
    if _joins(before) or _joins(after):
        return True
    joined = text[at] == "\u200d" and bool(before) and _is_picture(before)
    return joined and (not after or after.isspace() or _is_picture(after))


def _joins(char: str) -> bool:
    return bool(char) and char not in _ZERO and any(low <= char <= high for low, high in _NEEDS_JOINERS)


def _is_picture(char: str) -> bool:
    """Emoji, their skin tones and selectors, and the signs that join with them."""
    return (
        "\U0001f000" <= char <= "\U0001faff"
        or char == "\ufe0f"
        or "\u2190" <= char <= "\u2bff"
        or char in "\u20e3\u3030\u303d"
    )
