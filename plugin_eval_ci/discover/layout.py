"""What a walk met, put together: which plugin a skill belongs to, which agents count, each file once."""

import os
from typing import NamedTuple

from plugin_eval_ci.discover.tree import Scan
from plugin_eval_ci.model import Problem
from plugin_eval_ci.parse.documents import Location, inside, real, real_file
from plugin_eval_ci.parse.manifest import Entry, manifest_of, marketplace_entries, plugin_entry

_PROJECT_FOLDERS = frozenset(
    {".claude", ".agents", ".codex", ".cursor", ".gemini", ".github", ".opencode", ".windsurf", ".junie", ".kiro"}
)
_NO_AGENTS = frozenset(
    {"readme.md", "claude.md", "agents.md", "changelog.md", "license.md", "contributing.md", "index.md"}
)


class PluginPlace(NamedTuple):
    """A plugin: where it is, and the files of the skills and agents that count for it (absolute)."""

    directory: str
    path: str
    name: str
    skill_files: tuple[str, ...]
    agent_files: tuple[str, ...]


class Layout:
    """Collects scans and claims; ``finish`` gives each target once, in path order."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.prefix = root.rstrip(os.sep) + os.sep
        self.real_root = os.path.realpath(root)
        self.skill_files: dict[str, str] = {}  # real path -> path it was met at
        self.agent_files: dict[str, None] = {}
        self.entries: dict[str, list[Entry]] = {}  # directory -> the plugins defined there
        self.markets: dict[str, tuple[Entry, ...]] = {}
        self.merged: set[str] = set()  # directories whose own manifest was read
        self.roots: set[str] = set()
        self.folders: set[str] = set()
        self.owners: dict[str, str | None] = {}  # folder -> its SKILL.md, for files that climb
        self.linked: dict[str, list[str]] = {}  # folder -> links to it
        self.problems: dict[tuple[str, str], Problem] = {}
        self.manifests: dict[str, bool] = {}  # folder -> whether it holds the manifest of a plugin
        self.plugins: dict[str, str | None] = {}  # folder -> the plugin of its files, asked once all roots are known

    def scanned(self, scan: Scan) -> bool:
        """Take over what one walk met; whether that is anything to look at."""
        self.folders.update(scan.folders)
        for link, folder in scan.linked:
            if link not in self.linked.setdefault(folder, []):
                self.linked[folder].append(link)
        met = [self.marketplace(directory) for directory in scan.marketplaces]
        met += [self.plugin(directory) for directory in scan.plugin_roots]
        met += [self.skill(file) for file in scan.skill_files]
        met += [self.agent(file) for file in scan.agent_files]
        for link in scan.linked_out:
            self.note(link, _LINKED_OUT)
        for path, why in scan.unread:
            self.note(path, _UNREAD._replace(message=f"this folder is not read, nor is any skill in it: {why}"))
        for path, what in scan.bare:
            self.note(path, _BARE_FOLDER if what == "folder" else _BARE_FILE)
        return any(met)

    def note(self, file: str, problem: Problem) -> None:
        self.problems[(self.relative(file), problem.kind)] = problem

    def marketplace(self, directory: str) -> bool:
        if directory not in self.markets:
            named = marketplace_entries(directory, self.root)
            self.markets[directory] = tuple(entry for entry in named if self.is_ours(entry.directory))
            for entry in self.markets[directory]:
                self.entries.setdefault(entry.directory, []).append(entry)
                self.roots.add(entry.directory)
        return True  # the file itself is something to look at

    def plugin(self, directory: str) -> bool:
        if directory in self.merged:
            return True
        self.merged.add(directory)
        if directory not in self.roots or not self.entries.get(directory):
            self.entries.setdefault(directory, []).append(plugin_entry(directory, self.root))
        elif manifest_of(directory):
            own = plugin_entry(directory, self.root)
            merged = [
                e._replace(skills=e.skills + own.skills, agents=own.agents or e.agents) for e in self.entries[directory]
            ]
            self.entries[directory] = merged
        self.roots.add(directory)
        return True

    def skill(self, file: str) -> bool:
        resolved = real_file(file)
        if not inside(resolved, self.real_root):
            self.note(file, _LINKED_OUT)
            return False
        if resolved not in self.skill_files or (
            os.path.islink(self.skill_files[resolved]) and not os.path.islink(file)
        ):
            self.skill_files[resolved] = file
        return True

    def agent(self, file: str) -> bool:
        if os.path.basename(file).lower() in _NO_AGENTS or not inside(real_file(file), self.real_root):
            return False
        if not self.holds_agents(os.path.dirname(file)) and file not in self.entry_agents():
            return False
        self.agent_files[file] = None
        return True

    def holds_agents(self, folder: str) -> bool:
        """Whether an ``agents`` folder is a plugin's or a project's, not a skill's own."""
        owner = os.path.dirname(folder)
        if owner in self.roots or os.path.basename(owner) == ".claude" or manifest_of(owner):
            return True
        if folder in self.entry_agents():
            return True
        if any(os.path.lexists(os.path.join(owner, name)) for name in ("SKILL.md", "skill.md")):
            return False
        return any(os.path.isdir(os.path.join(owner, name)) for name in ("skills", "commands", "hooks"))

    def entry_agents(self) -> set[str]:
        return {path for entries in self.entries.values() for entry in entries for path in entry.agents or ()}

    def named_but_unseen(self) -> list[str]:
        """Folders that a manifest or a marketplace names and no walk has met."""
        named = [e.directory for entries in self.entries.values() for e in entries]
        named += [
            path
            for entries in self.entries.values()
            for entry in entries
            for path in (*entry.skills, *(entry.agents or ()))
        ]
        unseen = sorted({path for path in named if path not in self.folders and os.path.isdir(path)})
        return [path for path in unseen if self.is_ours(path)]

    def is_ours(self, path: str) -> bool:
        """Whether a path that a manifest names stays in the repository once its links are followed; else that is noted."""
        if inside(real(path), self.real_root):
            return True
        self.note(path, _LINKED_OUT)
        return False

    def named_agents(self) -> list[str]:
        """The files that ``agents`` of a manifest names, or that stand in the folders it names."""
        files = [path for path in self.entry_agents() if path.endswith(".md") and os.path.isfile(path)]
        for folder in self.entry_agents():
            if os.path.isdir(folder) and self.is_ours(folder):
                files += [os.path.join(folder, name) for name in names_of(folder) if name.endswith(".md")]
        return sorted(files)

    def plugin_of(self, file: str) -> str | None:
        """The plugin root above a file: one with a manifest or a marketplace entry, else the folder that has ``skills``."""
        folder = os.path.dirname(file)
        if folder not in self.plugins:
            self.plugins[folder] = self.plugin_above(folder)
        return self.plugins[folder]

    def plugin_above(self, folder: str) -> str | None:
        inferred = None
        while True:
            if folder in self.roots or self.has_manifest(folder):
                return folder
            parent = os.path.dirname(folder)
            if inferred is None and os.path.basename(folder) in ("skills", "agents"):
                inferred = parent
            if folder == self.root or parent == folder:
                return inferred
            folder = parent

    def has_manifest(self, folder: str) -> bool:
        known = self.manifests.get(folder)
        if known is None:
            known = self.manifests[folder] = manifest_of(folder) is not None
        return known

    def finish(
        self,
    ) -> tuple[tuple[Location, ...], tuple[Location, ...], tuple[PluginPlace, ...], tuple[tuple[str, Problem], ...]]:
        skills = sorted((self.location(file) for file in self.skill_files.values()), key=lambda place: place.path)
        agents = sorted((self.location(file) for file in self.agent_files), key=lambda place: place.path)
        skills_of, agents_of = self.by_plugin(skills), self.by_plugin(agents)
        plugins = [
            place
            for directory in sorted(self.roots)
            for place in self.places(directory, skills_of.get(directory, []), agents_of.get(directory, []))
        ]
        problems = tuple((path, problem) for (path, _), problem in sorted(self.problems.items()))
        return tuple(skills), tuple(agents), tuple(plugins), problems

    def location(self, file: str) -> Location:
        shown = file
        if os.path.islink(file):
            shown = os.path.join(self.root, os.path.relpath(os.path.realpath(file), self.real_root))
        plugin = next((root for name in (file, *self.seen_as(file)) if (root := self.plugin_of(name))), None)
        folder = os.path.dirname(file)
        # The folder of a skill at a plugin's root is named by whoever installs it: plugins/NAME is one without a manifest.
        placed = folder not in (self.root, plugin) and os.path.basename(os.path.dirname(folder)) != "plugins"
        return Location(file, self.relative(shown), self.root, plugin, placed)

    def by_plugin(self, found: list[Location]) -> dict[str, list[tuple[str, str]]]:
        """By plugin: each file, and the path it has in that plugin, which a link may give it."""
        plugins: dict[str, list[tuple[str, str]]] = {}
        for place in found:
            for seen_as in (place.file, *self.seen_as(place.file)):
                plugin = self.plugin_of(seen_as)
                if plugin is not None and all(file != place.file for file, _ in plugins.get(plugin, [])[-1:]):
                    plugins.setdefault(plugin, []).append((place.file, seen_as))
        return plugins

    def seen_as(self, file: str) -> list[str]:
        """The paths at which links to the folders above a file show it."""
        found: list[str] = []
        folder = os.path.dirname(file)
        while self.linked and inside(folder, self.root):
            found += [os.path.join(link, os.path.relpath(file, folder)) for link in self.linked.get(folder, [])]
            folder = os.path.dirname(folder)
        return found

    def places(self, directory: str, skills: list[tuple[str, str]], agents: list[tuple[str, str]]) -> list[PluginPlace]:
        places = []
        for entry in self.distinct(directory):
            own = [file for file, seen_as in skills if _counts(seen_as, entry)]
            its = [file for file, seen_as in agents if _counts(seen_as, entry)]
            places.append(PluginPlace(directory, self.relative(directory), entry.name, tuple(own), tuple(its)))
        return places

    def distinct(self, directory: str) -> list[Entry]:
        """The plugins of one directory; marketplace entries that are the same plugin under several names count once."""
        entries = self.entries.get(directory, [])
        if any(entry.complete for entry in entries):
            return entries
        if manifest_of(directory):
            name = plugin_entry(directory, self.root).name
            return [entry._replace(name=name) for entry in entries[:1]]
        return entries[:1]

    def relative(self, file: str) -> str:
        if (
            os.sep == "/"
            and file.startswith(self.prefix)
            and "/." not in file[len(self.prefix) - 1 :]
            and "//" not in file
        ):
            return file[len(self.prefix) :]  # a plain path needs no work
        return os.path.relpath(file, self.root).replace(os.sep, "/")


def _counts(file: str, entry: Entry) -> bool:
    """Whether a client loads a file as the plugin's: translations in ``docs/fr/skills`` and the like are files of it, no more."""
    if any(inside(file, path) for path in (*entry.skills, *(entry.agents or ()))):
        return True
    if entry.complete:
        return False
    parts = os.path.relpath(file, entry.directory).split(os.sep)
    return len(parts) == 1 or (parts[0] in ("skills", "agents") and _PROJECT_FOLDERS.isdisjoint(parts[1:-1]))


def names_of(folder: str) -> list[str]:
    """What is in a folder, sorted; nothing when it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


_LINKED_OUT = Problem(
    "REF_ESCAPE",
    1,
    "this link leaves the repository and is not followed",
    "Put the files into the repository, or remove the link.",
)
_UNREAD = Problem("FILE_UNREADABLE", 1, "", "Mend its permissions, move it up, or exclude it.")
_BARE_FOLDER = Problem(
    "FILE_MISSING",
    1,
    "a folder of skills/ without a SKILL.md: no client loads it",
    "Name its main file SKILL.md, or move the folder out of skills/.",
)
_BARE_FILE = Problem(
    "SKILL_FLAT_FILE",
    1,
    "a Markdown file directly in skills/: only skills/NAME/SKILL.md is loaded",
    "Move it to a folder of its own, as SKILL.md.",
)
