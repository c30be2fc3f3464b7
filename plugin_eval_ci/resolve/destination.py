"""Where a reference to another skill or agent leads."""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import inside, real_folder, real_root
from plugin_eval_ci.resolve.goal import AGENTS, SKILLS, goal
from plugin_eval_ci.resolve.paths import Local, Resolution, extension, first_found, names_in


def destination(skill: Skill, local: Local, linked: bool) -> Resolution | None:
    """Where a reference leads; None when it stays inside this skill, or is no reference after all."""
    path = local.path
    bases = _bases(skill, local, linked)
    if not bases:
        return None
    answer = first_found(skill.root, bases, path)
    if answer.status == "missing" and not linked and goal(path) == "agent" and not extension(path):
        answer = first_found(skill.root, bases, path.rstrip("/") + ".md")
    if answer.status in ("found", "case"):
        stays = inside(answer.place, skill.directory) and "sub-skills/" not in path
        return None if stays or answer.place == skill.root else answer
    if answer.status == "outside" or _is_own(skill, path):
        return None
    if linked or local.base == "plugin":
        return answer
    if _known_elsewhere(skill.root, path):
        return Resolution("found", skill.root)
    return answer if path.startswith(".") or _is_ours(skill, path) else None


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
    while folder != skill.root and inside(folder, skill.root):
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


def forget() -> None:
    """Forget what was read from disk."""
    names_in.cache_clear()
    known_targets.cache_clear()
    real_root.cache_clear()
    real_folder.cache_clear()
