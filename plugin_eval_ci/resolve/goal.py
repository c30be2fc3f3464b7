"""What kind of thing a path names: a skill, an agent, or neither."""

from typing import Literal

from plugin_eval_ci.resolve.paths import extension

SKILLS = frozenset({"skills", "skill", "sub-skills"})
AGENTS = frozenset({"agents"})
MARKS = ("skills/", "skill/", "agents/")  # sub-skills/ holds the first
_INNER = frozenset(
    {
        "scripts",
        "assets",
        "references",
        "reference",
        "templates",
        "examples",
        "docs",
        "agents",
        "tests",
        "src",
        "lib",
        "bin",
    }
)
_GENERIC = frozenset(
    {"skill", "skills", "agent", "agents", "command", "commands", "hook", "hooks", "plugin", "plugins", "mcp", "rule", "rules",
     "prompt", "prompts", "tool", "tools", "workflow", "workflows", "instruction", "instructions", "memory", "docs", "references",
     "scripts", "assets", "templates", "personas", "modes", "and", "or", "api"}
)  # fmt: skip


def goal(path: str) -> Literal["skill", "agent"] | None:
    """``…/NAME``, ``…/NAME/SKILL.md``, ``agents/…/NAME(.md)``; None for every other path, a file of a skill among them."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    names = [part for part in parts if part != ".."]
    if not names or "references" in names:
        return None  # a link into references/ is ORPHAN_REFERENCE's
    last = names[-1]
    if last.lower() == "skill.md":
        return "skill" if len(parts) > 1 and len(names) > 1 else None
    at = max((index for index, part in enumerate(names) if part in SKILLS or part in AGENTS), default=-1)
    below = names[at + 1 :]
    if at < 0 or not below:
        return None
    if names[at] in AGENTS:
        return "agent" if len(below) <= 3 and extension(last) in ("", ".md") else None
    return "skill" if len(below) <= 2 and not extension(last) and _INNER.isdisjoint(below[1:]) else None


def leads_to_another(path: str) -> bool:
    """Whether a link's path is meant for another skill or agent, not for a file of this one."""
    if goal(path) is not None:
        return True
    parts = [part for part in path.split("/") if part not in ("", ".")]
    # A folder beside this skill's own; what lies further up is no skill's container.
    return (
        len(parts) == 2
        and parts[0] == ".."
        and parts[1] != ".."
        and not extension(parts[1])
        and parts[1] not in _INNER
        and parts[1] not in _GENERIC
    )


def is_generic(part: str) -> bool:
    """Whether a part of a path is a word that stands in lists of such words as often as in paths."""
    return part.lower() in _GENERIC
