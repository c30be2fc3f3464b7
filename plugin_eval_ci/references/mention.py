"""A path in inline code or in a fence that the reader is told to use, and whether it is there."""

import os
from collections.abc import Iterator
from typing import Literal, NamedTuple

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Skill
from plugin_eval_ci.resolve import Local, Resolution, first_found, is_placeholder, local_path
from plugin_eval_ci.resolve.destination import upwards
from plugin_eval_ci.resolve.judge import silenced, told
from plugin_eval_ci.resolve.sentence import Place

# The folders that the Agent Skills specification gives a meaning.
BUNDLE_FOLDERS = ("references", "reference", "scripts", "assets")
# Other folders that skills bring along; projects have them too, so only a file that the reader is plainly sent to counts.
OTHER_FOLDERS = ("examples", "templates", "resources")

_PATH = Lazy(r"(?:\./)?(?:\$\{?CLAUDE_SKILL_DIR\}?/|\$\{?CLAUDE_PLUGIN_ROOT\}?/)?[\w@+.-]+(?:/[\w@+.-]+)*/?")

_NAMES = Lazy(r"(?<![a-z0-9])[a-z0-9]++(?:-[a-z0-9]++)+|(?<=`)[a-z0-9]+(?=`)")


class Mention(NamedTuple):
    """A path, where it stands and where it leads."""

    text: str
    local: Local
    line: int
    kind: Literal["code", "fence", "folder"]
    resolution: Resolution


def is_promised(place: Place, strict: bool = False) -> bool:
    """Whether the sentence tells the reader to open or run the path: the words are those of references to other skills."""
    return not silenced(place) and told(place, strict, file=True)


def bundled_path(text: str, folders: tuple[str, ...] = BUNDLE_FOLDERS) -> Local | None:
    """The path in ``text`` if it goes into one of the folders (those that skills bundle) and nothing of it is to be filled in."""
    text = text.strip()
    if "/" not in text or not _PATH().fullmatch(text):
        return None
    local = local_path(text)
    if local is None:
        return None
    parts = local.path.rstrip("/").split("/")
    if parts[0] not in folders and local.base is None:
        return None
    return None if any(is_placeholder(part) for part in parts[1:]) or "path/to/" in text else local


def look(skill: Skill, local: Local, sentence: str) -> Resolution:
    """Look from the skill, its plugin, every folder up to the repository's root, and a sibling skill that the sentence names."""
    if local.base == "plugin":
        bases = [skill.plugin] if skill.plugin else []
        return first_found(skill.root, tuple(bases), local.path) if bases else Resolution("found")
    if local.base == "skill":
        return first_found(skill.root, (skill.directory,), local.path)
    answer = first_found(skill.root, tuple(dict.fromkeys(upwards(skill))), local.path)
    if answer.status != "missing":
        return answer
    return first_found(skill.root, (skill.directory, *_siblings(skill, sentence)), local.path)


def _siblings(skill: Skill, sentence: str) -> Iterator[str]:
    parent = os.path.dirname(skill.directory)
    for word in dict.fromkeys(_NAMES().findall(sentence)):
        folder = os.path.join(parent, word)
        if folder != skill.directory and os.path.isdir(folder):
            yield folder
