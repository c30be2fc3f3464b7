"""Is a Markdown file a skill, an agent, or a page about them? Its folders, its name and its first lines tell."""

import os
import re

from plugin_eval_ci.parse.source import head_text

_DOCS = frozenset({"doc", "docs", "documentation", "website", "site", "wiki", "book", "blog", "pages", "translations"})
_PARTS_OF_A_SKILL = frozenset(
    {"references", "reference", "scripts", "assets", "templates", "evals", "examples", "resources"}
)
TEMPLATES = frozenset({"template", "templates", "overlay", "overlays", "scaffold", "scaffolds", "boilerplate"})
_PROSE = re.compile(
    r"(?:readme|index|changelog|contributing|license|notice|claude|agents|gemini|skill|credits|authors|attributions?"
    r"|security|code_of_conduct|third[_-]party[_-]notices)(?:[._-][a-z]{2,4}(?:[_-][a-z]{2,4})?)?\.md",
    re.IGNORECASE,
)
_SPELLED = re.compile(r"skills?(?:\.(?:md|mdx|markdown|txt))?", re.IGNORECASE)
_HEAD = 4_096  # bytes: enough for a header's first keys
_KEY = re.compile(r"^(?:name|description)[ \t]*:", re.MULTILINE | re.IGNORECASE)
_PAGE_KEY = re.compile(r"^(?:title|layout|permalink|slug|sidebar\w*|nav_order|parent)[ \t]*:", re.MULTILINE)


def has_header(file: str) -> bool:
    """Whether a file begins with a frontmatter that has a name or a description."""
    return _KEY.search(_header(file)) is not None


def is_page(file: str) -> bool:
    """Whether the frontmatter is that of a documentation site: a title or a layout, no name and no description."""
    header = _header(file)
    return _PAGE_KEY.search(header) is not None and _KEY.search(header) is None


def _header(file: str) -> str:
    text = head_text(file, _HEAD).removeprefix("\ufeff").replace("\r\n", "\n")
    return re.split(r"^---[ \t]*$", text[3:], maxsplit=1, flags=re.MULTILINE)[0] if text.startswith("---") else ""


def is_prose(name: str) -> bool:
    """Whether a file is named as one for people: a README in any language, a licence, credits, or all in capitals."""
    stem = name.rpartition(".")[0]
    return _PROSE.fullmatch(name) is not None or stem.upper().startswith("README") or (stem.isupper() and len(stem) > 2)


def is_flat_skill(file: str) -> bool:
    """Whether a file that stands in a ``skills`` folder may have been meant as a skill."""
    name = os.path.basename(file)
    return (
        name.endswith(".md")
        and name.lower() != "skill.md"
        and (not is_prose(name) or has_header(file))
        and not is_page(file)
    )


def is_text(name: str) -> bool:
    """Whether a file can be the text of a skill, be it under a name that no client reads."""
    return name.endswith(".md") or _SPELLED.fullmatch(name) is not None


def meant_as_skill(folder: str) -> str:
    """The file in a folder that was meant to be its SKILL.md; empty without one."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ""
    spelled = [name for name in names if _SPELLED.fullmatch(name)]
    others = sorted((name for name in names if name.endswith(".md")), key=is_prose)
    return next((name for name in (*spelled, *others) if has_header(os.path.join(folder, name))), "")


def begins_with_fence(file: str) -> bool:
    """Whether the first line of a file opens a frontmatter."""
    return head_text(file, 8).removeprefix("\ufeff").startswith("---")


def in_template(folder: str, root: str) -> bool:
    """Whether a folder holds what is filled in or laid over a skill later."""
    return not TEMPLATES.isdisjoint(os.path.relpath(folder, root).lower().split(os.sep))


def in_docs(folder: str, root: str) -> bool:
    """Whether a folder is part of a documentation site."""
    return not _DOCS.isdisjoint(os.path.relpath(folder, root).lower().split(os.sep))


def in_skill(folder: str, root: str) -> bool:
    """Whether a folder above this one is a skill."""
    while folder != root and len(folder) > len(root):
        folder = os.path.dirname(folder)
        if folder != root and os.path.lexists(os.path.join(folder, "SKILL.md")) and not is_container(folder, root):
            return True
    return False


def is_container(folder: str, root: str) -> bool:
    """Whether a folder is where skills are kept, not a skill that is itself called ``skills``."""
    above = os.path.dirname(folder)
    return os.path.basename(folder) == "skills" and os.path.basename(above) != "skills" and folder != root


def holds_skills(folder: str, root: str, has_skill: bool) -> bool:
    """Whether what stands in a ``skills`` folder is loaded from there."""
    if has_skill and not is_container(folder, root):
        return False
    return folder != root and not in_docs(folder, root) and not in_skill(folder, root)


def may_hold_agents(folder: str, root: str) -> bool:
    """Whether the files of a folder may be agents: it is an ``agents`` folder, or lies in one and in no skill."""
    parts = os.path.relpath(folder, root).split(os.sep)
    if parts[-1] in ("agents", "agent"):
        return True
    if "agents" not in parts:
        return False
    below = parts[len(parts) - parts[::-1].index("agents") :]
    return _PARTS_OF_A_SKILL.isdisjoint(below) and "skills" not in below and not in_skill(folder, root)
