"""The skill lies inside .claude-plugin/.

## What it flags

A skill in a folder below `.claude-plugin/`, unless the plugin's manifest names that folder.

## Why

Only plugin.json and marketplace.json belong there. Claude Code looks for skills, agents and commands at the plugin's
root, so nothing of this is loaded.

## Bad

```text
store/.claude-plugin/plugin.json
store/.claude-plugin/skills/stock-report/SKILL.md
```

## Good

```text
store/.claude-plugin/plugin.json
store/skills/stock-report/SKILL.md
```

## How to turn it off

Add `SKILL_MISPLACED` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore SKILL_MISPLACED`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.parse.documents import inside
from plugin_eval_ci.parse.manifest import plugin_entry
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "layout"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()

_FOLDER = ".claude-plugin"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on line 1."""
    if _FOLDER not in skill.source.path.split("/")[:-1]:
        return
    if skill.plugin and any(inside(skill.directory, named) for named in plugin_entry(skill.plugin, skill.root).skills):
        return
    message = f"the skill lies inside {_FOLDER}/, where no client looks for skills"
    yield Hit(1, message, "Move the skills folder to the plugin's root.", _FOLDER)
