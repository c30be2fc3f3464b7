"""The index of a corpus of reference skills, and which of them a skill is compared with.

``plugin-eval init`` writes it. Paths are relative to the folder of the index, so that both can be committed together.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import Collection, Skill
from plugin_eval_ci.parse.facts import tokens
from plugin_eval_ci.parse.manifest_value import local_plugin, member, texts
from plugin_eval_ci.util.json_values import DamagedError, as_list, as_object, as_text

FILE = "index.json"
VERSION = 1
MOST = 5  # references of one rating
BANDS = (("large", 2_500), ("medium", 1_000), ("small", 0))  # estimated tokens of SKILL.md, from


class Entry(NamedTuple):
    """A reference skill. ``sha256`` of the bytes of its SKILL.md; ``score``: of the static layer, in [0, 1]."""

    path: str
    name: str
    category: str
    size: str
    sha256: str
    score: float


class Subject(NamedTuple):
    """The skill that looks for references. ``file``: absolute path of its SKILL.md."""

    file: str
    name: str
    category: str
    size: str
    sha256: str


class References(NamedTuple):
    """``files``: entry and absolute path. ``problem``: why none exist; ``notes``: what was passed over."""

    chosen: tuple[tuple[Entry, str], ...]
    problem: str = ""
    notes: tuple[str, ...] = ()


def size_of(text: str) -> str:
    """The size band of a SKILL.md."""
    count = tokens(text)
    return next(name for name, least in BANDS if count >= least)


def digest_of(file: str) -> str | None:
    """The SHA-256 of a file; None when it cannot be read."""
    try:
        with open(file, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return None


def categories_of(collection: Collection) -> Mapping[str, str]:
    """By the absolute folder of a plugin: the category that its marketplace gives it, else the plugin's name."""
    found = {os.path.realpath(os.path.join(collection.root, plugin.path)): plugin.name for plugin in collection.plugins}
    for manifest in collection.manifests:
        if manifest.kind != "marketplace":
            continue
        listed = member(manifest.value, "plugins")
        for row in listed.items if listed is not None else ():
            place, named = local_plugin(manifest.directory, manifest.value, row), texts(member(row, "category"))
            if place is not None and named and named[0].text.strip():
                found[os.path.realpath(place)] = named[0].text.strip()
    return found


def category_of(skill: Skill, categories: Mapping[str, str]) -> str:
    """The category of a skill: its plugin's; empty for a skill in none."""
    return categories.get(os.path.realpath(skill.plugin), os.path.basename(skill.plugin)) if skill.plugin else ""


def render_index(entries: Sequence[Entry]) -> str:
    """The index as JSON: the same skills give the same bytes."""
    rows = [entry._asdict() for entry in sorted(entries)]
    return json.dumps({"schema_version": VERSION, "skills": rows}, indent=1, ensure_ascii=True) + "\n"


def read_index(folder: str) -> tuple[Entry, ...]:
    """The index of a folder. Raises ``UsageError`` if it is missing or cannot be read."""
    file = os.path.join(folder, FILE)
    try:
        with open(file, encoding="utf-8") as stream:
            document = as_object(json.load(stream), "the index")
        if document.get("schema_version") != VERSION:
            raise DamagedError(f"schema_version must be {VERSION}")
        return tuple(_entry(row) for row in as_list(document.get("skills"), "skills"))
    except FileNotFoundError:
        raise UsageError(
            f"{file}: no index of reference skills; create it with plugin-eval init PLUGINS --corpus-dir {folder}"
        ) from None
    except (OSError, ValueError, RecursionError, DamagedError) as error:
        raise UsageError(f"{file}: cannot be read ({error}); create it again with plugin-eval init") from None


def _entry(row: object) -> Entry:
    values = as_object(row, "a skill")
    words = [as_text(values.get(name), name) for name in ("path", "name", "category", "size", "sha256")]
    if (
        os.path.basename(words[0]).lower() != "skill.md"
    ):  # its text goes to a model: no other file of this machine shall
        raise DamagedError("path must name a SKILL.md")
    score = values.get("score")
    if not all((words[0], words[3], words[4])) or isinstance(score, bool) or not isinstance(score, int | float):
        raise DamagedError("a skill needs path, size, sha256 and score")
    return Entry(words[0], words[1], words[2], words[3], words[4], float(score))


def choose(entries: Sequence[Entry], subject: Subject, folder: str, most: int = MOST) -> References:
    """References of the subject's category and size, spread over the static scores. Never the skill itself, a copy of it, or one of
    its name, which is likely an earlier state of it; nor a file that is not what was indexed."""
    alike = sorted(
        {entry for entry in entries if (entry.category, entry.size) == (subject.category, subject.size)},
        key=lambda entry: (entry.score, entry.sha256, entry.path),
    )
    there, passed, seen = [], 0, {subject.sha256}
    for entry in alike:
        file = os.path.realpath(os.path.join(folder, entry.path))
        if entry.sha256 in seen or entry.name == subject.name or file == os.path.realpath(subject.file):
            continue
        seen.add(entry.sha256)
        if digest_of(file) != entry.sha256:
            passed += 1
            continue
        there.append((entry, file))
    notes = (f"{passed} references were deleted or changed since plugin-eval init",) if passed else ()
    if not there:
        listed = ", ".join(sorted({entry.category for entry in entries if entry.category})[:20]) or "none"
        return References(
            (),
            f"no reference skill of category {subject.category!r} and size {subject.size}; categories: {listed}",
            notes,
        )
    count = min(most, len(there))
    places = [round(place * (len(there) - 1) / max(1, count - 1)) for place in range(count)]
    return References(tuple(there[place] for place in places), "", notes)
