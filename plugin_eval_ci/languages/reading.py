"""Reading a text: folding, scripts, sentences, and which tables to ask. Everything keeps character positions."""

import re
from functools import cache, lru_cache

from plugin_eval_ci.languages.de import GERMAN
from plugin_eval_ci.languages.en import ENGLISH
from plugin_eval_ci.languages.es import SPANISH
from plugin_eval_ci.languages.fr import FRENCH
from plugin_eval_ci.languages.ja import JAPANESE
from plugin_eval_ci.languages.ko import KOREAN
from plugin_eval_ci.languages.pt import PORTUGUESE
from plugin_eval_ci.languages.table import Language, Phrases
from plugin_eval_ci.languages.zh import CHINESE

LANGUAGES: tuple[Language, ...] = (ENGLISH, JAPANESE, KOREAN, CHINESE, SPANISH, PORTUGUESE, FRENCH, GERMAN)

# Han, Hiragana, Katakana (also half-width) and Hangul. Full-width punctuation says no more than "," does.
_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
_ACCENTED = "áàâãäåéèêëíìîïóòôõöúùûüçñýÿ’‘ʼ"
_ACCENTS = str.maketrans(_ACCENTED, "aaaaaaeeeeiiiiooooouuuucnyy'''")
_BLANK = r"(?:[\s*]+)"
# Not after a word or a comma and one blank: the text's start, a full stop, a bullet, a bracket.
_SENTENCE_START = r"(?<![\w,'][\s])"
_CLAUSE_START = r"(?:(?<![\s\S])|(?<=[.!?:;—–\-•\"”][\s])|(?<=\n\n)|(?<=\*))"
_BOUNDARY = r"[.!?](?=\s|$)|[。！？]|\n[^\S\n]*\n(?!\s*[-*•])"
_ABBREVIATION = (
    r"\b(?:e\.g|i\.e|vs|cf|approx|incl|z\.\s?b|d\.\s?h|p\.\s?ex|p\.\s?ej|bzw|ggf|usw(?=\.\s[a-z])"
    r"|etc(?=\.\s[a-z(]))\.,?"
)


@cache
def raw(source: str) -> re.Pattern[str]:
    """An ordinary regular expression, compiled on first use."""
    return re.compile(source)


def count_cjk(text: str) -> int:
    """How many characters are Han, Hiragana, Katakana or Hangul."""
    if text.isascii():
        return 0
    return sum(map(len, raw(f"[{_CJK}]+").findall(text)))


def weighted_length(text: str) -> int:
    """Characters without surrounding white space; a CJK one counts two, full-width punctuation one."""
    stripped = text.strip()
    return len(stripped) + count_cjk(stripped)


@lru_cache(maxsize=4)
def fold(text: str) -> str:
    """Lower case without accents, one character for one character, so that positions hold in the text itself."""
    lower = text.lower()
    if text.isascii():
        return lower
    if len(lower) != len(text):  # a dotted capital I grows when lowered
        lower = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    # Translating costs a look-up for each character, and most texts that are not ASCII hold dashes or Chinese, no accent.
    return lower.translate(_ACCENTS) if any(char in lower for char in _ACCENTED) else lower


@lru_cache(maxsize=4)
def languages_of(folded: str) -> tuple[Language, ...]:
    """The tables to ask for a text, in order: English, then those whose letters or common words it holds."""
    words = set(folded.split())
    words |= {word.strip("*,.;:()\"'") for word in words if not word.isalnum()}  # "verwenden," is a word too
    ascii_only = folded.isascii()
    return tuple(language for language in LANGUAGES if _speaks(language, folded, words, ascii_only))


def _speaks(language: Language, folded: str, words: set[str], ascii_only: bool) -> bool:
    if language.letters:
        return not ascii_only and raw(language.letters).search(folded) is not None
    return not language.common_words or not language.common_words.isdisjoint(words)


def expression(language: Language, phrases: Phrases) -> str:
    """The source of a pattern for phrases; between CJK characters a word boundary means nothing."""
    body = "|".join(phrases).replace(" ", _BLANK).replace("@", _SENTENCE_START).replace("§", _CLAUSE_START)
    return f"(?:{body})" if language.letters else rf"\b(?:{body})(?!\w)"


@cache
def compiled(code: str, field: str) -> re.Pattern[str] | None:
    """The pattern of a field of a language, or None when the table leaves it empty."""
    language = next(language for language in LANGUAGES if language.code == code)
    phrases: Phrases = getattr(language, field)
    return re.compile(expression(language, phrases)) if phrases else None


@cache
def marked(source: str, anchor: str = "") -> re.Pattern[str]:
    """A single expression of a table, its blanks replaced; ``anchor`` ties it to the end."""
    return re.compile(f"(?:{source.replace(' ', _BLANK)}){anchor}")


def found(field: str, folded: str) -> bool:
    """Whether any language's phrases of that field occur."""
    for language in languages_of(folded):
        pattern = compiled(language.code, field)
        if pattern is not None and pattern.search(folded):
            return True
    return False


def mask_abbreviations(folded: str) -> str:
    """Dots and commas of abbreviations ("e.g.,") blotted out: they end no sentence and part no items."""
    if "." not in folded:
        return folded
    return raw(_ABBREVIATION).sub(lambda match: "_" * len(match[0]), folded)


def boundaries() -> re.Pattern[str]:
    """What ends a sentence: a stop before white space, a CJK stop, an empty line not followed by a bullet."""
    return raw(_BOUNDARY)
