"""Walk a folder once: what could be a skill, an agent or a manifest, and nothing outside the repository."""

import os
from operator import attrgetter
from typing import NamedTuple

from plugin_eval_ci.discover import page
from plugin_eval_ci.discover.exclude import Excluder
from plugin_eval_ci.parse.documents import is_inside, real

_MAX_DEPTH = 48
_NAME = attrgetter("name")


class Scan(NamedTuple):
    """What one walk met; all paths absolute, in a stable order."""

    skill_files: tuple[str, ...]
    agent_files: tuple[str, ...]
    plugin_roots: tuple[str, ...]
    marketplaces: tuple[str, ...]
    folders: tuple[str, ...]
    linked_out: tuple[str, ...]  # links that leave the repository from where skills are: never followed
    bare: tuple[tuple[str, str], ...] = ()  # (entry of a skills folder, what it is) that is no skill
    unread: tuple[tuple[str, str], ...] = ()  # (folder, why it was not read)
    linked: tuple[tuple[str, str], ...] = ()  # (link to a folder, the folder) inside the repository
    dangling: tuple[str, ...] = ()  # links in skills and agents that lead nowhere


def scan(place: str, excluder: Excluder) -> Scan:
    """Walk ``place``; real folders first, then linked ones that were not met on the way."""
    walk = _Walk(excluder)
    linked: list[tuple[str, str]] = []
    walk.run(place)
    while walk.links:
        link = walk.links.pop(0)
        target = real(link)
        if not is_inside(target, walk.real_root):
            walk.linked_out.append(link)
        elif os.path.isdir(target):
            here = os.path.normpath(os.path.join(excluder.root, os.path.relpath(target, walk.real_root)))
            if not excluder.by_user(here):
                linked.append((link, here))
                walk.run(here)
    skilled = {os.path.dirname(file) for file in walk.skill_files}
    return Scan(
        tuple(walk.skill_files),
        tuple(walk.agent_files),
        tuple(walk.plugin_roots),
        tuple(walk.marketplaces),
        tuple(walk.folders),
        tuple(sorted({link for link in walk.linked_out if _among_skills(link, excluder.root, skilled)})),
        tuple(walk.bare),
        tuple(walk.unread),
        tuple(linked),
        tuple(sorted({link for link in walk.dangling if _among_skills(link, excluder.root, skilled)})),
    )


def _among_skills(link: str, root: str, skilled: set[str]) -> bool:
    """Whether a link stands in a ``skills`` folder or in a skill; other links out of the repository do not concern us."""
    folder = os.path.dirname(link)
    while is_inside(folder, root):
        if folder in skilled or os.path.basename(folder) in ("skills", "agents"):
            return True
        folder = os.path.dirname(folder)
    return False


class _Walk:
    def __init__(self, excluder: Excluder) -> None:
        self.excluder = excluder
        self.real_root = os.path.realpath(excluder.root)
        self.seen: set[str] = set()
        self.links: list[str] = []
        self.skill_files: list[str] = []
        self.agent_files: list[str] = []
        self.plugin_roots: list[str] = []
        self.marketplaces: list[str] = []
        self.folders: list[str] = []
        self.linked_out: list[str] = []
        self.bare: list[tuple[str, str]] = []
        self.unread: list[tuple[str, str]] = []
        self.dangling: list[str] = []

    def run(self, place: str) -> None:
        stack = [(place, real(place), 0)]
        while stack:
            folder, resolved, depth = stack.pop()
            if resolved in self.seen:
                continue
            self.seen.add(resolved)
            if depth > _MAX_DEPTH:
                self.unread.append((folder, f"it lies more than {_MAX_DEPTH} folders deep"))
                continue
            self.folders.append(folder)
            stack += [
                (child, os.path.join(resolved, os.path.basename(child)), depth + 1)
                for child in reversed(self.read(folder, depth))
            ]

    def read(self, folder: str, depth: int) -> list[str]:
        """Note the files of one folder; return the folders below it that are to be walked."""
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=_NAME)
        except OSError as error:
            self.unread.append((folder, error.strerror or type(error).__name__))
            return []
        if (
            depth
            and self.excluder.defaults_below(folder)
            and any(entry.name == ".git" and _is_worktree(entry) for entry in listed)
        ):
            return []
        below: list[str] = []
        name = os.path.basename(folder)
        skill = self.files(folder, name, listed)
        for entry in listed:
            if not _is_folder(entry):
                if entry.is_symlink() and not is_inside(real(entry.path), self.real_root):
                    self.linked_out.append(entry.path)
                elif entry.is_symlink() and entry.name.lower() != "skill.md" and not os.path.exists(entry.path):
                    self.dangling.append(entry.path)
                continue
            if entry.name.lower() == "skill.md":
                self.skill_files.append(entry.path)
            elif self.excluder.by_default(entry.path, entry.name) or self.excluder.by_user(entry.path):
                continue
            elif entry.is_symlink():
                self.links.append(entry.path)
            else:
                below.append(entry.path)
        if name == "skills" and page.holds_skills(folder, self.excluder.root, skill):
            self.look_for_bare(listed)
        return below

    def files(self, folder: str, name: str, listed: list[os.DirEntry[str]]) -> bool:
        skills = [entry for entry in listed if entry.name.lower() == "skill.md" and not _is_folder(entry)]
        exact = [entry for entry in skills if entry.name == "SKILL.md"] or skills
        self.skill_files += [entry.path for entry in exact[:1] if not self.excluder.by_user(entry.path)]
        if name.endswith("-plugin") and name.startswith(".") and any(entry.name == "plugin.json" for entry in listed):
            self.plugin_roots.append(os.path.dirname(folder))
        if name == ".claude-plugin" and any(entry.name == "marketplace.json" for entry in listed):
            self.marketplaces.append(os.path.dirname(folder))
        if page.may_hold_agents(folder, self.excluder.root):
            self.agent_files += [
                entry.path
                for entry in listed
                if entry.name.endswith(".md") and entry.is_file() and not self.excluder.by_user(entry.path)
            ]
        return bool(skills)

    def look_for_bare(self, listed: list[os.DirEntry[str]]) -> None:
        """Entries of a ``skills`` folder that look like skills and that no client loads."""
        for entry in listed:
            if entry.name.startswith((".", "_")):
                continue
            if _is_folder(entry) and not entry.is_symlink():
                if not self.excluder.by_default(entry.path, entry.name) and _only_text(entry.path):
                    self.bare.append((entry.path, "folder"))
            elif os.path.isfile(entry.path) and page.is_flat_skill(entry.path):
                self.bare.append((entry.path, "file"))


def _is_worktree(entry: os.DirEntry[str]) -> bool:
    """Whether a ``.git`` file makes its folder a second checkout of a repository: its skills are there already."""
    try:
        if not entry.is_file(follow_symlinks=False):
            return False
        with open(entry.path, "rb") as stream:
            return b"/worktrees/" in stream.read(4096)
    except OSError:
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _only_text(folder: str) -> bool:
    """Whether a folder holds Markdown at its top, no SKILL.md and no further folders that could be skills."""
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:
        return False
    names = {entry.name.lower() for entry in listed}
    nested = [
        entry
        for entry in listed
        if _is_folder(entry) and entry.name not in ("references", "scripts", "assets", "evals", "examples")
    ]
    return "skill.md" not in names and not nested and any(map(page.is_text, names))
