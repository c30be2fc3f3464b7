"""The anchors that a Markdown page offers, by GitHub's rule."""

import os
from collections import Counter
from functools import lru_cache
from urllib.parse import unquote

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Body, Heading, Skill
from plugin_eval_ci.parse import documents
from plugin_eval_ci.parse.documents import inside, real_root
from plugin_eval_ci.parse.source import read

_DROPPED = Lazy(r"[^\w\- ]")
_MARKUP = Lazy(r"`|\*\*?|!?\[([^\[\]]*)\]\([^()]*\)|<[^<>]+>|\{#[^{}]+\}")
_EXPLICIT = Lazy(r"<[A-Za-z][^>]{0,200}?\b(?:id|name)\s*=\s*[\"']([^\"'>]{1,200})[\"']|\{#([\w:.-]{1,200})[^}]*\}")
_LINE = Lazy(r"L\d+(?:-L?\d+)?$")


def anchors_of(skill: Skill, place: str) -> frozenset[str] | None:
    """The anchors of a Markdown file of the repository; None for another kind of file, which has none that are known."""
    if place == skill.source.file:
        return _collect(skill.body, skill.source.text)
    if not place.lower().endswith((".md", ".markdown")) or not inside(os.path.realpath(place), real_root(skill.root)):
        return None
    return _read(place)


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


@lru_cache(maxsize=256)
def _read(place: str) -> frozenset[str]:
    source = read(place, place)
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
