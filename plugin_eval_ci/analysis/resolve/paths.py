"""Where a relative path leads: found, missing, or no path at all.

The bases are those of the methodology, section 4. Nothing outside the repository is read.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote

from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.util.lazy import Lazy

if TYPE_CHECKING:
    from plugin_eval_ci.git import LeftOut

Status = Literal["found", "missing", "case", "outside"]


class Resolution(NamedTuple):
    """What a path leads to: ``place`` is absolute when found, or the link by which a path leaves the repository.

    ``actual`` is the spelling on disk when only the case differs.
    """

    status: Status
    place: str = ""
    actual: str = ""


class Local(NamedTuple):
    """A link target that is a path: ``base`` is ``skill`` or ``plugin`` if a variable names it, else None."""

    path: str
    base: Literal["skill", "plugin"] | None


_SCHEME = Lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_TEMPLATE = Lazy(r"[<>*{}\[\]|]|\.\.\.|\u2026|\$\(|%(?![0-9A-Fa-f]{2})[A-Z]|__[A-Z]")
_VARIABLE = Lazy(r"\$\{?[A-Za-z_]|%[A-Za-z_]+%|~|\{\{?\s*\w")
_VARIABLE_NAME = Lazy(r"(?<![A-Za-z0-9])\$[A-Za-z_]|\$[A-Z]")
_SKILL_DIRECTORY = Lazy(r"\$\{CLAUDE_SKILL_DIR\}/|\$CLAUDE_SKILL_DIR/")
_PLUGIN_DIRECTORY = Lazy(r"\$\{CLAUDE_PLUGIN_ROOT\}/|\$CLAUDE_PLUGIN_ROOT/")
_LINE_NUMBER = Lazy(r":\d+(?:[:-]\d+)?\Z")
_INSTALL = frozenset(
    [".claude", ".codex", ".agents", ".cursor", ".gemini", ".github", ".opencode", ".windsurf", ".config", ".kiro"],
)


def local_path(target: str) -> Local | None:
    """The relative path a link target names, fragment, query and escapes undone; None for anything that is not a path of ours."""
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
    folder, _, name = path.rpartition("/")
    if "\0" in path or "\n" in path or _VARIABLE().search(folder) or _VARIABLE_NAME().search(name):
        return None
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or not _INSTALL.isdisjoint(parts) or any(len(part) > 255 for part in parts):
        return None
    return Local("/".join(parts) + ("/" if path.endswith("/") else ""), base)


# --- placeholders --------------------------------------------------------------------------------------------------

_THING = (
    r"(?:skill|agent|plugin|command|file|doc|document|reference|script|template|project|app|tool|module|package|component"
    r"|feature|name|thing|topic|path)"
)
_CERTAIN = Lazy(
    rf"(?:your|insert)[-_].*|.*[-_]here|(?-i:[A-Z][A-Z_]*_(?:NAME|FILE|ID|PATH|SLUG|TITLE))"
    rf"|(?:my|some|another|any)[-_](?:[a-z]+[-_])?{_THING}|(?:skill|agent|plugin|file|reference|topic)(?:\d|[-_](?:[a-z]|\d|xyz|id|slug))"
    rf"|(?:foo|bar|baz|qux|foobar)(?:[-_]?(?:\d|{_THING}|bar|baz))?"
    r"|name|filename|file[-_]?name|(?:skill|script|module)_name|file|path[-_]to|placeholder|xxx+|yyy+|zzz+|lorem|ipsum|dummy",
    re.IGNORECASE,
)
# "skills/skill-name" is to be filled in; "references/plugin-name.md" may well exist.
_CERTAIN_FOLDER = Lazy(
    rf".*[-_]name|example|(?:other|new|sample|dummy|example|target|existing|related|the|this)[-_](?:[a-z]+[-_])?{_THING}",
    re.IGNORECASE,
)
_DOUBTFUL = Lazy(
    r"(?:my|some|another|other|new|sample|example|target)[-_].*|.*[-_]name|path|to|abc|examples?|sample|todo|skill|agent|plugin"
    r"|topic|doc|document|[a-z]|[A-Z][A-Z0-9_-]+",
)
_EXTENSION = Lazy(r"\.[A-Za-z0-9]{1,8}\Z")


def extension(part: str) -> str:
    """The ending of a file's name with its dot, empty without one."""
    match = _EXTENSION().search(part)
    return match[0] if match else ""


def is_placeholder(part: str, doubt: bool = False) -> bool:
    """Whether one part of a path stands for something the reader is to fill in; ``doubt``: a second sign points the same way."""
    if part in ("SKILL.md", "README.md"):
        return False
    ending = extension(part)
    stem = part.removesuffix(ending)
    if _CERTAIN().fullmatch(stem) or (not ending and _CERTAIN_FOLDER().fullmatch(stem)):
        return True
    return doubt and _DOUBTFUL().fullmatch(stem) is not None


def has_placeholder(path: str, doubt: bool = False) -> bool:
    """Whether any part of a path is to be filled in."""
    if "path/to/" in path or path.removeprefix("./") in ("path.md", "path/file.md"):
        return True  # [Title](./path.md); references/path.md may well be about paths
    return any(is_placeholder(part, doubt) for part in path.rstrip("/").split("/"))


# --- the disk ------------------------------------------------------------------------------------------------------


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
    """The best answer over several bases: found, else a case-only difference, else missing. ``a.md:12`` is also ``a.md``."""
    best = _first(root, bases, path)
    if best.status == "missing" and ":" in path and (match := _LINE_NUMBER().search(path)):
        without = _first(root, bases, path[: match.start()])
        return without if without.status in ("found", "case") else best
    return best


def _first(root: str, bases: tuple[str, ...], path: str) -> Resolution:
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
    if not is_inside(place, root):
        return Resolution("outside")
    relative = place[len(root) :].strip(os.sep)
    current, differs = root, False
    for part in relative.split(os.sep) if relative else []:
        names = names_in(current)
        if names.get(part) != part:
            other = names.get(_folded(part), "")
            if not other:
                return _not_on_disk(root, place)
            part, differs = other, True
        current = os.path.join(current, part)
        if os.path.islink(current) and not is_inside(os.path.realpath(current), os.path.realpath(root)):
            return Resolution("outside", current)
    if not os.path.exists(current):
        return _not_on_disk(root, place)
    if differs:
        return Resolution("case", current, os.path.relpath(current, base).replace(os.sep, "/"))
    return Resolution("found", current)


def _not_on_disk(root: str, place: str) -> Resolution:
    """Missing, or found where only this checkout leaves it out: there is nothing to read at its place."""
    return Resolution("found", place) if is_left_out(root, place) else Resolution("missing")


def is_left_out(root: str, place: str) -> bool:
    """Whether ``place``, which does not exist, is only missing from this checkout: it is sparse, or a submodule was not fetched."""
    return may_leave_out(root) and left_out_of(root).holds(root, place)


@lru_cache(maxsize=8)
def may_leave_out(root: str) -> bool:
    """Whether the checkout in ``root`` can lack files at all: files are marked as skipped, it has submodules, or we laid it out."""
    git = os.path.join(root, ".git")
    if os.path.isfile(git):  # a linked worktree, or a submodule
        with open(git, encoding="utf-8", errors="replace") as stream:
            git = os.path.join(root, stream.read(4096).partition("gitdir:")[2].strip())
    signs = (os.path.join(git, "left-out"), os.path.join(root, ".gitmodules"))
    if any(map(os.path.lexists, signs)):
        return True
    try:
        with open(os.path.join(git, "index"), "rb") as stream:
            return stream.read(8)[7:] > b"\x02"  # only later versions of the index can say that a file is left out
    except OSError:
        return False


@lru_cache(maxsize=8)
def left_out_of(root: str) -> LeftOut:
    """What the checkout in ``root`` leaves out."""
    from plugin_eval_ci.git import checkout  # it starts git, which most runs have no use for

    return checkout.left_out_of(root)


@lru_cache(maxsize=4096)
def names_in(folder: str) -> dict[str, str]:
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
