"""A path in its sentence: what stands before and behind it, and what introduces the list it is in."""

from typing import NamedTuple

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.resolve.words import SIGN

_BEGINS = Lazy(r"\s*(?:[-*+•]\s|\d+[.)]\s|#|>|\||```|~~~|<)")
_ITEM = Lazy(r"\s*(?:>\s*)*(?:[-*+•]\s|\d+[.)]\s|\|)")
_BULLET = Lazy(r"^\s*(?:>\s*)*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_END = Lazy(r"[.!?]['\"”)*_]*\s|[。！？]|\s\|\s|^\s*\|")
_SHORT = Lazy(r"(?:(?<!\w)\w|(?<!\w)(?:e\.g|i\.e|ej|ex|etc|vs|bzw|ca|approx|no|nr))$", 2)
_SIGNED = Lazy(
    r"!?\[[^\[\]]*\](?:\([^()\s]*\)|\[[^\[\]]*\])|(`+)[^`]+\1"
    r"|(?<![\w/@])@?(?:\$\{?\w+\}?/)?(?:\.{0,2}/)?[\w.~-]+(?:/[\w.-]+)+/?",
    256,
)
_LABEL = 48  # letters before a path that may still be the label of a list item
_BLANKS = Lazy(r"\s{2,}")
_UP = 3  # lines of a paragraph that are looked back and ahead


class Place(NamedTuple):
    """What stands around a path in its sentence; links, code and other paths are one sign each."""

    before: str
    after: str
    sentence: str  # with the path, as written
    line: str
    intro: str = ""  # what introduces the list that the path is an item of
    listed: bool = False


def around(lines: list[str], row: int, start: int, end: int) -> Place:
    """The sentence around ``lines[row][start:end]``, which may go on over the lines of its paragraph."""
    line = lines[row]
    before, after = line[:start], line[end:]
    top = row
    while top > 0 and row - top < _UP and not _BEGINS().match(lines[top]) and _text(lines[top - 1]):
        top -= 1
        before = f"{lines[top].strip()} {before}"
    low = row
    while (
        low + 1 < len(lines)
        and low - row < 2
        and not line.lstrip().startswith("|")
        and _text(lines[low])
        and _more(lines[low + 1])
    ):
        low += 1
        after = f"{after} {lines[low].strip()}"
    before = before[-400:]
    before = before[_last_end(before) :]
    after = after[: _first_end(after[:300])]
    listed = _ITEM().match(lines[top]) is not None
    head = plain(_BULLET().sub("", before).rstrip("`@"))
    intro = ""
    if listed and len(head.strip()) < _LABEL:
        intro = _intro(lines, top)
    elif not listed and not head.strip():
        intro = _above(lines, top)
    # Runs of blanks say nothing, and the patterns that judge a sentence take them to the third power.
    head, behind = (_BLANKS().sub(" ", text) for text in (head, plain(after.lstrip("`"))))
    return Place(head, behind, f"{before}{line[start:end]}{after}", line, intro, listed)


def _above(lines: list[str], row: int) -> str:
    """The line above a paragraph, if it announces it with a colon."""
    line = next((lines[at] for at in range(row - 1, max(-1, row - 4), -1) if lines[at].strip()), "").rstrip(" *_")
    return line if line.endswith((":", "：")) else ""


def _text(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(("#", "|", "```", "~~~", "---", "***", "<"))


def _more(line: str) -> bool:
    return _text(line) and not _BEGINS().match(line)


def plain(text: str) -> str:
    """A text with one sign for each link, piece of inline code and path."""
    return _SIGNED().sub(SIGN, text).replace("*", "").replace("[", "").replace("](", " (")


def _last_end(text: str) -> int:
    at = 0
    for match in _END().finditer(text):
        if match[0][0] not in ".!?" or not _SHORT().search(text[: match.start()]):
            at = match.end()
    return at


def _first_end(text: str) -> int:
    for match in _END().finditer(f"{text} "):
        if match[0][0] not in ".!?" or not _SHORT().search(text[: match.start()]):
            return match.start() + 1
    return len(text)


def _intro(lines: list[str], row: int) -> str:
    """The heading or the line with a colon above a list; the head of a table."""
    table = lines[row].lstrip().startswith("|")
    head = ""
    for at in range(row - 1, max(-1, row - 40), -1):
        line = lines[at]
        if table and line.lstrip().startswith("|"):
            head = line
        elif line.strip() and not _ITEM().match(line) and not line.startswith((" ", "\t")):
            words_ = line.rstrip(" *_")
            return f"{words_} {head}" if words_.endswith((":", "：")) or line.startswith("#") else head
    return head
