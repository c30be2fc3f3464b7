"""What is called otherwise since the base: names of skills, agents, commands and plugins."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from plugin_eval_ci.model import Collection, Document, Skill
from plugin_eval_ci.suppress import folder_of


def renamed_names(before: Collection, after: Collection, renamed: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Pairs of a name before and the name now, in lower case; the second is empty for what is gone.

    ``renamed`` holds by path now the path before. A plugin's name ends with a colon, as it does before what it holds.
    """
    now = {document.source.path: document for document in _all(after)}
    moved = {old: new for new, old in renamed.items()}
    folders = _folders(renamed)
    pairs: dict[str, str] = {}
    for document in _all(before):
        path = document.source.path
        here = now.get(moved.get(path, path))
        if here is None and isinstance(document, Skill):
            here = now.get(f"{folders.get(folder_of(path))}/SKILL.md")
        names = _names(here) if here is not None else ("", "")
        pairs.update((old, new) for old, new in zip(_names(document), names, strict=True) if old not in names)
    return (*pairs.items(), *_plugins(before, after, moved))


def _all(collection: Collection) -> Iterable[Document]:
    return (*collection.documents, *collection.commands)


def _names(document: Document) -> tuple[str, str]:
    """By which it may be called: as declared, and as its folder or file is."""
    is_skill = isinstance(document, Skill)
    own = os.path.basename(document.directory if isinstance(document, Skill) else document.source.file)
    place = own if is_skill else own.removesuffix(".md")
    return (document.name or place).lower(), place.lower()


def _folders(renamed: Mapping[str, str]) -> dict[str, str]:
    """Where the files of a folder went, by the folder before: a skill that was rewritten as it moved leaves this trace."""
    counts = Counter((folder_of(old), folder_of(new)) for new, old in renamed.items())
    ends = Counter[tuple[str, str]]()
    for (old, new), count in counts.items():
        while old and new and old.rpartition("/")[2] == new.rpartition("/")[2]:
            old, new = folder_of(old), folder_of(new)  # references/ went with the folder it is in
        if old and new and old != new:
            ends[old, new] += count
    return {old: new for (old, new), _ in reversed(ends.most_common())}


def _plugins(before: Collection, after: Collection, moved: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    names = {plugin.path: plugin.name.lower() for plugin in after.plugins}
    for plugin in before.plugins:
        top = "" if plugin.path == "." else f"{plugin.path}/"
        manifest = f"{top}.claude-plugin/plugin.json"
        path = moved.get(manifest, manifest).removesuffix(".claude-plugin/plugin.json").rstrip("/") or "."
        name, old = names.get(path), plugin.name.lower()
        if name and name != old and old not in names.values():
            yield f"{old}:", f"{name}:"
