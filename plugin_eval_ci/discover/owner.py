"""From a file to its owner: the skill, agent, plugin or marketplace that a change of this file concerns."""

from __future__ import annotations

import os

from plugin_eval_ci.discover.exclude import Excluder
from plugin_eval_ci.discover.layout import Layout
from plugin_eval_ci.discover.tree import scan
from plugin_eval_ci.parse.manifest import PLUGIN_FOLDERS


def claim(layout: Layout, place: str, excluder: Excluder) -> bool:
    """Add the owner of ``place`` to ``layout``; False when nobody owns it."""
    name = os.path.basename(place)
    folder = os.path.dirname(place)
    if name.lower() == "skill.md":
        layout.skill(place)
        return True
    if os.path.basename(folder) in PLUGIN_FOLDERS and name in ("plugin.json", "marketplace.json"):
        layout.scanned(scan(os.path.dirname(folder), excluder))
        return True
    if name.endswith(".md") and layout.agents_folder(place) is not None and layout.agent(place):
        return True
    return _climb(layout, place) or layout.named_agent(place)


def _climb(layout: Layout, place: str) -> bool:
    folder = place if os.path.isdir(place) else os.path.dirname(place)
    while True:
        if folder not in layout.owners:
            layout.owners[folder] = skill_file(folder)
        file = layout.owners[folder]
        if file is not None:
            layout.skill(file)
            return True
        parent = os.path.dirname(folder)
        if folder == layout.root or parent == folder:
            return False
        folder = parent


def skill_file(folder: str) -> str | None:
    """The SKILL.md of a folder, whatever its letter case; the exact name first."""
    try:
        names = [name for name in sorted(os.listdir(folder)) if name.lower() == "skill.md"]
    except OSError:
        return None
    return os.path.join(folder, "SKILL.md" if "SKILL.md" in names else names[0]) if names else None
