"""Two skills that load together have the same name.

## What it flags

Two skills with the same name in one `skills` folder, or among the folders that one plugin loads; likewise two agents
in one `agents` folder. The finding is on the later path and names the other. Equal names in different plugins, in
different `.claude/skills` folders of a monorepo, or in translated copies are fine: clients keep those apart.

## Why

Only one of the two can be called. Which one differs from client to client.

## Bad

```text
skills/stock-report/SKILL.md     name: stock-report
skills/stock-summary/SKILL.md    name: stock-report
```

## Good

```text
skills/stock-report/SKILL.md     name: stock-report
skills/stock-summary/SKILL.md    name: stock-summary
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from unicodedata import normalize

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Agent, Collection, Hit, Severity, Skill
from plugin_eval_ci.parse.manifest import plugin_entry
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "name"


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Each later document of a name with the first one it collides with."""
    for documents in (collection.skills, collection.agents):
        named: dict[str, list[Skill | Agent]] = {}
        for document in documents:
            if document.header.problem is None:
                named.setdefault(normalize("NFC", document.name), []).append(document)
        for same in named.values():
            for position, document in enumerate(same):
                other = next((earlier for earlier in same[:position] if _meet(earlier, document)), None)
                if other is not None:
                    yield document.source.path, _hit(document, other)


def _hit(document: Skill | Agent, other: Skill | Agent) -> Hit:
    message = f"{quote(document.name)} is also the name of {quote(other.source.path)}"
    severity = Severity.WARNING
    if isinstance(document, Skill) and _container(document) == _container(other):
        from plugin_eval_ci.clients.loading import dropped_by

        message, severity = f"{message}: {dropped_by('name-twice', 'one of the two')}", SEVERITY
    return Hit(document.header.line("name"), message, "Give one of the two another name.", "name", severity=severity)


def _meet(one: Skill | Agent, two: Skill | Agent) -> bool:
    """Whether a client that loads one also loads the other, under the same name."""
    if _container(one) == _container(two):
        return True
    return one.plugin is not None and one.plugin == two.plugin and _loads(one.plugin, one) and _loads(two.plugin, two)


def _container(document: Skill | Agent) -> str:
    folder = os.path.dirname(document.source.file)
    return folder if isinstance(document, Agent) else os.path.dirname(folder)


def _loads(plugin: str, document: Skill | Agent) -> bool:
    """Whether the plugin loads a skill: from its skills folder, or from a folder or as a skill its manifest names."""
    if isinstance(document, Agent):
        return False
    container = _container(document)
    if container == os.path.join(plugin, "skills"):
        return True
    return any(folder in (container, document.directory) for folder in plugin_entry(plugin, document.root).skills)
