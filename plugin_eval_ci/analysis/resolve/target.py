"""Where a reference to another skill or agent leads."""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from plugin_eval_ci.analysis.resolve.paths import (
    Local,
    Resolution,
    extension,
    first_found,
    left_out_of,
    may_leave_out,
    names_in,
)
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import is_inside, real_folder, real_root

SKILLS = frozenset({"skills", "skill", "sub-skills"})
AGENTS = frozenset({"agents"})
MARKS = ("skills/", "skill/", "agents/")  # sub-skills/ holds the first
_INNER = frozenset(
    {
        "scripts",
        "assets",
        "references",
        "reference",
        "templates",
        "examples",
        "docs",
        "agents",
        "tests",
        "src",
        "lib",
        "bin",
    }
)
_GENERIC = frozenset(
    {"skill", "skills", "agent", "agents", "command", "commands", "hook", "hooks", "plugin", "plugins", "mcp", "rule", "rules",
     "prompt", "prompts", "tool", "tools", "workflow", "workflows", "instruction", "instructions", "memory", "docs", "references",
     "scripts", "assets", "templates", "personas", "modes", "and", "or", "api"}
)  # fmt: skip


def goal(path: str) -> Literal["skill", "agent"] | None:
    """``…/NAME``, ``…/NAME/SKILL.md``, ``agents/…/NAME(.md)``; None for every other path, a file of a skill among them."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    names = [part for part in parts if part != ".."]
    if not names or "references" in names:
        return None  # a link into references/ is ORPHAN_REFERENCE's
    last = names[-1]
    if last.lower() == "skill.md":
        return "skill" if len(parts) > 1 and len(names) > 1 else None
    at = max((index for index, part in enumerate(names) if part in SKILLS or part in AGENTS), default=-1)
    below = names[at + 1 :]
    if at < 0 or not below:
        return None
    if names[at] in AGENTS:
        return "agent" if len(below) <= 3 and extension(last) in ("", ".md") else None
    return "skill" if len(below) <= 2 and not extension(last) and _INNER.isdisjoint(below[1:]) else None


def leads_to_another(path: str) -> bool:
    """Whether a link's path is meant for another skill or agent, not for a file of this one."""
    if goal(path) is not None:
        return True
    parts = [part for part in path.split("/") if part not in ("", ".")]
    # A folder beside this skill's own; what lies further up is no skill's container.
    return (
        len(parts) == 2
        and parts[0] == ".."
        and parts[1] != ".."
        and not extension(parts[1])
        and parts[1] not in _INNER
        and parts[1] not in _GENERIC
    )


def is_generic(part: str) -> bool:
    """Whether a part of a path is a word that stands in lists of such words as often as in paths."""
    return part.lower() in _GENERIC


def destination(skill: Skill, local: Local, linked: bool) -> Resolution | None:
    """Where a reference leads; None if it stays inside this skill, or is not a reference after all."""
    path = local.path
    bases = _bases(skill, local, linked)
    if not bases:
        return None
    answer = first_found(skill.root, bases, path)
    if answer.status == "missing" and not linked and goal(path) == "agent" and not extension(path):
        answer = first_found(skill.root, bases, path.rstrip("/") + ".md")
    if answer.status in ("found", "case"):
        stays = is_inside(answer.place, skill.directory) and "sub-skills/" not in path
        return None if stays or answer.place == skill.root else answer
    if answer.status == "outside" or _is_own(skill, path):
        return None
    if linked or local.base == "plugin":
        return answer
    if _known_elsewhere(skill.root, path):
        return Resolution("found", skill.root)
    return answer if path.startswith(("./", "../")) or _is_ours(skill, path) else None


def _bases(skill: Skill, local: Local, linked: bool) -> tuple[str, ...]:
    if local.base == "plugin":
        return (skill.plugin,) if skill.plugin else ()
    own = (skill.directory, skill.real_directory)
    if linked or local.path.startswith(".."):
        return tuple(dict.fromkeys((*own, *((skill.plugin,) if skill.plugin and linked else ()))))
    return tuple(dict.fromkeys(upwards(skill)))


def upwards(skill: Skill) -> Iterator[str]:
    """The skill's folder, that of a linked SKILL.md's file, then every folder up to the repository's root."""
    yield skill.directory
    yield skill.real_directory
    folder = skill.directory
    while folder != skill.root and is_inside(folder, skill.root):
        folder = os.path.dirname(folder)
        yield folder


def _is_own(skill: Skill, path: str) -> bool:
    parts = path.strip("/").removesuffix("/SKILL.md").split("/")
    names = (os.path.basename(skill.directory), skill.name)
    return any(mark in SKILLS | AGENTS and name in names for mark, name in pairwise(parts))


def _is_ours(skill: Skill, path: str) -> bool:
    """Whether a path is a promise about this repository.

    ``skills/x`` always is. ``docs/agents/x.md`` is one only if ``docs/agents`` is here, ``x/SKILL.md`` only if ``x`` is.
    """
    parts = path.rstrip("/").split("/")
    at = next((index for index, part in enumerate(parts) if part in SKILLS | AGENTS), 0)
    return parts[0] in SKILLS | AGENTS or any(
        first_found(skill.root, (base,), "/".join(parts[: at + 1])).status == "found" for base in upwards(skill)
    )


_ALIKE = 0.86  # frost-watcher and frost-watch
MOST_FOLDERS = 30_000  # of a repository; without a bound a run outside of one could walk a whole disk


@lru_cache(maxsize=8)
def known_targets(root: str) -> frozenset[str] | None:
    """``skills/NAME`` and ``agents/NAME`` of the whole repository: read once, and only when a name did not resolve near by.

    None when there are too many folders to look at: then nobody can say that a name does not exist.
    """
    known: set[str] = set()
    for count, (current, folders, files) in enumerate(os.walk(root)):
        if count > MOST_FOLDERS:
            return None
        folders[:] = [name for name in folders if name not in (".git", "node_modules", ".venv", "__pycache__")]
        base = os.path.basename(current)
        if base in SKILLS:
            known.update(f"{base}/{name}" for name in folders)
        elif base in AGENTS:
            known.update(f"agents/{name.removesuffix('.md')}" for name in files if name.endswith(".md"))
    return frozenset(known)


def _known_elsewhere(root: str, path: str) -> bool:
    match = re.search(r"(?:^|/)((?:skills?|agents|sub-skills)/[^/]+)(/.*)?$", path)
    if match is None or match[2] not in (None, "/", "/SKILL.md"):
        return False
    known = known_targets(root)
    return known is None or match[1].removesuffix(".md") in known


@lru_cache(maxsize=8)
def _places(root: str) -> dict[str, tuple[str, ...]]:
    """The folders of skills and the files of agents in the repository, by name; read only to suggest one."""
    places: dict[str, list[str]] = {}
    for count, (current, folders, files) in enumerate(os.walk(root)):
        if count > MOST_FOLDERS:
            break
        folders[:] = sorted(name for name in folders if name not in (".git", "node_modules", ".venv", "__pycache__"))
        if "SKILL.md" in files and current != root:
            places.setdefault(os.path.basename(current), []).append(current)
        elif os.path.basename(current) in AGENTS:
            for name in sorted(name for name in files if name.endswith(".md")):
                places.setdefault(name.removesuffix(".md"), []).append(os.path.join(current, name))
    return {name: tuple(found) for name, found in places.items()}


def nearest_target(skill: Skill, path: str) -> str:
    """The path of the skill or agent that a dead path most likely means, written as that path is; empty without one."""
    from difflib import get_close_matches

    stem = path.rstrip("/").removesuffix("/SKILL.md")
    name = stem.rpartition("/")[2].removesuffix(".md")
    places = _places(skill.root)
    if name not in places:
        close = get_close_matches(name, sorted(places), 1, _ALIKE)
        if not close:
            return ""
        name = close[0]
    agent = goal(path) == "agent"
    found = [place for place in places[name] if place.endswith(".md") == agent and place != skill.directory]
    if not found:
        return ""
    place = min(found, key=lambda place: (len(os.path.relpath(place, skill.directory).split(os.sep)), place))
    base = (
        skill.directory
        if path.startswith(".")
        else skill.plugin
        if skill.plugin and is_inside(place, skill.plugin)
        else skill.root
    )
    near = os.path.relpath(place, base).replace(os.sep, "/")
    if agent and not path.endswith(".md"):
        near = near.removesuffix(".md")
    return f"{near}/SKILL.md" if path.endswith("/SKILL.md") else near


def forget() -> None:
    """Forget what was read from disk."""
    names_in.cache_clear()
    left_out_of.cache_clear()
    may_leave_out.cache_clear()
    known_targets.cache_clear()
    _places.cache_clear()
    real_root.cache_clear()
    real_folder.cache_clear()
