"""Both sides of a change as skills: the base read from git's objects, the head from there or from the working tree."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import resolve
from plugin_eval_ci.discover import find, repository_root
from plugin_eval_ci.edges import git
from plugin_eval_ci.edges.snapshot import snapshot
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.parse.documents import inside, parse_skill
from plugin_eval_ci.trials.sides import Side

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

_READ = (".json", ".yaml", ".yml", ".md", ".markdown")


class Sides(NamedTuple):
    """``base`` None: there is none. ``named``: reported paths of the skills that were asked for. ``renamed``: path now -> before."""

    base: Side | None
    head: Side
    commits: tuple[str | None, str | None]
    named: frozenset[str]
    renamed: Mapping[str, str]


@contextmanager
def sides_of(paths: tuple[str, ...], config: ConfigSource, base: str | None, head: str | None) -> Iterator[Sides]:
    """Read them; their files are there while the context lasts. The base is its common ancestor with the head.

    Raises ``git.GitError`` for a revision that is not at hand, and ``UsageError`` for a path that does not exist or holds no skill.
    """
    for path in paths:
        if head is None and not os.path.lexists(path):
            raise UsageError(f"{path}: no such file or folder")
    root = repository_root(os.path.abspath(paths[0]))
    with ExitStack() as stack:
        start, renamed, end = None, {}, None
        if head is not None or base is not None:
            end = git.commit_of(root, head or "HEAD")
        if base is not None and end is not None:
            named = git.commit_of(root, base)
            start = git.merge_base(root, named, end) or named
            changes = git.changes(root, start, end if head else None)
            renamed = {c.new: c.old for c in changes if c.old and c.new and c.old != c.new}
        now = stack.enter_context(snapshot(root, end, _is_read)) if head and end else root
        then = stack.enter_context(snapshot(root, start, _is_read)) if start else None
        after = _side(now, config)
        wanted = frozenset(
            skill.source.path
            for skill in after.skills
            if any(inside(os.path.join(root, skill.source.path), os.path.abspath(path)) for path in _tops(paths))
        )
        if not wanted:
            raise UsageError(f"{', '.join(paths)}: no skills found here")
        yield Sides(_side(then, config) if then else None, after, (start, end if head else None), wanted, renamed)
        resolve.forget()


def _tops(paths: tuple[str, ...]) -> list[str]:
    """A file stands for its folder."""
    return [
        path if os.path.isdir(path) or not os.path.lexists(path) else os.path.dirname(path) or "." for path in paths
    ]


def _side(folder: str, config: ConfigSource) -> Side:
    resolve.forget()
    found = find((folder,), config)
    skills = tuple(parse_skill(where) for where in found.skills)
    return Side(skills, {place.directory: place.name for place in found.plugins})


def _is_read(path: str) -> bool:
    """What a list of skills and their labels are made of."""
    return path.lower().endswith(_READ)
