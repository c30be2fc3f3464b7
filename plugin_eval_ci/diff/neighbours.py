"""Neighbours of a change whose own findings are the same on both sides, so only rules across documents can add new ones.

An unchanged document gets different findings only if it leads to something that changed. If it cannot, it is read once for both
sides, without the parts that only the rules about single documents need.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from plugin_eval_ci.diff.scope import owner_of
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import MARK, Agent, Document, Skill
from plugin_eval_ci.parse.documents import Location, parse_lightly, parse_text, placed_at, real_root
from plugin_eval_ci.parse.manifest import manifest_of, plugin_entry
from plugin_eval_ci.parse.source import head_text
from plugin_eval_ci.util import parallel
from plugin_eval_ci.util.lazy import Lazy

if TYPE_CHECKING:
    from plugin_eval_ci.discover import Targets
    from plugin_eval_ci.git import Change

_WORD = Lazy(r"[a-z0-9][a-z0-9._-]*")
_EDGES = "._-"
_MOST_OTHERS = 300  # each is searched for in each text
_MOST_READ = 256 * 1024  # bytes of one changed file, as REF_UNUSED reads them


class Reach(NamedTuple):
    """What can lead to the change. Names are in lower case, except ``named``."""

    folders: dict[str, frozenset[str]]  # by folder of a skill: the names of its changed files
    others: tuple[str, ...]  # files outside skills, and added or removed folders
    named: frozenset[str] = frozenset()  # folders below which a changed text names something

    def meets(self, text: str) -> bool:
        """Whether a text may lead to something that changed. False positives are possible."""
        plain = _plain(f"{text}\n{unquote(text)}" if "%" in text else text)
        if any(other in plain for other in self.others):
            return True
        words = {word.strip(_EDGES) for word in _WORD().findall(plain)}
        return any(self._leads(name, plain) for name in words & self.folders.keys())

    def _leads(self, name: str, text: str) -> bool:
        """Whether the text leads there by a path, or by a file name in the folder of a skill that the sentence names."""
        signs = (f"/{name}", f"{name}/", f"\\{name}", f"{name}\\", f"({name}", f"<{name}", f": {name}", f"@{name}")
        return any(sign in text for sign in signs) or any(below in text for below in self.folders[name])

    def named_by(self, roots: tuple[str, str], touched: Iterable[str], names: set[str]) -> Reach:
        """``reach`` with those of ``names`` that a changed file contains before a slash, on either side."""
        lengths = sorted({len(name) for name in names})
        found: set[str] = set()
        for text in {head_text(os.path.join(root, path), _MOST_READ) for root in roots for path in touched}:
            for slash in re.finditer("/", text):
                at = slash.start()
                found.update(text[at - length : at] for length in lengths if length <= at)
        return self._replace(named=frozenset(found & names))


def reach_of(sides: tuple[Targets, Targets], changes: tuple[Change, ...]) -> Reach | None:
    """What leads to ``changes``; None if there are too many to search for."""
    skills = {folder_of(where.path): where.path for side in sides for where in side.skills}
    below: dict[str, set[str]] = {}
    others: set[str] = set()
    for path in {path for change in changes for path in (change.old, change.new) if path}:
        owner = owner_of(path, skills)
        folder = folder_of(owner) if owner else ""
        fresh = _one_sided(path, (sides[0].root, sides[1].root))
        name = _plain(folder.rpartition("/")[2]).strip(_EDGES)
        outside = [one for one in fresh if not folder or not one.startswith(f"{folder}/")]
        if outside and outside[0] != folder:
            others.add(_last(outside[0]))
        if name and _WORD().fullmatch(name):
            inside = {_last(one) for one in fresh if one.startswith(f"{folder}/")}
            below.setdefault(name, set()).update({_last(path)} | inside - {""})
        else:
            others.add(name or _last(path))
    if len(others) > _MOST_OTHERS or "" in others:
        return None
    return Reach({name: frozenset(some - {"skill"}) for name, some in below.items()}, tuple(sorted(others)))


def _one_sided(path: str, roots: tuple[str, str]) -> list[str]:
    """The folders of a path that exist on one side only, outermost first."""
    parts = path.split("/")[:-1]
    folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    return [folder for folder in folders if sum(os.path.isdir(os.path.join(root, folder)) for root in roots) == 1]


def _last(path: str) -> str:
    """The last part of a path, in the form that a text may use."""
    return _plain(path.rpartition("/")[2].removesuffix(".md"))


def _plain(text: str) -> str:
    return (text if text.isascii() else normalize("NFC", text)).lower()


_PROMISE = Lazy(r"[`*] (?:skill|agent|sub)|[a-z0-9]:[a-z]")  # what a text must contain to refer to a name
PAGES = (".md", ".markdown")
_MOST = 1 << 20  # bytes of one reference file


class Nearby(NamedTuple):
    """Documents of each side, by file."""

    before: dict[str, Document]
    after: dict[str, Document]


def nearby(sides: tuple[Targets, Targets], unchanged: Iterable[str], changes: tuple[Change, ...]) -> Nearby:
    """The ``unchanged`` documents (reported paths) that none of ``changes`` can reach: first those of the base, then those of the head."""
    then, now = sides
    reach = reach_of(sides, changes)
    if reach is None:
        return Nearby({}, {})
    touched = {path for change in changes for path in (change.old, change.new) if path}
    same = _same_place(sides, frozenset(unchanged) - _owners(sides, touched))
    above = _above(touched)
    work = [(where, other, is_skill) for where, other, is_skill in same if not _holds(where, is_skill, above)]
    reach = reach.named_by((then.root, now.root), touched, {_own_name(where) for where, _, _ in work})

    def read(place: tuple[Location, Location, bool]) -> Document | None:
        return _lightly(place[0], place[2], reach)

    found = zip(work, parallel.parallel_map(read, work), strict=True)
    pairs = [(other, document) for (_, other, _), document in found if document is not None]
    return Nearby(
        {other.file: placed_at(document, other) for other, document in pairs},
        {document.source.file: document for _, document in pairs},
    )


def _owners(sides: tuple[Targets, Targets], touched: set[str]) -> set[str]:
    """The documents that contain a changed file."""
    folders = {folder_of(where.path): where.path for side in sides for where in side.skills}
    return touched | {owner for path in touched if (owner := owner_of(path, folders))}


def _same_place(sides: tuple[Targets, Targets], paths: frozenset[str]) -> list[tuple[Location, Location, bool]]:
    """Documents that exist on both sides in an equivalent plugin: current location, old location, whether it is a skill."""
    then, now = ({where.path: where for where in (*side.skills, *side.agents)} for side in sides)
    plugins: dict[tuple[str, str], object] = {}
    skills = {where.path for where in sides[1].skills}
    found = []
    for path in sorted(paths & then.keys() & now.keys()):
        one, other = now[path], then[path]
        if one.placed == other.placed and _plugin(one, plugins) == _plugin(other, plugins):
            found.append((one, other, path in skills))
    return found


def _plugin(where: Location, known: dict[tuple[str, str], object]) -> object:
    """What the rules about single documents use of a document's plugin, independent of the repository's location."""
    if where.plugin is None:
        return None
    key = where.plugin, where.root
    if key not in known:
        entry, manifest = plugin_entry(*key), manifest_of(where.plugin)
        files = (where.plugin, manifest or where.plugin, *entry.skills)
        known[key] = [os.path.relpath(file, where.root) for file in files]
    return known[key]


def _above(paths: Iterable[str]) -> set[str]:
    """Every folder that one of the paths is in, the root as an empty one."""
    found: set[str] = set()
    for path in paths:
        folder = path
        while folder and (folder := folder.rpartition("/")[0]) not in found:
            found.add(folder)
    return found


def _holds(where: Location, is_skill: bool, above: set[str]) -> bool:
    """Whether a changed file is below a skill's folder, for example in a nested skill, which its own rules may read too."""
    return is_skill and folder_of(where.path) in above


def _own_name(where: Location) -> str:
    return os.path.basename(os.path.dirname(where.file))


def _lightly(where: Location, is_skill: bool, reach: Reach) -> Document | None:
    """The document without the parts that are not needed; None if it must be read and checked in full."""
    document = parse_lightly(where, is_skill)
    text = document.source.text
    if MARK in text or document.source.problem is not None or _is_linked(where):
        return None  # whether an ignore comment is used depends on all findings
    if isinstance(document, Skill) and _own_name(where) in reach.named:
        return None
    pages = _pages(document.directory) if isinstance(document, Skill) else []
    if reach.meets("\n".join([text, *pages])):
        return None
    needs = isinstance(document, Agent) and document.header.field("skills") is not None
    if needs or _PROMISE().search(text):
        return document._replace(body=parse_text(document.source)[1])
    return document


def _is_linked(where: Location) -> bool:
    top = real_root(where.root)
    return os.path.relpath(os.path.realpath(where.file), top) != os.path.relpath(where.file, where.root)


def _pages(directory: str) -> list[str]:
    """The Markdown files whose links count for the skill."""
    found = []
    for folder in ("references", "reference"):
        for current, _, files in os.walk(os.path.join(directory, folder)):
            found += [head_text(os.path.join(current, name), _MOST) for name in files if name.lower().endswith(PAGES)]
    return found
