"""A reference file sends its reader on to another one that SKILL.md does not name.

## What it flags

A file below `references/` that links to a further bundled file, when SKILL.md itself does not lead to that file. Once a file.

## Why

The Agent Skills specification asks for references one level deep: an agent that follows a chain often reads only the first part of
each file, or stops on the way.

## Bad

SKILL.md links to `references/overview.md`; only that one links to `references/details.md`.

## Good

SKILL.md links to both, and says when to read which.

## How to turn it off

Add `REF_NESTED` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore REF_NESTED`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.references import references_of
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.wording import quoted

SEVERITY = Severity.NOTICE
GROUP: Group = "links"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(skill: Skill) -> Iterator[Hit]:
    """The first link of each reference file to a file that SKILL.md does not lead to."""
    references = references_of(skill)
    direct = {reference.resolution.place for reference in references if not reference.nested}
    seen: set[str] = set()
    for reference in references:
        place = reference.resolution.place
        if not reference.nested or reference.resolution.status != "found" or reference.file in seen or place in direct:
            continue
        if place == reference.inside or not _bundled(skill, place) or os.path.isdir(place):
            continue
        if os.path.basename(place) in skill.source.text:  # named in words or in code
            continue
        seen.add(reference.file)
        message = f"this file leads on to {quoted(reference.local.path)}, which SKILL.md does not mention"
        yield Hit(
            reference.line, message, "Link that file from SKILL.md too.", reference.local.path, path=reference.file
        )


def _bundled(skill: Skill, place: str) -> bool:
    return place.startswith(os.path.join(skill.directory, "references") + os.sep)
