"""A reference file links to another one that SKILL.md forgot to mention.

## What it flags

A file below `references/` that links to a further reference file, when SKILL.md mentions most of the reference files but not that one.
Each file is reported once. A skill that only routes to index pages, or a page that leads on to more than three files, is left alone:
there the second level is the design.

## Why

The Agent Skills specification asks for references one level deep: an agent that follows a chain often reads only the first part of
each file, or stops on the way.

## Bad

SKILL.md links to `references/overview.md`; only that one links to `references/details.md`.

## Good

SKILL.md links to both, and says when to read which.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.references import Reference, references_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "links"

_FEW = 3


def check(skill: Skill) -> Iterator[Hit]:
    """The first link of each reference file to a file that SKILL.md does not lead to."""
    references = references_of(skill)
    direct = {reference.resolution.place for reference in references if not reference.nested}
    seen: set[str] = set()
    if _routes(skill):
        return
    indexes = _indexes(skill, references, direct)
    for reference in references:
        place = reference.resolution.place
        if not reference.nested or reference.resolution.status != "found" or reference.file in seen or place in direct:
            continue
        if reference.file in indexes or not _is_forgotten(skill, reference):
            continue
        seen.add(reference.file)
        message = f"links to {quote(reference.local.path)}, which SKILL.md does not mention"
        fix = "Mention that file in SKILL.md too, and say when to read it."
        yield Hit(reference.line, message, fix, reference.local.path, path=reference.file)


def _routes(skill: Skill) -> bool:
    """Whether SKILL.md leaves most of many reference files to the pages that it names."""
    pages = [name for name in skill.reference_files if name.lower().endswith((".md", ".markdown"))]
    named = sum(_is_named(skill, name) for name in pages)
    return len(pages) > _FEW and named * 3 < len(pages) * 2


def _indexes(skill: Skill, references: tuple[Reference, ...], direct: set[str]) -> set[str]:
    """The pages that lead on to more than a few files."""
    targets: dict[str, set[str]] = {}
    for reference in references:
        if reference.nested and reference.resolution.place not in direct and _is_forgotten(skill, reference):
            targets.setdefault(reference.file, set()).add(reference.resolution.place)
    return {file for file, places in targets.items() if len(places) > _FEW}


def _is_forgotten(skill: Skill, reference: Reference) -> bool:
    place = reference.resolution.place
    if reference.resolution.status != "found" or place == reference.inside or not _bundled(skill, place):
        return False
    return place.lower().endswith((".md", ".markdown")) and not _is_named(skill, place)


def _is_named(skill: Skill, path: str) -> bool:
    return os.path.basename(path) in skill.source.text  # linked, or named in words or in code


def _bundled(skill: Skill, place: str) -> bool:
    return place.startswith(os.path.join(skill.directory, "references") + os.sep)
