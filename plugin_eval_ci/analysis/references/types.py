"""A path in inline code or in a fence that the reader is told to use, and whether it is there."""

import os
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from plugin_eval_ci.analysis.resolve import Local, Resolution, first_found, is_placeholder, local_path
from plugin_eval_ci.analysis.resolve.intent import is_exempt, is_instruction
from plugin_eval_ci.analysis.resolve.paths import names_in
from plugin_eval_ci.analysis.resolve.sentence import SIGN, Place
from plugin_eval_ci.analysis.resolve.target import upwards
from plugin_eval_ci.model import Skill
from plugin_eval_ci.util.lazy import Lazy

# The folders that the Agent Skills specification gives a meaning.
BUNDLE_FOLDERS = ("references", "reference", "scripts", "assets")
# Other folders that skills bring along; projects have them too, so only a file that the reader is plainly sent to counts.
OTHER_FOLDERS = ("examples", "templates", "resources")

_PATH = Lazy(r"(?:\./)?(?:\$\{?CLAUDE_SKILL_DIR\}?/|\$\{?CLAUDE_PLUGIN_ROOT\}?/)?[\w@+.-]+(?:/[\w@+.-]+)*/?")
# Other names that texts give the skill's folder; ${CLAUDE_SKILL_DIR} is the one that a client fills in.
SKILL_FOLDER = r"(?:\{+\s?(?:baseDir|base_dir|skill_dir|skillDir)\s?\}+|\$\{?(?:SKILL_DIR|SKILL_ROOT|BASE_DIR)\}?)/"
_SKILL_FOLDER = Lazy(SKILL_FOLDER)
_COUNTED = Lazy(r"[a-z_-](?:NN?|XX?)\.\w+\Z")  # phaseN.md stands for phase1.md and so on
_ANCHOR = Lazy(r"(?<=\.md)#[\w.%-]*\Z", re.IGNORECASE)

_NAMES = Lazy(r"(?<![a-z0-9])[a-z0-9]++(?:-[a-z0-9]++)+|(?<=`)[a-z0-9]+(?=`)")
_NAMED_SKILL = Lazy(
    r"(?:`|\*\*|\b)(?P<first>[a-z0-9]+(?:-[a-z0-9]+)+)(?:`|\*\*)?(?:'s|\u2019s)? skill\b|\bskill `(?P<second>[\w-]+)`"
)

# "Details: references/x.md" tells as much as "see".
_LABEL = Lazy(
    r"(?:^|[\s(–—-])(?:(?:more|full|further|detailed|complete) )?(?:(?<=full )\w+|(?<=complete )\w+|details?"
    r"|references?|docs|documentation|spec(?:ification)?s?|guide"
    r"|source|scripts?|templates?|schemas?|instructions|checklists?|background|reading|详情|详细|参考|詳細|参照|참고|참조|détails|detalles|detalhes)"
    r"\s*[:：][\s`\"'“*_(]*\Z",
    re.IGNORECASE,
)
_CHECKOUT = Lazy(
    r"\b(?:from|at|in) (?:the |your |its )?(?:[\w-]+ ){0,3}(?:repo(?:sitory)?|project|checkout|clone|workspace)(?:'s)? root\b"
    r"|\broot of (?:the |your |a |its )?(?:[\w-]+ ){0,3}(?:repo(?:sitory)?|project|checkout|clone|workspace)\b|\bssh \w"
    r"|\b(?:checkout|clone) of\b|\b(?:your|local|caller'?s|upstream)\b[^.]{0,30}\b(?:checkout|clone)\b",
    re.IGNORECASE,
)
_AND_SO_ON = Lazy(rf"[`\s,/|]*(?:{SIGN}[`\s,/|]*)*(?:and |or )?etc\b")


class Mention(NamedTuple):
    """A path, where it stands and where it leads."""

    text: str
    local: Local
    line: int
    kind: Literal["code", "fence", "folder"]
    resolution: Resolution


def is_promised(skill: Skill, place: Place, strict: bool = False) -> bool:
    """Whether the sentence tells the reader to open or run the path: the words are those of references to other skills."""
    labelled = not strict and _LABEL().search(place.before) is not None
    return (labelled or is_instruction(place, strict, file=True)) and not is_quiet(skill, place)


def is_quiet(skill: Skill, place: Place) -> bool:
    """Whether the sentence says that the path need not be here: made, optional, an example, or in another place."""
    return (
        is_exempt(place)
        or _CHECKOUT().search(place.sentence) is not None
        or _AND_SO_ON().match(place.after) is not None
        or names_another_skill(skill, place.sentence)
    )


def own_folders(skill: Skill) -> tuple[str, ...]:
    """The folders of a skill that its texts may mean: those of the specification, and those next to SKILL.md."""
    if not skill.placed:
        return BUNDLE_FOLDERS
    beside = {name for name in names_in(skill.directory).values() if "." not in name}
    beside = {name for name in beside.difference(BUNDLE_FOLDERS) if os.path.isdir(os.path.join(skill.directory, name))}
    return (*BUNDLE_FOLDERS, *sorted(beside))


def bundled_path(text: str, folders: tuple[str, ...] = BUNDLE_FOLDERS) -> Local | None:
    """The path in ``text`` if it goes into one of the folders (those that skills bundle) and nothing of it is to be filled in."""
    text = text.strip().strip("\"'").removeprefix("@")
    if "\\" in text and "/" not in text:
        text = text.removeprefix(".\\").replace("\\", "/")
    if "{" in text or "$" in text:
        text = _SKILL_FOLDER().sub("", text, count=1)  # texts give the plugin's folder such a name too
    if "#" in text:
        text = _ANCHOR().sub("", text)
    if "/" not in text or not _PATH().fullmatch(text):
        return None
    local = local_path(text)
    if local is None:
        return None
    parts = local.path.rstrip("/").split("/")
    if parts[0] not in folders and local.base is None:
        return None
    if parts[-1].startswith(".") or _COUNTED().search(parts[-1]) or "path/to/" in text:
        return None
    return None if any(is_placeholder(part) for part in parts[1:]) else local


def has_folder(skill: Skill, path: str) -> bool:
    """Whether the skill has the first folder of a path."""
    return path.split("/")[0] in names_in(skill.directory)


def is_of_a_project(skill: Skill, written: str, path: str) -> bool:
    """Whether a script looks like one of the project that the skill works on.

    ``./scripts/x.sh`` and ``scripts/training/run.py`` do in a skill that has no ``scripts`` at all.
    """
    if not path.startswith(("scripts/", *OTHER_FOLDERS)) or has_folder(skill, path) or written.startswith(("$", "{")):
        return False
    return written.startswith("./") or path.rstrip("/").count("/") > 1


def names_another_skill(skill: Skill, sentence: str) -> bool:
    """Whether a sentence speaks of the files of a skill that is not next to this one: "the `x-y` skill (`references/z.md`)"."""
    own = {skill.name, os.path.basename(skill.directory), *names_in(os.path.dirname(skill.directory))}
    return any((match["first"] or match["second"]) not in own for match in _NAMED_SKILL().finditer(sentence))


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
