"""The anchors that a Markdown page offers, by GitHub's rule."""

import os
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import unquote

from plugin_eval_ci.model import Body, Heading, Skill
from plugin_eval_ci.parse import documents
from plugin_eval_ci.parse.documents import is_inside, real_root
from plugin_eval_ci.parse.source import read_source
from plugin_eval_ci.util.lazy import Lazy

_DROPPED = Lazy(r"[^\w\- ]")
_MARKUP = Lazy(r"`|\*\*?|!?\[([^\[\]]*)\]\([^()]*\)|<[^<>]+>|\{#[^{}]+\}")
_EXPLICIT = Lazy(r"<[A-Za-z][^>]{0,200}?\b(?:id|name)\s*=\s*[\"']([^\"'>]{1,200})[\"']|\{#([\w:.-]{1,200})[^}]*\}")
_LINE = Lazy(r"L\d+(?:-L?\d+)?$")


def anchors_of(skill: Skill, place: str) -> frozenset[str] | None:
    """The anchors of a Markdown file of the repository; None for another kind of file, which has none that are known."""
    if place == skill.source.file:
        return _own(skill)
    if not place.lower().endswith((".md", ".markdown")) or not is_inside(
        os.path.realpath(place), real_root(skill.root)
    ):
        return None
    return _read(place) if os.path.exists(place) else None  # a sparse checkout leaves files out


def has_anchor(anchors: frozenset[str], anchor: str) -> bool:
    """Whether an anchor, as written in a link, is one of them. Line anchors and text fragments always are."""
    name = unquote(anchor).lower()
    if not name.isascii():
        from unicodedata import category

        # GitHub keeps marks, such as the variation selector of an emoji, which headings often lack
        name = "".join(char for char in name if not category(char).startswith("M"))
    return (
        name in anchors or name in ("", "top") or name.startswith(":~:") or _LINE().match(unquote(anchor)) is not None
    )


_last: list[tuple[Skill, frozenset[str]]] = []


def _own(skill: Skill) -> frozenset[str]:
    if not _last or _last[0][0] is not skill:
        _last[:] = [(skill, _collect(skill.body, skill.source.text))]
    return _last[0][1]


@lru_cache(maxsize=256)
def _read(place: str) -> frozenset[str]:
    source = read_source(place, place)
    return _collect(documents.parse_text(source)[1], source.text)


def _collect(body: Body, text: str) -> frozenset[str]:
    names = {(first or second).lower() for first, second in _EXPLICIT().findall(text)}
    return frozenset(names.union(_slugs(body.headings)))


def slug(title: str) -> str:
    """The anchor that a heading gives, but for the number of one that is there twice."""
    words = _MARKUP().sub(lambda match: match[1] or "", title)
    return _DROPPED().sub("", words.strip().lower()).replace(" ", "-")


def _slugs(headings: tuple[Heading, ...]) -> list[str]:
    seen: Counter[str] = Counter()
    slugs = []
    for heading in headings:
        name = slug(heading.title)
        slugs.append(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return slugs


_FENCE = Lazy(r"^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE = Lazy(r"(?<!`)(`++)[^`\n]++\1")
_TARGET = Lazy(
    r"\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]*))|^ {0,3}\[[^\]\n]+\]:\s*<?(\S+)|\b(?:href|src)\s*=\s*[\"']([^\"'\n]+)",
    re.MULTILINE | re.IGNORECASE,
)
_URL = Lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//|/")
_HEADING = Lazy(r"^[ \t>]{0,6}#{1,6}[ \t]++(.*)$", re.MULTILINE)


def is_of_interest(text: str, is_plain: Callable[[str], bool]) -> bool:
    """Whether a page has a link to a file that ``is_plain`` does not know to be in order, or to a section that no heading seems to give."""
    if "](" not in text and "]:" not in text and "href" not in text and "src" not in text:
        return False
    words = _CODE().sub("", _FENCE().sub("", text)) if "`" in text or "~~~" in text else text
    targets = {next(filter(None, match.groups()), "") for match in _TARGET().finditer(words)}
    anchors = {target[1:].lower() for target in targets if target.startswith("#")}
    if any(
        target and not target.startswith("#") and not _URL().match(target) and not is_plain(target)
        for target in targets
    ):
        return True
    return bool(anchors) and not anchors <= {slug(title.rstrip(" \t#")) for title in _HEADING().findall(words)}
