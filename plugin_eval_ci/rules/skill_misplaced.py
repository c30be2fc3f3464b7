"""The skill is inside .claude-plugin/.

## What it flags

A skill below `.claude-plugin/` that no manifest names; a SKILL.md directly in a `skills` folder; and, in a plugin or in a
folder such as `.agents/skills`, a skill that lies two or more folders below `skills/`. A skill inside another skill is
left alone.

## Why

Clients look for skills/NAME/SKILL.md. Claude Code and Gemini CLI go no deeper. Given a SKILL.md in the skills folder
itself, Copilot CLI takes that one and drops all the others.

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
"""

from __future__ import annotations

from collections.abc import Iterator
from os.path import basename, dirname, isdir, join, lexists

from plugin_eval_ci.discover.clients import PROJECT_FOLDERS
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.parse.manifest import plugin_entry
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "layout"
_FOLDER = ".claude-plugin"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on line 1."""
    if _FOLDER not in skill.source.path.split("/")[:-1]:
        yield from _in_folder(skill)
        return
    if skill.plugin and any(
        is_inside(skill.directory, named) for named in plugin_entry(skill.plugin, skill.root).skills
    ):
        return
    message = f"the skill is inside {_FOLDER}/, where no client looks for skills"
    yield Hit(1, message, "Move the skills folder to the plugin's root.", _FOLDER)


def _in_folder(skill: Skill) -> Iterator[Hit]:
    """A SKILL.md in the folder that holds the skills, or too deep below it."""
    from plugin_eval_ci.discover.page import is_container

    folder = skill.directory
    if is_container(folder, skill.root) and not _is_listed(skill):
        from plugin_eval_ci.clients.loading import dropped_by

        others = dropped_by("next-to-a-skill-file", "every other skill in the folder")
        message = f"this SKILL.md is directly in skills/: {others}"
        yield Hit(1, message, "Move it to skills/NAME/SKILL.md.", "skills")
        return
    container = _container(skill)
    between = folder[len(container) + 1 :].count("/") if container else 0
    if between and not _is_listed(skill) and not _has_parent(skill, container):
        from plugin_eval_ci.clients.loading import dropped_by

        message = f"this skill is {between + 1} folders below skills/: {dropped_by('below-a-folder')}"
        yield Hit(1, message, "Move its folder up, directly below skills/.", "depth")


def _container(skill: Skill) -> str:
    """The skills folder of a project or a plugin above a skill, from which clients load; empty without one."""
    folder = dirname(skill.directory)
    while is_inside(folder, skill.root) and folder != skill.root:
        above = dirname(folder)
        if basename(folder) == "skills" and (basename(above) in PROJECT_FOLDERS or above == skill.plugin):
            of_plugin = lexists(join(above, _FOLDER, "plugin.json"))
            return folder if basename(above) in PROJECT_FOLDERS or of_plugin else ""
        folder = above
    return ""


def _has_parent(skill: Skill, container: str) -> bool:
    """Whether a folder in between is a skill or a plugin itself."""
    folder = dirname(skill.directory)
    while folder != container:
        if lexists(join(folder, "SKILL.md")) or isdir(join(folder, _FOLDER)):
            return True
        folder = dirname(folder)
    return False


def _is_listed(skill: Skill) -> bool:
    """Whether a manifest lists the plugin's skills: what it leaves out is left out on purpose."""
    return bool(skill.plugin) and bool(plugin_entry(skill.plugin or "", skill.root).skills)
