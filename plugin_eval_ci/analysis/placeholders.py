"""Marks for what is still to be written: a note in a line, and a body that is nothing else."""

from __future__ import annotations

from plugin_eval_ci.model import Body, Skill
from plugin_eval_ci.util.lazy import Lazy

_SHORT = 1_000  # characters: a longer body is more than a placeholder
_NOTE = Lazy(
    r"\W{0,6}(?:TODO|FIXME|TBD)(?:\([\w@ -]{1,30}\))?\**:\**\s+\w"
    r"|.*(?P<mark>\[(?:TODO|FIXME|TBD)(?::[^\]]*)?\]?)(?!\()|.*[Ll]orem ipsum dolor"
)
# "Mark it with [TODO]", "leave a [TODO: owner]": the writer is told to put the mark.
_TOLD = Lazy(
    r"\b(?:with|as|an?|the|any|each|every|all|use|using|add|adding|insert|inserting|put|write|leave|leaving|like|by|for|of|no|and|or|is)\s*[\"'*_(\s]*$",
    2,
)
_ONLY = Lazy(
    r"\W*(?:(?:TODO|FIXME|TBD|TBA|WIP|coming soon|work in progress|under construction|to be (?:done|written|added|determined|completed)"
    r"|placeholder|pendiente|por hacer|próximamente|en construcción|em breve|a fazer|pendente|em construção|à faire|à venir"
    r"|à compléter|bientôt|en cours de rédaction|folgt(?: noch)?|kommt (?:noch|bald)|in arbeit|in bearbeitung"
    r"|待补充|待完善|待定|待续|敬请期待|待補充|敬請期待|施工中|準備中|作成中|工事中|近日公開"
    r"|未定|작성 ?중|준비 ?중|추후 (?:작성|추가))\W*)+"
    r"|\W*(?:\.{3,}|…)\W*",
    2,
)
# "skill-template" is one; "email-template" may well be a skill that writes such templates.
_TEMPLATE = Lazy(
    r"[_.-]*(?:(?:new|my|your|base|basic|example|starter|sample)[-_])?(?:template|(?:agent-?|plugin-?)?skills?[-_]templates?"
    r"|templates?[-_](?:agent-?|plugin-?)?skills?|(?:agent|plugin|command)[-_]templates?)[_.-]*|_templates"
)


def only_mark(body: Body) -> tuple[int, str] | None:
    """The line and words of the first mark when a body has nothing else besides headings."""
    if len(body.text) >= _SHORT:
        return None
    lines = [(at, line.strip()) for at, line in enumerate(body.text.split("\n"), body.first_line)]
    rest = [(at, line) for at, line in lines if line and not line.startswith("#")]
    return rest[0] if rest and all(_ONLY().fullmatch(line) for _, line in rest) else None


def is_note(text: str) -> bool:
    """Whether a line is a note to its author, and not an instruction to write one."""
    match = _NOTE().match(text)
    return match is not None and not (match["mark"] and _TOLD().search(text[: match.start("mark")]))


def is_template(skill: Skill) -> bool:
    """Whether the skill's folder is a template to copy: what it refers to comes later, with the copy."""
    folders = skill.source.path.lower().split("/")[:-1]
    above = any(folder.strip("_-.") in ("template", "templates") for folder in folders[:-1])
    return above or (bool(folders) and _TEMPLATE().fullmatch(folders[-1]) is not None)
