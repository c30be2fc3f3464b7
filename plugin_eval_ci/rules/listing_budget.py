"""Not all descriptions fit into Claude Code's list of skills.

## What it flags

A plugin whose skills need more than 1 % of a context window of 200,000 tokens to be listed with their descriptions: 8,000
characters. One finding for the plugin, never one for a skill or for a marketplace, which nobody installs whole. Nothing is
said when only a part of the plugin was linted. What counts: skills that the model picks by their description, which leaves
out `disable-model-invocation: true` and `paths`.

## Why

Claude Code lists every skill in every session, within that budget. Where it is too small every name stays and
descriptions are dropped, and a skill without one is hardly ever picked; nobody is told (as documented in September
2026). The least used skills lose theirs first. Since that is not known here, the names in the message are those that
would lose it if all were used alike: with other skills installed next to them, there are more.

## Bad

```text
plugins/store/skills/        60 skills with 300 characters of description each
```

## Good

```text
plugins/store/skills/        20 skills with 300 characters each
plugins/store-orders/skills/ 40 skills, installed by those who need them
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import plugin_manifests
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Collection, Hit, Plugin, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "layout"

_LEAST = 3_000  # characters of descriptions: with fewer, no simulation is begun
_SHOWN = 3
_FIX = (
    "Shorten the descriptions, split the plugin, or set disable-model-invocation: true where only people start a skill."
)


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """One hit for each plugin that overflows. People do not install all plugins of a marketplace at once."""
    owns = plugin_manifests(collection)
    for plugin in collection.plugins:
        if sum(len(skill.description) + len(skill.when_to_use) for skill in plugin.skills) < _LEAST:
            continue
        folder = os.path.normpath(os.path.join(collection.root, plugin.path))
        own = owns.get(folder)
        yield from _overflow(own.source.path if own is not None else plugin.path, folder, plugin)


def _overflow(path: str, folder: str, plugin: Plugin) -> Iterator[tuple[str, Hit]]:
    from plugin_eval_ci.analysis.listing import entries_of, listing_of

    entries = entries_of(plugin.skills, {folder: plugin.name})
    listing = listing_of(entries)
    window, simulation = listing.budgets[0]
    if len(entries) < 2 or not simulation.overflows or not _is_whole(folder, plugin):
        return
    lost = simulation.dropped
    more = f" and {len(lost) - _SHOWN:,} more" if len(lost) > _SHOWN else ""
    message = (
        f"the {listing.skills:,} skills of this plugin need {simulation.used:,} characters; Claude Code's list has room for"
        f" {simulation.budget:,} (1 % of {window:,} tokens): {len(lost):,} would lose their description,"
        f" {', '.join(map(quote, lost[:_SHOWN]))}{more}"
    )
    yield path, Hit(1, message, _FIX, "plugin")


def _is_whole(folder: str, plugin: Plugin) -> bool:
    """Whether all skills of the plugin were read; some modes read only what changed."""
    known = {skill.source.file for skill in plugin.skills}
    try:
        below = os.listdir(folder)
        skills = os.path.join(folder, "skills")
        files = [os.path.join(skills, name, "SKILL.md") for name in os.listdir(skills)] if "skills" in below else []
    except OSError:
        return False
    if not plugin.skills and not set(below) - {".claude-plugin", "hooks", ".mcp.json"}:
        return False  # a copy that holds nothing but manifests
    return all(file in known or not os.path.isfile(file) for file in files)
