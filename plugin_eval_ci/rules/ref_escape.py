"""A link leads out of the repository.

## What it flags

- A symbolic link to a folder, or a SKILL.md that is one, whose target lies outside the repository. Nothing of the
  target is read.
- A Markdown link that leads out of the repository, or out of the plugin that the skill is shipped with.
- A path in code or words, such as `scripts/run.py`, that only the repository's root has. Whoever installs the skill alone does not get
  that file (a notice). Skills below `.claude/` and the like belong to their project and are left alone.

## Why

Whoever clones the repository or installs the plugin does not have the target. Clients skip such links, because they
could lead anywhere.

## Bad

```text
skills/stock-report -> /home/ada/skills/stock-report
```

## Good

```text
skills/stock-report -> ../shared/stock-report
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.references import Reference, references_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Collection, Hit, Severity, Skill
from plugin_eval_ci.parse.documents import is_inside, real_root
from plugin_eval_ci.parse.manifest import manifest_of
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_collection

SEVERITY = Severity.WARNING
GROUP: Group = "links"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """What was met while looking for skills."""
    return of_collection(collection, "REF_ESCAPE")


def check_skill(skill: Skill) -> Iterator[Hit]:
    """Links that leave the repository, or the plugin they are shipped with, each once a file."""
    seen: set[tuple[str, str]] = set()
    shipped = skill.plugin if skill.plugin and manifest_of(skill.plugin) else None
    for reference in references_of(skill):
        key = (reference.file, reference.local.path)
        if reference.kind == "link" and key not in seen and (left := _left(skill, reference, shipped)):
            seen.add(key)
            why = "; whoever installs the plugin does not get it" if left == "plugin" else ""
            message = f"{quote(reference.local.path)} leads out of the {left}{why}"
            fix = f"Move the file into the {left}, or describe it without a link."
            yield Hit(reference.line, message, fix, reference.local.path, path=reference.file)
        elif reference.kind in ("code", "fence") and key not in seen and _is_only_at_the_root(skill, reference):
            seen.add(key)
            message = f"only the repository has {quote(reference.local.path)}: whoever installs the skill alone does not get it"
            fix = "Move the file into the skill."
            yield Hit(reference.line, message, fix, reference.local.path, severity=Severity.NOTICE)


def _is_only_at_the_root(skill: Skill, reference: Reference) -> bool:
    """Whether a path leads to a file of the repository's root, from a skill that is published from a folder of its own."""
    place = reference.resolution.place
    if reference.resolution.status != "found" or not skill.placed or manifest_of(skill.root):
        return False
    if place != os.path.join(skill.root, reference.local.path) or is_inside(place, skill.directory):
        return False
    return not any(part.startswith(".") for part in os.path.relpath(skill.directory, skill.root).split(os.sep))


def _left(skill: Skill, reference: Reference, shipped: str | None) -> str:
    """What the reference leaves: the repository, the plugin, or nothing."""
    status, place, _ = reference.resolution
    if status == "outside":
        return "repository" if reference.local.path.startswith("..") else ""
    if status != "found":
        return ""
    if not is_inside(os.path.realpath(place), real_root(skill.root)):
        return "repository"
    return "plugin" if shipped and not is_inside(place, shipped) else ""
