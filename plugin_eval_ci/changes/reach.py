"""What a text must name to lead to something that a change touches: a skill by its folder, any other file by its own name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from plugin_eval_ci.changes.scope import owner_of
from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.parse.source import head_text
from plugin_eval_ci.suppress import folder_of

if TYPE_CHECKING:
    from plugin_eval_ci.discover import Found
    from plugin_eval_ci.edges.git import Change

_WORD = Lazy(r"[a-z0-9][a-z0-9._-]*")
_EDGES = "._-"
_MOST_OTHERS = 300  # each is looked for in each text
_MOST_READ = 256 * 1024  # bytes of one changed file, as REF_UNUSED reads them


class Reach(NamedTuple):
    """Names in lower case, but ``named``."""

    folders: dict[str, frozenset[str]]  # of skills: the names of what changed in each
    others: tuple[str, ...]  # files of no skill, and folders that are new or gone
    named: frozenset[str] = frozenset()  # folders below which a changed text names something

    def meets(self, text: str) -> bool:
        """Whether a text can lead to something changed; it may say so of one that does not."""
        plain = _plain(f"{text}\n{unquote(text)}" if "%" in text else text)
        if any(other in plain for other in self.others):
            return True
        words = {word.strip(_EDGES) for word in _WORD().findall(plain)}
        return any(self._leads(name, plain) for name in words & self.folders.keys())

    def _leads(self, name: str, text: str) -> bool:
        """By a path, or by what is in the folder where the sentence names the skill."""
        signs = (f"/{name}", f"{name}/", f"\\{name}", f"{name}\\", f"({name}", f"<{name}", f": {name}", f"@{name}")
        return any(sign in text for sign in signs) or any(below in text for below in self.folders[name])

    def named_by(self, roots: tuple[str, str], touched: Iterable[str], names: set[str]) -> Reach:
        """With those of ``names`` that a changed file writes before a slash, on either side."""
        lengths = sorted({len(name) for name in names})
        found: set[str] = set()
        for text in {head_text(os.path.join(root, path), _MOST_READ) for root in roots for path in touched}:
            for slash in re.finditer("/", text):
                at = slash.start()
                found.update(text[at - length : at] for length in lengths if length <= at)
        return self._replace(named=frozenset(found & names))


def reach_of(sides: tuple[Found, Found], changes: tuple[Change, ...]) -> Reach | None:
    """What leads to ``changes``; None where they are too many to look for."""
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
    """The folders of a path that only one side has, the outermost first."""
    parts = path.split("/")[:-1]
    folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    return [folder for folder in folders if sum(os.path.isdir(os.path.join(root, folder)) for root in roots) == 1]


def _last(path: str) -> str:
    """The last part of a path, as a text may write it."""
    return _plain(path.rpartition("/")[2].removesuffix(".md"))


def _plain(text: str) -> str:
    return (text if text.isascii() else normalize("NFC", text)).lower()
