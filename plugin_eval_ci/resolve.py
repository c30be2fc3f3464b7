"""Where a relative path in a skill leads: found, missing, or no path at all.

The bases are those of the methodology, section 4. Nothing outside the repository is looked at.
"""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import inside

Status = Literal["found", "missing", "case", "outside"]


class Resolution(NamedTuple):
    """What a path leads to: ``place`` is absolute when found, or the link by which a path leaves the repository.

    ``actual`` is the spelling on disk when only the case differs.
    """

    status: Status
    place: str = ""
    actual: str = ""


class CrossReference(NamedTuple):
    """A relative path from a skill to another skill or agent."""

    path: str
    line: int
    resolution: Resolution


_SCHEME = Lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_TEMPLATE = Lazy(r"[<>*{}\[\]|]|\.\.\.|\u2026|\$\(|%(?![0-9A-Fa-f]{2})[A-Z]|__[A-Z]")
_VARIABLE = Lazy(r"\$\{?[A-Za-z_]|%[A-Za-z_]+%|~|\{\{?\s*\w")
_SKILL_DIRECTORY = Lazy(r"\$\{CLAUDE_SKILL_DIR\}/|\$CLAUDE_SKILL_DIR/")
_PLUGIN_DIRECTORY = Lazy(r"\$\{CLAUDE_PLUGIN_ROOT\}/|\$CLAUDE_PLUGIN_ROOT/")
_INSTALL = frozenset({".claude", ".codex", ".agents", ".cursor", ".gemini", ".github", ".opencode", ".windsurf", ".config", ".kiro"})
_PLACEHOLDER = Lazy(
    r"(?:your|my|some|another|other|new|sample|dummy|example|target|placeholder)[-_ ].*|.*[-_](?:name|here)"
    r"|(?:name|filename|file|path|path-to|to|foo|bar|baz|xxx+|yyy|abc|example|examples|placeholder|todo|skill|skill-id|x|y)"
    r"|[A-Z][A-Z0-9_-]+",
)
_EXTENSION = Lazy(r"\.[A-Za-z0-9]{1,8}\Z")


class Local(NamedTuple):
    """A link target that is a path: ``base`` is ``skill`` or ``plugin`` when a variable says so, else None."""

    path: str
    base: Literal["skill", "plugin"] | None


def local_path(target: str) -> Local | None:
    """The relative path a link target names, fragment, query and escapes undone; None for what is no path of ours."""
    base: Literal["skill", "plugin"] | None = None
    text = target.strip()
    if match := _SKILL_DIRECTORY().match(text):
        base, text = "skill", text[match.end() :]
    elif match := _PLUGIN_DIRECTORY().match(text):
        base, text = "plugin", text[match.end() :]
    if _SCHEME().match(text) or _VARIABLE().match(text) or text.startswith(("/", "\\", "#", "?", "@")):
        return None
    text = re.split(r"[#?]", text, maxsplit=1)[0]
    if not text or len(text) > 1_000 or _TEMPLATE().search(text):
        return None
    path = unquote(text).replace("\\", "/")
    if "\0" in path or "\n" in path or _VARIABLE().search(path.rpartition("/")[0]):
        return None
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or not _INSTALL.isdisjoint(parts) or any(len(part) > 255 for part in parts):
        return None
    return Local("/".join(parts) + ("/" if path.endswith("/") else ""), base)


def is_placeholder(part: str) -> bool:
    """Whether one part of a path stands for something the reader is to fill in."""
    stem = _EXTENSION().sub("", part)
    return _PLACEHOLDER().fullmatch(stem) is not None and part != "SKILL.md"


def resolve(skill: Skill, local: Local) -> Resolution:
    """Look for a path from the skill's directory, the directory of a linked SKILL.md's file, then the plugin root."""
    if local.base == "plugin":
        bases: tuple[str | None, ...] = (skill.plugin,)
    elif local.base == "skill":
        bases = (skill.directory,)
    else:
        bases = (skill.directory, skill.real_directory, skill.plugin)
    return first_found(skill.root, tuple(dict.fromkeys(base for base in bases if base)), local.path)


def first_found(root: str, bases: tuple[str, ...], path: str) -> Resolution:
    """The best answer over several bases: found, else a case-only difference, else missing."""
    best = Resolution("outside")
    for base in bases:
        answer = look(root, base, path)
        if answer.status == "found" or (answer.status == "outside" and answer.place):
            return answer
        if answer.status == "case" or (answer.status == "missing" and best.status == "outside"):
            best = answer if best.status != "case" else best
    return best


def look(root: str, base: str, path: str) -> Resolution:
    """Look for ``path`` below ``base``, letter case included, without leaving ``root``."""
    place = os.path.normpath(os.path.join(base, path))
    if not inside(place, root):
        return Resolution("outside")
    relative = os.path.relpath(place, root)
    current, differs = root, False
    for part in [] if relative == "." else relative.split(os.sep):
        names = _names(current)
        if names.get(part) != part:
            other = names.get(_folded(part), "")
            if not other:
                return Resolution("missing")
            part, differs = other, True
        current = os.path.join(current, part)
        if os.path.islink(current) and not inside(os.path.realpath(current), os.path.realpath(root)):
            return Resolution("outside", current)
    if not os.path.exists(current):
        return Resolution("missing")
    if differs:
        return Resolution("case", current, os.path.relpath(current, base).replace(os.sep, "/"))
    return Resolution("found", current)


@lru_cache(maxsize=4096)
def _names(folder: str) -> dict[str, str]:
    """Every name in a folder, by itself and by its folded form: what a case-sensitive file system would know."""
    try:
        listed = os.listdir(folder)
    except OSError:
        return {}
    return {**{_folded(name): name for name in sorted(listed, reverse=True)}, **{name: name for name in listed}}


def _folded(name: str) -> str:
    """A name without what some file systems do not tell apart: letter case, and how an accent is composed."""
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    return normalize("NFC", name).lower()


def forget() -> None:
    """Forget what was read from disk; called when a run begins."""
    _names.cache_clear()
    _known_targets.cache_clear()


# --- references to other skills and agents -------------------------------------------------------------------------

_PART = Lazy(r"(?:^|/)(?:skills?|agents|sub-skills)/([^/]+)")
_BARE = Lazy(
    r"(?<![\w/.~:@$}-])(?:\.{1,2}/)*(?:[\w.-]{1,80}/){0,6}(?:skills?|agents|sub-skills)/[\w.-]{1,100}(?:/[\w.-]{1,100}){0,6}/?"
)
_MARKS = ("skills/", "skill/", "agents/")  # sub-skills/ holds the first
_GENERIC = frozenset(
    """skill skills agent agents command commands hook hooks plugin plugins mcp rule rules prompt prompts tool tools workflow
    workflows instruction instructions memory docs references scripts assets templates personas modes and or api""".split()
)
_OUTPUT = Lazy(
    r"\b(?:creat(?:e[sd]?|ing)|writ(?:e[s]?|ing|ten)|sav(?:e[sd]?|ing)|generat(?:e[sd]?|ing)|scaffold\w*|output\w*|add(?:s|ed|ing)?|new|put|plac(?:e[sd]?|ing)"
    r"|install\w*|cop(?:y|ies|ied)|mov(?:e[sd]?|ing)|renam\w+|delet\w+|remov\w+|named|called|e\.g\.?|for example|such as|like|instead of|example|import\w*|fork\w*|under|into|format)"
    r"\W{0,4}(?:\w+\W{1,3}){0,3}$",
    re.IGNORECASE,
)


def cross_references(skill: Skill) -> tuple[CrossReference, ...]:
    """The paths by which a skill names other skills and agents, each once, at its first line."""
    found: dict[str, CrossReference] = {}
    for path, line, linked in _candidates(skill):
        key = path.strip("/").removesuffix("/SKILL.md")
        if key not in found:
            answer = _resolve_cross(skill, path, linked)
            if answer is not None:
                found[key] = CrossReference(path, line, answer)
    return tuple(sorted(found.values(), key=lambda reference: (reference.line, reference.path)))


def _candidates(skill: Skill) -> Iterator[tuple[str, int, bool]]:
    body = skill.body
    for link in body.links:
        local = local_path(link.target)
        if local is not None and local.base is None and _leads_to_another(local.path):
            yield local.path, link.line, True
    if not any(word in body.text for word in _MARKS):
        return
    for span in body.code_spans:
        text = span.text.strip()
        if "/" in text and _BARE().fullmatch(text) and not _OUTPUT().search(span.before) and _is_path(text, True):
            yield text, span.line, False
    for prose in body.prose:
        if "/" in prose.plain and any(word in prose.plain for word in _MARKS):
            for match in _BARE().finditer(prose.plain):
                text = match[0].rstrip(".")
                if _is_path(text, False) and not _OUTPUT().search(prose.plain[max(0, match.start() - 60) : match.start()]):
                    yield text, prose.line, False


def _leads_to_another(path: str) -> bool:
    parts = [part for part in path.split("/") if part]
    if "references" in parts:
        return False  # a link into references/ is ORPHAN_REFERENCE's
    if parts[-1].lower() == "skill.md":
        return len(parts) > 1
    return _PART().search(path) is not None or (
        parts[0] == ".." and len(parts) in (2, 3) and parts[-1] != ".." and not _EXTENSION().search(parts[-1]) and "scripts" not in parts
    )


def _is_path(text: str, code: bool) -> bool:
    """Whether words with a slash are a path, not a list of words: ``skills/agents/commands`` is none."""
    local = local_path(text)
    match = _PART().search(text)
    if local is None or match is None:
        return False
    parts = [part for part in text.split("/") if part not in ("", ".", "..")]
    name = match[1]
    if name.lower() in _GENERIC or any(is_placeholder(part) for part in parts):
        return False
    if all(part.lower() in _GENERIC for part in parts):
        return False
    certain = "-" in name or "_" in name or name[-1:].isdigit() or name.endswith(".md") or text.endswith(("/SKILL.md", "/")) or text.startswith(".")
    return certain or (code and name.islower() and len(parts) >= 2)


def _resolve_cross(skill: Skill, path: str, linked: bool) -> Resolution | None:
    """Where a reference leads; None when it stays inside this skill, or is no reference after all."""
    local = local_path(path)
    if local is None:
        return None
    bases = [skill.directory, skill.real_directory] if linked else list(_bases(skill))
    if skill.plugin and linked:
        bases.append(skill.plugin)
    answer = first_found(skill.root, tuple(dict.fromkeys(bases)), local.path)
    if answer.status == "missing" and not linked and "agents/" in path and not _EXTENSION().search(path):
        answer = first_found(skill.root, tuple(dict.fromkeys(bases)), local.path.rstrip("/") + ".md")
    own = os.path.basename(skill.directory)
    match = _PART().search(path)
    if answer.status in ("found", "case"):
        stays = inside(answer.place, skill.directory) and "sub-skills/" not in path
        return None if stays or answer.place == skill.root else answer
    if answer.status == "outside" or (match and match[1] in (own, skill.name)):
        return None
    if not linked and _known_elsewhere(skill.root, path):
        return Resolution("found", skill.root)
    if not linked and not path.startswith(".") and not _is_ours(skill, path):
        return None
    return answer


def _bases(skill: Skill) -> Iterator[str]:
    yield skill.directory
    yield skill.real_directory
    folder = skill.directory
    while folder != skill.root and inside(folder, skill.root):
        folder = os.path.dirname(folder)
        yield folder


def _is_ours(skill: Skill, path: str) -> bool:
    """A longer path such as ``lib/skills/x`` is a promise about this repository only if its first folder is here."""
    first = path.split("/")[0]
    if first in ("skills", "skill", "sub-skills", "agents"):
        return True
    return any(first in _names(base) for base in _bases(skill))


@lru_cache(maxsize=8)
def _known_targets(root: str) -> frozenset[str]:
    """``skills/NAME`` and ``agents/NAME`` of the whole repository: read once, and only when a name did not resolve near by."""
    known: set[str] = set()
    for current, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "node_modules", ".venv", "__pycache__")]
        base = os.path.basename(current)
        if base in ("skills", "skill", "sub-skills"):
            known.update(f"{base}/{name}" for name in folders)
        elif base == "agents":
            known.update(f"agents/{name.removesuffix('.md')}" for name in files if name.endswith(".md"))
    return frozenset(known)


def _known_elsewhere(root: str, path: str) -> bool:
    match = re.search(r"(?:^|/)((?:skills?|agents|sub-skills)/[^/]+)(/.*)?$", path)
    return bool(match and match[2] in (None, "/", "/SKILL.md") and match[1].removesuffix(".md") in _known_targets(root))
