"""Skills as they are found on disk, without a disk."""

from __future__ import annotations

from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import Location, parse_skill
from plugin_eval_ci.parse.source import decode

BODY = "SECRETBODY these instructions belong to the skill and to nobody who has not chosen it."


def skill(name: str, description: str, header: str = "", plugin: str | None = None) -> Skill:
    """``plugin``: the folder of its plugin. Every body holds the word SECRETBODY."""
    text = f"---\nname: {name}\ndescription: {description!r}\n{header}---\n\n{BODY}\n"
    place = Location(f"{plugin or '/r'}/skills/{name}/SKILL.md", f"skills/{name}/SKILL.md", "/r", plugin)
    return parse_skill(place, decode(text.encode(), place.file, place.path))
