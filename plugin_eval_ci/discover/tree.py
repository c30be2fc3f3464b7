"""Walk a folder once: what could be a skill, an agent or a manifest, and nothing outside the repository."""

from __future__ import annotations

import os
import re
from fnmatch import translate
from typing import NamedTuple

from plugin_eval_ci.config import Config
from plugin_eval_ci.parse.documents import inside

_MAX_DEPTH = 48
_NOISE = frozenset(
    {
        ".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "__pycache__", ".venv", ".tox", ".nox", ".eggs",
        "site-packages", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".idea", ".next", ".terraform", ".gradle",
    }
)  # fmt: skip
_BACKUP = re.compile(r"(?:.*(?:\.bak|\.backup|\.orig|~)|\.?backups)\Z")
_FIXTURES = re.compile(r"(?:__fixtures__|testdata|test[-_]fixtures)\Z")
_TESTS = frozenset({"test", "tests", "__tests__", "spec", "specs"})


class Scan(NamedTuple):
    """What one walk met; all paths absolute, in a stable order."""

    skill_files: tuple[str, ...]
    agent_files: tuple[str, ...]
    plugin_roots: tuple[str, ...]
    marketplaces: tuple[str, ...]
    folders: tuple[str, ...]
    linked_out: tuple[str, ...]  # links to folders outside the repository: never followed
    bare: tuple[tuple[str, str], ...] = ()  # (entry of a skills folder, what it is) that is no skill


class Excluder:
    """Which folders and files are left out: by the user always, by default unless they are named."""

    def __init__(self, root: str, config: Config) -> None:
        self.root = root
        self.config = config
        self.patterns = [re.compile(part) for glob in config.exclude for part in _regexes(glob)]

    def by_user(self, place: str) -> bool:
        """Whether an ``exclude`` glob of the configuration or the command line covers this path or a folder above it."""
        if not self.patterns:
            return False
        relative = os.path.relpath(place, self.root).replace(os.sep, "/")
        parts = relative.split("/")
        prefixes = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        return any(pattern.match(prefix) for pattern in self.patterns for prefix in prefixes)

    def by_default(self, folder: str, name: str) -> bool:
        """Whether a folder is noise that nobody publishes skills in."""
        if not self.config.default_excludes:
            return False
        if name in _NOISE or _FIXTURES.match(name) or _BACKUP.match(name):
            return True
        if name == "fixtures":
            above = os.path.relpath(os.path.dirname(folder), self.root).split(os.sep)
            return not _TESTS.isdisjoint(above)
        return name in ("venv", "env", "virtualenv") and os.path.isfile(os.path.join(folder, "pyvenv.cfg"))


def _regexes(glob: str) -> list[str]:
    """Regular expressions for one glob: ``**`` crosses folders, a trailing slash or ``/**`` covers the folder."""
    glob = glob.strip().removeprefix("./").rstrip("/")
    if glob.endswith("/**"):
        glob = glob[:-3]
    if not glob:
        return []
    if glob.startswith("**/"):
        return [translate(glob), translate(glob[3:])]
    if "/" not in glob:
        return [translate(glob), translate("*/" + glob)]
    return [translate(glob), *([translate(glob.replace("/**/", "/"))] if "/**/" in glob else [])]


def scan(place: str, excluder: Excluder) -> Scan:
    """Walk ``place``; real folders first, then linked ones that were not met on the way."""
    walk = _Walk(excluder)
    real_root = os.path.realpath(excluder.root)
    walk.run(place)
    while walk.links:
        link = walk.links.pop(0)
        target = os.path.realpath(link)
        if not inside(target, real_root):
            walk.linked_out.append(link)
        elif target not in walk.seen and os.path.isdir(target):
            here = os.path.join(excluder.root, os.path.relpath(target, real_root))
            walk.run(os.path.normpath(here))
    return Scan(
        tuple(walk.skill_files),
        tuple(walk.agent_files),
        tuple(walk.plugin_roots),
        tuple(walk.marketplaces),
        tuple(walk.folders),
        tuple(walk.linked_out),
        tuple(walk.bare),
    )


class _Walk:
    def __init__(self, excluder: Excluder) -> None:
        self.excluder = excluder
        self.seen: set[str] = set()
        self.links: list[str] = []
        self.skill_files: list[str] = []
        self.agent_files: list[str] = []
        self.plugin_roots: list[str] = []
        self.marketplaces: list[str] = []
        self.folders: list[str] = []
        self.linked_out: list[str] = []
        self.bare: list[tuple[str, str]] = []

    def run(self, place: str) -> None:
        stack = [(place, 0)]
        while stack:
            folder, depth = stack.pop()
            real = os.path.realpath(folder) if depth == 0 else folder
            if real in self.seen or depth > _MAX_DEPTH:
                continue
            self.seen.add(real)
            self.folders.append(folder)
            stack += [(child, depth + 1) for child in reversed(self.read(folder))]

    def read(self, folder: str) -> list[str]:
        """Note the files of one folder; return the folders below it that are to be walked."""
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            return []
        below: list[str] = []
        name = os.path.basename(folder)
        skill = self.files(folder, name, listed)
        for entry in listed:
            if not _is_folder(entry):
                continue
            if entry.name.lower() == "skill.md":
                self.skill_files.append(entry.path)
            elif self.excluder.by_default(entry.path, entry.name) or self.excluder.by_user(entry.path):
                continue
            elif entry.is_symlink():
                self.links.append(entry.path)
            else:
                below.append(entry.path)
        if name == "skills" and not skill:
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
        if name == "agents":
            self.agent_files += [
                entry.path
                for entry in listed
                if entry.name.endswith(".md") and entry.is_file() and not self.excluder.by_user(entry.path)
            ]
        return bool(skills)

    def look_for_bare(self, listed: list[os.DirEntry[str]]) -> None:
        """Entries of a ``skills`` folder that look like skills and are none."""
        for entry in listed:
            if entry.name.startswith((".", "_")):
                continue
            if _is_folder(entry) and not entry.is_symlink():
                if not self.excluder.by_default(entry.path, entry.name) and _only_text(entry.path):
                    self.bare.append((entry.path, "folder"))
            elif entry.name.endswith(".md") and entry.is_file() and entry.name.lower() not in _NOT_SKILLS:
                self.bare.append((entry.path, "file"))


_NOT_SKILLS = frozenset({"readme.md", "index.md", "changelog.md", "contributing.md", "license.md", "claude.md", "agents.md", "skill.md"})


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
    nested = [entry for entry in listed if _is_folder(entry) and entry.name not in ("references", "scripts", "assets", "evals", "examples")]
    return "skill.md" not in names and not nested and any(name.endswith(".md") for name in names)
