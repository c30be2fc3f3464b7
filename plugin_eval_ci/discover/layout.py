"""What a walk met, put together: which plugin a skill belongs to, which agents count, each file once."""

from __future__ import annotations

import os
from typing import NamedTuple

from plugin_eval_ci.discover import page
from plugin_eval_ci.discover.clients import PROJECT_FOLDERS
from plugin_eval_ci.discover.exclude import Excluder
from plugin_eval_ci.discover.tree import Scan, scan
from plugin_eval_ci.model import Problem, Severity
from plugin_eval_ci.parse.documents import Location, is_inside, real, real_file
from plugin_eval_ci.parse.manifest import PLUGIN_FOLDERS, Entry, manifest_of, marketplace_entries, plugin_entry


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
        self.agent_files: dict[str, str] = {}  # as for skills
        self.entries: dict[str, list[Entry]] = {}  # directory -> the plugins defined there
        self.named: set[str] | None = None  # the agents that entries name; None when an entry came since
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
            self.note(path, bare_folder(path) if what == "folder" else bare_file(path))
        for link in scan.dangling:
            self.note(link, dead_link(link))
        return any(met)

    def note(self, file: str, problem: Problem) -> None:
        self.problems[(self.relative(file), problem.kind)] = problem

    def marketplace(self, directory: str) -> bool:
        if directory not in self.markets:
            self.named = None
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
        self.named = None
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
        if not is_inside(resolved, self.real_root):
            self.note(file, _LINKED_OUT)
            return False
        if os.path.islink(file):
            if not os.path.exists(resolved):
                resolved = file  # two links that lead nowhere are two findings
            elif PROJECT_FOLDERS.isdisjoint(parts := file.split(os.sep)) or not {".agents", ".codex"}.isdisjoint(parts):
                self.note(file, _LINKED_FILE)  # other clients' folders are not for the one that drops it
        if resolved not in self.skill_files or (
            os.path.islink(self.skill_files[resolved]) and not os.path.islink(file)
        ):
            self.skill_files[resolved] = file
        return True

    def agent(self, file: str) -> bool:
        if page.is_prose(os.path.basename(file)) or not is_inside(real_file(file), self.real_root):
            return False
        folder = self.agents_folder(file)
        if file not in self.entry_agents() and (folder is None or page.is_page(file)):
            return False
        if folder not in (None, os.path.dirname(file)) and not page.has_header(file):
            return False  # what an agent reads may lie below agents/ too
        self.add_agent(file)
        return True

    def add_agent(self, file: str) -> None:
        """Each file once, by its own path rather than that of a link to it."""
        resolved = real_file(file)
        if resolved not in self.agent_files or os.path.islink(self.agent_files[resolved]):
            self.agent_files[resolved] = file

    def named_agent(self, file: str) -> bool:
        """Take a file that somebody named for an agent if its folder and its header say so."""
        folders = os.path.relpath(file, self.root).split(os.sep)[:-1]
        agent = "agents" in folders or file.endswith(".agent.md")
        if not agent or not file.endswith(".md") or page.is_prose(os.path.basename(file)) or not page.has_header(file):
            return False
        if is_inside(real_file(file), self.real_root):
            self.add_agent(file)
        return True

    def agents_folder(self, file: str) -> str | None:
        """The ``agents`` folder above a file from which a client loads it; None without one."""
        folder = os.path.dirname(file)
        if folder in self.entry_agents():
            return folder
        while page.may_hold_agents(folder, self.root):
            if os.path.basename(folder) in ("agents", "agent") and self.holds_agents(folder):
                return folder
            folder = os.path.dirname(folder)
        return None

    def holds_agents(self, folder: str) -> bool:
        """Whether an ``agents`` folder is a plugin's or a project's, not a skill's own."""
        owner = os.path.dirname(folder)
        if os.path.basename(folder) == "agent":
            return os.path.basename(owner) == ".opencode"
        if owner in self.roots or os.path.basename(owner) in PROJECT_FOLDERS or manifest_of(owner):
            return True
        if folder in self.entry_agents():
            return True
        if page.in_docs(folder, self.root):
            return False
        if any(os.path.lexists(os.path.join(owner, name)) for name in ("SKILL.md", "skill.md")):
            return False
        return any(os.path.isdir(os.path.join(owner, name)) for name in ("skills", "commands", "hooks"))

    def entry_agents(self) -> set[str]:
        if self.named is None:
            self.named = {path for some in self.entries.values() for entry in some for path in entry.agents or ()}
        return self.named

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
        if is_inside(real(path), self.real_root):
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
        files = [file for file in self.skill_files.values() if self.is_skill(file)]
        skills = sorted((self.location(file) for file in files), key=lambda place: place.path)
        agents = sorted((self.location(file) for file in self.agent_files.values()), key=lambda place: place.path)
        skills_of, agents_of = self.by_plugin(skills), self.by_plugin(agents)
        plugins = [
            place
            for directory in sorted(self.roots)
            for place in self.places(directory, skills_of.get(directory, []), agents_of.get(directory, []))
        ]
        problems = tuple((path, problem) for (path, _), problem in sorted(self.problems.items()))
        return tuple(skills), tuple(agents), tuple(plugins), problems

    def is_skill(self, file: str) -> bool:
        """Whether a SKILL.md is one: not a link to an agent or a command, not a template or a part of another skill."""
        resolved = real_file(file)
        if os.path.islink(file):
            return resolved not in self.agent_files and os.path.basename(os.path.dirname(resolved)) != "commands"
        folder = os.path.dirname(file)
        part = page.in_skill(folder, self.root) or page.in_template(folder, self.root)
        return not part or not os.path.isfile(file) or page.begins_with_fence(file)

    def location(self, file: str) -> Location:
        shown = file
        if os.path.islink(file) and os.path.exists(file):
            shown = os.path.join(self.root, os.path.relpath(os.path.realpath(file), self.real_root))
        plugin = next((root for name in (file, *self.seen_as(file)) if (root := self.plugin_of(name))), None)
        folder = os.path.dirname(file)
        # The folder of a skill at a plugin's root is named by whoever installs it: plugins/NAME is one without a manifest.
        placed = folder not in (self.root, plugin) and os.path.basename(os.path.dirname(folder)) != "plugins"
        placed = placed and not page.is_container(folder, self.root)
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
        while self.linked and is_inside(folder, self.root):
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
    if any(is_inside(file, path) for path in (*entry.skills, *(entry.agents or ()))):
        return True
    if entry.complete:
        return False
    parts = os.path.relpath(file, entry.directory).split(os.sep)
    return len(parts) == 1 or (parts[0] in ("skills", "agents") and PROJECT_FOLDERS.isdisjoint(parts[1:-1]))


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
_UNREAD = Problem("FILE_UNREADABLE", 1, "", "Check its permissions, move it up, or exclude it.")
_LINKED_FILE = Problem(
    "FILE_SYMLINK", 1, "", "Move the file here, or link the whole folder: clients follow a linked folder."
)


def bare_folder(folder: str) -> Problem:
    """A folder without a SKILL.md: a skill under another name, or something else that ended up there."""
    meant = page.meant_as_skill(folder)
    fix = f"Rename {meant} to SKILL.md." if meant else "Name its main file SKILL.md, or move the folder out of skills/."
    severity = Severity.ERROR if meant else Severity.NOTICE
    return Problem("FILE_MISSING", 1, "this folder has no SKILL.md", fix, severity=severity)


def bare_file(file: str) -> Problem:
    """A Markdown file in a skills folder: a skill if it has the header of one."""
    severity = Severity.WARNING if page.has_header(file) else Severity.NOTICE
    message = "this file is directly in skills/, not in skills/NAME/SKILL.md"
    return Problem("SKILL_FLAT_FILE", 1, message, "Move it to a folder of its own, as SKILL.md.", severity=severity)


def dead_link(link: str) -> Problem:
    """A link that leads nowhere; one that stands for a whole skill or an agent takes it away."""
    above = os.path.basename(os.path.dirname(link))
    severity = Severity.ERROR if above in ("skills", "agents") else Severity.WARNING
    message = f"this is a link to {os.readlink(link)[:80]!r}, which does not exist"
    return Problem("FILE_UNREADABLE", 1, message, "Correct the link, or remove it.", severity=severity)


def claim(layout: Layout, place: str, excluder: Excluder) -> bool:
    """Add the owner of ``place`` to ``layout``; False when nobody owns it."""
    name = os.path.basename(place)
    folder = os.path.dirname(place)
    if name.lower() == "skill.md":
        layout.skill(place)
        return True
    if os.path.basename(folder) in PLUGIN_FOLDERS and name in ("plugin.json", "marketplace.json"):
        layout.scanned(scan(os.path.dirname(folder), excluder))
        return True
    if name.endswith(".md") and layout.agents_folder(place) is not None and layout.agent(place):
        return True
    return _climb(layout, place) or layout.named_agent(place)


def _climb(layout: Layout, place: str) -> bool:
    folder = place if os.path.isdir(place) else os.path.dirname(place)
    while True:
        if folder not in layout.owners:
            layout.owners[folder] = skill_file(folder)
        file = layout.owners[folder]
        if file is not None:
            layout.skill(file)
            return True
        parent = os.path.dirname(folder)
        if folder == layout.root or parent == folder:
            return False
        folder = parent


def skill_file(folder: str) -> str | None:
    """The SKILL.md of a folder, whatever its letter case; the exact name first."""
    try:
        names = [name for name in sorted(os.listdir(folder)) if name.lower() == "skill.md"]
    except OSError:
        return None
    return os.path.join(folder, "SKILL.md" if "SKILL.md" in names else names[0]) if names else None
