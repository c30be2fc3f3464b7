"""Facts that rules, scores and reports share, counted from a ``Body`` (methodology, section 2)."""

from __future__ import annotations

import re

from plugin_eval_ci.languages import count_cjk
from plugin_eval_ci.model import Body, Heading, Skill, Value


def tokens(text: str) -> int:
    """An estimate: a quarter of a token a character, one for each CJK character."""
    cjk = count_cjk(text)
    return -(-(len(text) - cjk) // 4) + cjk


# Whole words, also beside Chinese and in _emphasis_, but no part of an identifier such as MUST_HAVE.
_DIRECTIVE = re.compile(r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]_)(?:MUST|NEVER|ALWAYS)(?!_?[A-Za-z0-9])")
_TRUE = frozenset({"true", "yes", "on", "1"})


def says_true(value: Value | None) -> bool:
    """Whether Claude Code reads a value as true: true, yes, on or 1 in any letter case."""
    return value is not None and value.kind in ("boolean", "number", "text") and value.text.strip().lower() in _TRUE


def is_picked_by_description(skill: Skill) -> bool:
    """Whether a model may pick the skill by its description: not with ``disable-model-invocation``, nor limited to ``paths``."""
    hidden, paths = skill.header.field("disable-model-invocation"), skill.header.field("paths")
    if hidden is not None and says_true(hidden.value):
        return False
    values = (paths.value, *paths.value.items) if paths is not None else ()
    return not any(value.kind == "text" and value.text.strip() for value in values)


def directive_lines(body: Body) -> tuple[int, ...]:
    """The line of every MUST, NEVER and ALWAYS in prose: whole words in upper case, inline code excluded."""
    found: list[int] = []
    for prose in body.prose:
        text = prose.text
        if "MUST" in text or "NEVER" in text or "ALWAYS" in text:
            found += [prose.line] * len(_DIRECTIVE.findall(text))
    return tuple(found)


def section_headings(body: Body) -> tuple[Heading, ...]:
    """The headings of level 2 and 3."""
    return tuple(heading for heading in body.headings if heading.level in (2, 3))


def fence_languages(body: Body) -> tuple[str, ...]:
    """The languages of the fenced blocks, each once, sorted."""
    return tuple(sorted({fence.language for fence in body.fences if fence.language}))


def has_examples(body: Body) -> bool:
    """Whether a section is about examples or usage."""
    from plugin_eval_ci import languages  # its tables are loaded only where somebody asks

    return any(languages.is_examples_heading(heading.title) for heading in section_headings(body))


def has_troubleshooting(body: Body) -> bool:
    """Whether a section is about troubleshooting, common issues or a FAQ."""
    from plugin_eval_ci import languages

    return any(languages.is_troubleshooting_heading(heading.title) for heading in section_headings(body))
