"""Whether a sentence sends its reader to a path, or says that the path is made, missing, an example or somebody else's."""

import re

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.resolve import hints, words
from plugin_eval_ci.resolve.sentence import Place, plain
from plugin_eval_ci.resolve.words import SIGN

_LIST = Lazy(
    rf"(?:{SIGN}[`\"'”）)]*\s*(?:\([^()]*\)\s*)?(?:,|、|，|;|/|&|\+|und|oder|and|or|then|et|ou|y|o|e|plus|和|或|以及|与|と|や|및|와|과|또는)"
    r"[\s,]*(?:and |or |then |also |the |und |puis |et |y |e )*)+\Z",
    2,
)
_SMALL = (
    r"(?:the|a|an|this|our|both|el|la|los|las|le|les|l'|un|una|une|o|os|as|do|da|no|na|der|die|das|den|dem|des"
    r"|zur|zum|at|in|under|from|of|by|en|em|im|à|au|to"
    r"|(?:sub-?)?skills?|agents?|file|files|folder|directory|guide|reference|references|reading|background"
    r"|script|template|workflow|instructions|steps|doc|docs|página|archivo|arquivo|fichier|datei|fertigkeit"
    r"|habilidad|habilidade|compétence|agente|技能|文件|技能文件|代理|スキル|스킬)"
)
_MARKS = r"[\s:：*_(\[“\"'「《–—-]*"
_WORDS = rf"(?:{_MARKS}{_SMALL}(?![\w-]))*"
_GAP = Lazy(rf"{_WORDS}{_MARKS}\Z", 2)
_NOUN_GAP = Lazy(rf"{_WORDS}(?:\s*[\w-]+)?{_WORDS}{_MARKS}\Z", 2)
_CJK_GAP = Lazy(r"[^\x00-\x7f]{0,6}\s*\Z")
_SOURCE = Lazy(r"\b(?:from|aus|desde|depuis)\s*$", 2)
_BREAK = Lazy(r"[.!?;|。！？；，]|, ")
_CLAUSE = Lazy(r"[,;:，；：]\s?|\s[–—-]\s|(?<!\w)(?:but|and then|then|sondern|mais|pero|mas)\s|但|而是")
_RELATED = Lazy(
    r"related|required|prerequisite|see also|depend(?:s|encies)|next steps?|further reading|read (?:next"
    r"|first)|integrat|hand-?offs?|works with|verwandte|voraussetzung|siehe auch"
    r"|voir aussi|associé|liées?|relacionad|véase|veja|requerid|相关|依赖|参考|另见|関連|必須|前提|参照|관련|필수|참고",
    2,
)
_SHELL_MAKES = Lazy(r"(?:\bmkdir(?: -p)?|\btouch|>|\btee|\b(?:cp|mv)\b.*) *[\"']?(?:\./)?\Z")
_PLACES = 40  # of one path that are looked at
_REACH = 200
_MOST = 60  # letters between a word and the path it governs


def told(place: Place, strict: bool = False, file: bool = False) -> bool:
    """Whether a word governs the path that tells to go there. ``strict``: right before it; ``file``: it can only be a file's."""
    before = _LIST().sub("", place.before)
    if words.TOLD_BEHIND().match(place.after) or (file and is_copied(place.before)):
        return True
    lead = _last(words.LEAD(), before)
    if lead is not None and not hints.NOT().search(before[: lead[0]]):
        gap = before[lead[1] :]
        if _GAP().fullmatch(gap) or (not strict and _governs(gap)):
            return True
    close = _last(words.CLOSE(), before)
    if close is None or hints.NOT().search(before[: close[0]]) or not _GAP().fullmatch(before[close[1] :]):
        return False
    word = before[close[0] : close[1]].lower()
    if strict and word not in ("then", "next", "afterwards", "via", "required", "related"):
        return False
    if word in words.ONLY_FILES and not file:
        return False
    clause = before[: close[0]]
    return word in words.INSTRUMENT or not words.MAKE().search(
        clause[max((m.end() for m in _CLAUSE().finditer(clause)), default=0) :]
    )


def introduced(place: Place) -> bool:
    """Whether the heading or line above the list says that its items are to be read, used or known."""
    intro = plain(place.intro)
    if (
        not intro
        or hints.EXAMPLE().search(intro.rstrip(" :：*") + " ")
        or words.MAKE().search(intro)
        or hints.STOP().search(intro)
    ):
        return False
    if _RELATED().search(intro):
        return True
    lead = _last(words.LEAD(), intro)
    return lead is not None and intro.rstrip().endswith((":", "：")) and not hints.NOT().search(intro[: lead[0]])


def silenced(place: Place, loosely: bool = False) -> bool:
    """Whether the sentence says that the path is made, may be missing, is gone, an example, or somebody else's.

    ``loosely``: nothing tells to go there, so that any such word of the sentence counts.
    """
    before, after = place.before, place.after
    if (
        hints.TREE().search(place.line)
        or hints.EXAMPLE().search(before)
        or hints.EXAMPLE().search(plain(place.line[:120])[:24])
    ):
        return True
    if (
        hints.SILENT_BEHIND().match(after)
        or hints.IF_BEFORE().search(before)
        or hints.ELSEWHERE().search(place.sentence)
    ):
        return True
    if hints.ARROW_BEFORE().search(before) or hints.ARROW_BEHIND().match(after) or is_made(before):
        return True
    if not loosely:
        return False
    if is_gone(place):  # a sentence that sends the reader to what was renamed is all the more wrong
        return True
    clause = before[max((m.end() for m in _CLAUSE().finditer(before)), default=0) :]
    return (
        any(pattern().search(clause) for pattern in (words.MAKE, hints.STOP, hints.NOT_ANY))
        or words.MAKE().search(after) is not None
    )


def is_gone(place: Place) -> bool:
    """Whether the words behind the path say that it was removed or renamed."""
    return hints.GONE_BEHIND().match(place.after) is not None


def is_made(before: str) -> bool:
    """Whether a word that makes, moves or removes governs the path: at most an article and a noun stand between."""
    before = _LIST().sub("", before)
    make = _last(words.MAKE(), before)
    if make is None or is_copied(before):
        return False
    lead = _last(words.LEAD(), before)
    if lead is not None and lead[0] >= make[1]:
        return False
    gap = before[make[1] :]
    if len(gap) > _MOST or _SOURCE().search(gap):
        return False
    return bool(_NOUN_GAP().fullmatch(gap) or _CJK_GAP().fullmatch(gap))


def is_copied(before: str) -> bool:
    """Whether the path is what is copied ("copy `assets/a.md` to …"), not where it is copied to."""
    return words.COPIED().search(before) is not None


def is_made_in_shell(text: str, path: str) -> bool:
    """Whether a command of the text makes the path, or something below it."""
    path = path.rstrip("/")
    at = text.find(path) if path else -1
    for _ in range(_PLACES):
        if at < 0:
            return False
        behind = text[at + len(path) : at + len(path) + 1]
        if not (behind.isalnum() or behind in ("_", "-")) or not behind:
            start = max(0, at - _REACH)
            if _SHELL_MAKES().search(text[max(start, text.rfind("\n", start, at) + 1) : at]):
                return True
        at = text.find(path, at + len(path))
    return False


def is_example(text: str) -> bool:
    """Whether a text introduces an example."""
    return hints.EXAMPLE().search(text) is not None


def is_example_behind(after: str) -> bool:
    """Whether what follows says that it was an example."""
    return hints.EXAMPLE_BEHIND().match(after.lstrip(" `)\"',")) is not None


def _governs(gap: str) -> bool:
    return len(gap) <= _MOST and not (_BREAK().search(gap) or words.MAKE().search(gap) or hints.STOP().search(gap))


def _last(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    found = None
    for match in pattern.finditer(text):
        found = match.span()
    return found
