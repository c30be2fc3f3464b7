"""A SKILL.md or an agent's file to a ``Skill`` or an ``Agent``."""

import os
from functools import lru_cache
from typing import NamedTuple

from plugin_eval_ci.model import Agent, Body, Header, Problem, Skill, Source
from plugin_eval_ci.parse import header, markdown
from plugin_eval_ci.parse.source import read_source
from plugin_eval_ci.util import faults

_MAX_FILES = 10_000  # of references/ or assets/: enough for any skill, and a bound on a hostile tree


class Location(NamedTuple):
    """Where a document is: absolute file, path as reported, repository root, plugin root, and whether a folder names it."""

    file: str
    path: str
    root: str
    plugin: str | None
    placed: bool = True


def parse_skill(location: Location, source: Source | None = None) -> Skill:
    """The facts of one skill; ``source`` replaces what is on disk (an editor's unsaved text)."""
    try:
        source = source or read_source(location.file, location.path)
        folder = os.path.dirname(location.file)
        return _skill(location, source, *parse_text(source))._replace(
            reference_files=bundled_files(os.path.join(folder, "references"), location.root),
            asset_files=bundled_files(os.path.join(folder, "assets"), location.root),
        )
    except Exception as error:
        return _skill(location, *_unread(location, error))


def _unread(location: Location, error: Exception) -> tuple[Source, Header, Body]:
    """In place of a document that we fail to read: no rule about its text says anything, and it is not measured."""
    fault = faults.note(error, "read", location.path)
    problem = Problem(faults.RULE, 1, f"internal error: {fault.said}", faults.ADVICE)
    return Source(location.file, location.path, "", 0, False, problem), Header(problem), Body()


def _skill(location: Location, source: Source, head: Header, body: Body) -> Skill:
    directory = os.path.dirname(location.file)
    declared = head.field("name")
    return Skill(
        source,
        head,
        body,
        directory,
        os.path.dirname(real_file(location.file)),
        (declared.value.text.strip() if declared and declared.value.kind not in ("list", "mapping", "null") else "")
        or os.path.basename(directory),
        location.root,
        location.plugin,
        location.placed,
    )


def parse_agent(location: Location, source: Source | None = None) -> Agent:
    """The facts of one agent; ``source`` as for ``parse_skill``."""
    try:
        source = source or read_source(location.file, location.path)
        return _agent(location, source, *parse_text(source))
    except Exception as error:
        return _agent(location, *_unread(location, error))


def _agent(location: Location, source: Source, head: Header, body: Body) -> Agent:
    declared = head.field("name")
    stem = os.path.splitext(os.path.basename(location.file))[0]
    name = (
        declared.value.text.strip() if declared and declared.value.kind not in ("list", "mapping", "null") else ""
    ) or stem
    return Agent(source, head, body, name, location.root, location.plugin)


def parse_command(location: Location) -> Agent:
    """The frontmatter of a command, as an agent without a body: nothing else of it is read."""
    name = os.path.splitext(os.path.basename(location.file))[0]
    try:
        source = read_source(location.file, location.path)
        head = _split(source)[0]
    except Exception as error:
        source, head, _ = _unread(location, error)
    return Agent(source, head, Body(), name, location.root, location.plugin)


def parse_lightly(location: Location, skill: bool) -> Skill | Agent:
    """The header and the text of a document, without what Markdown makes of the text and without the files next to it."""
    of = _skill if skill else _agent
    try:
        source = read_source(location.file, location.path)
        return of(location, source, *_split(source))
    except Exception as error:
        return of(location, *_unread(location, error))


def placed_at(document: Skill | Agent, location: Location) -> Skill | Agent:
    """The same text somewhere else, without the files next to it."""
    source = document.source._replace(file=location.file, path=location.path)
    if isinstance(document, Skill):
        return _skill(location, source, document.header, document.body)
    return _agent(location, source, document.header, document.body)


def parse_text(source: Source) -> tuple[Header, Body]:
    """Header and body of a text; a file that could not be read has neither, and one problem."""
    head, body = _split(source)
    return head, markdown.parse(body.text, body.first_line)


def _split(source: Source) -> tuple[Header, Body]:
    """The header, and the text of the body without what Markdown makes of it."""
    if source.problem is not None and not source.text:
        return Header(Problem(source.problem.kind, 1, "", "")), Body()
    head, below, first_line = header.split(source.text)
    return head, Body(below, first_line)


def bundled_files(folder: str, root: str) -> tuple[str, ...]:
    """Non-empty files anywhere below ``folder``, relative to it, sorted; links that leave the repository do not count."""
    found: list[str] = []
    if not os.path.isdir(folder):
        return ()
    root = real_root(root)
    if not is_inside(os.path.realpath(folder), root):
        return ()
    seen = {os.path.realpath(folder)}
    for current, folders, files in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if _is_new(os.path.join(current, name), root, seen))
        for name in sorted(files):
            path = os.path.join(current, name)
            try:
                linked_out = os.path.islink(path) and not is_inside(os.path.realpath(path), root)
                if not linked_out and os.path.isfile(path) and os.path.getsize(path) > 0:
                    found.append(os.path.relpath(path, folder).replace(os.sep, "/"))
            except OSError:
                continue
            if len(found) >= _MAX_FILES:
                return tuple(found)
    return tuple(found)


def _is_new(folder: str, root: str, seen: set[str]) -> bool:
    """Whether a folder is in the repository and was not met under another name: a link may lead back up."""
    resolved = os.path.realpath(folder)
    if resolved in seen or not is_inside(resolved, root):
        return False
    seen.add(resolved)
    return True


@lru_cache(maxsize=8)
def real_root(root: str) -> str:
    """The folder of a repository with its links followed: the same for all its skills."""
    return os.path.realpath(root)


def real_file(path: str) -> str:
    """The absolute path of a file with its links followed; those of its folder are followed once for all that is in it."""
    folder, name = os.path.split(path)
    return os.path.realpath(path) if os.path.islink(path) else os.path.join(real_folder(folder), name)


@lru_cache(maxsize=4096)
def real_folder(folder: str) -> str:
    """A folder with its links followed."""
    return os.path.realpath(folder)


def real(path: str) -> str:
    """The path with its links followed; empty, which is nowhere inside, for one that the system will not say."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # /proc/1/cwd
        return ""


def is_inside(path: str, folder: str) -> bool:
    """Whether an absolute path is ``folder`` or below it (both resolved by the caller)."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
