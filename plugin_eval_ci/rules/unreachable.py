"""The skill can be started by neither the model nor people.

## What it flags

A skill with `disable-model-invocation: true` and `user-invocable: false`. Also a skill one folder too deep below the
`skills` folder of a plugin whose plugin.json lists the skills next to it one by one, but not this one.

## Why

The first of the two fields keeps the model from starting the skill, the second keeps people from it. And Claude Code
looks for skills directly in `skills` and where the manifest says, no deeper.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
disable-model-invocation: true
user-invocable: false
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
disable-model-invocation: true
---
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import says_false, says_true, value_of
from plugin_eval_ci.analysis.plugin_entries import local_entries, plugin_manifests
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity, Skill, Value
from plugin_eval_ci.parse.manifest_value import below, member, texts
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "fields"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """One hit for each skill."""
    for skill in collection.skills:
        if says_true(value_of(skill, "disable-model-invocation")) and says_false(value_of(skill, "user-invocable")):
            message = "neither the model (disable-model-invocation) nor people (user-invocable) can start this skill"
            yield (
                skill.source.path,
                Hit(skill.header.line("user-invocable"), message, "Remove one of the two lines.", "user-invocable"),
            )
    if collection.manifests:
        yield from _forgotten(collection)


def _forgotten(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Skills that the manifest leaves out while it lists those in the same folder."""
    folders = {skill.directory for skill in collection.skills}
    places, owns = local_entries(collection), plugin_manifests(collection)
    for plugin, skills in _by_plugin(collection).items():
        listed = _listed(owns.get(plugin), plugin, places)
        beside = {os.path.dirname(path) for path in listed}
        skip = {plugin, os.path.join(plugin, "skills"), *listed}
        deep = os.path.join(plugin, "skills") + os.sep
        for skill in skills:
            folder = os.path.dirname(skill.directory)
            if not folder.startswith(deep) or folder in skip or skill.directory in listed or folder not in beside:
                continue
            if not any(skill.directory.startswith(other + os.sep) for other in folders):
                yield skill.source.path, _hit(skill, plugin)


def _by_plugin(collection: Collection) -> dict[str, list[Skill]]:
    found: dict[str, list[Skill]] = {}
    for skill in collection.skills:
        if skill.plugin is not None:
            found.setdefault(skill.plugin, []).append(skill)
    return found


def _listed(own: Manifest | None, plugin: str, places: tuple[tuple[Manifest, Value, str], ...]) -> frozenset[str]:
    """The folders that the plugin's own manifest lists, and those that entries of a marketplace add."""
    if own is None or not texts(member(own.value, "skills")):
        return frozenset()
    holders = [own.value, *(entry for _, entry, place in places if place == plugin)]
    paths = [below(plugin, item.text) for holder in holders for item in texts(member(holder, "skills"))]
    return frozenset(path for path in paths if path is not None)


def _hit(skill: Skill, plugin: str) -> Hit:
    path = "./" + os.path.relpath(skill.directory, plugin).replace(os.sep, "/")
    message = "plugin.json lists the skills next to this one but not this one, and it is too deep to be found"
    return Hit(1, message, f"Add '{path[:200]}' to skills in plugin.json.", path)
