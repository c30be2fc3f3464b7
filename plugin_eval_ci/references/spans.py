"""Paths in inline code and in plain words: a file the sentence tells to read or run, a folder it points to, a command."""

import re
from collections.abc import Iterator

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import CodeSpan, Prose, Skill
from plugin_eval_ci.references.commands import scripts_of
from plugin_eval_ci.references.mention import BUNDLE_FOLDERS, OTHER_FOLDERS, Mention, bundled_path, is_promised, look
from plugin_eval_ci.resolve.judge import is_gone, is_made, is_made_in_shell, silenced
from plugin_eval_ci.resolve.paths import extension
from plugin_eval_ci.resolve.sentence import Place, around

_WORDS = Lazy(
    r"(?<![\w/.~$}@-])(?:\./)?(?:references?|scripts|assets)/(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z0-9]{1,8}(?![\w/-])",
    re.ASCII,
)
_HOLDS = Lazy(r"[`*\s]*(?:directory|folder) (?:contains|holds)\b", re.IGNORECASE)
_ITEM_START = Lazy(r"[ \t\-*+|>0-9.`\[\]()✅•]*\Z")

_MOST = 1_500  # pieces of code, and slashes of plain words, that are looked at: far more than any skill has


def mentions(skill: Skill) -> Iterator[Mention]:
    """The inline code and the bare paths of SKILL.md that the reader is told to open or run."""
    lines = skill.source.text.split("\n")
    found: list[Mention] = []
    made: set[str] = set()  # what the skill itself has its reader write is no bundled file wherever else it is named
    left = _MOST
    for span in skill.body.code_spans[:_MOST]:
        if "/" in span.text and span.line <= len(lines):
            found += _span(skill, span, lines, made)
    for prose in skill.body.prose:
        if (
            "/" in prose.plain
            and prose.line <= len(lines)
            and any(f"{folder}/" in prose.plain for folder in BUNDLE_FOLDERS)
        ):
            left -= prose.plain.count("/")
            if left < 0:
                break
            found += _prose(skill, prose, lines)
    for mention in found:
        if mention.resolution.status != "missing" or not _is_made_here(skill, mention.local.path.rstrip("/"), made):
            yield mention


def _is_made_here(skill: Skill, path: str, made: set[str]) -> bool:
    """Whether the skill has its reader write a path, or the folder below ``assets/`` and the like that it lies in."""
    folder = path.rpartition("/")[0]
    return path in made or ("/" in folder and folder in made) or is_made_in_shell(skill.source.text, path)


def _span(skill: Skill, span: CodeSpan, lines: list[str], made: set[str]) -> Iterator[Mention]:
    text, line = span.text.strip(), lines[span.line - 1]
    local = bundled_path(text)
    if local is not None:
        folder = local.path.rstrip("/") in BUNDLE_FOLDERS or text.endswith("/")
        answer = look(skill, local, line)
        place = Place("", "", "", line) if answer.status == "found" else _place(lines, span.line, text)
        if is_made(place.before):
            made.add(local.path.rstrip("/"))
        elif answer.status == "found" or _is_meant(skill, local.path, place, line, folder):
            yield Mention(text, local, span.line, "folder" if folder else "code", answer)
    elif text.startswith(OTHER_FOLDERS) and (local := bundled_path(text, OTHER_FOLDERS)) and extension(local.path):
        answer = look(skill, local, line)
        if answer.status == "found" or is_promised(_place(lines, span.line, text), strict=True):
            yield Mention(text, local, span.line, "code", answer)
    elif " " in text and "scripts/" in text and not silenced(_place(lines, span.line, text)):
        for path in scripts_of(text):
            script = bundled_path(path)
            if script is not None:
                yield Mention(path, script, span.line, "code", look(skill, script, line))


def _prose(skill: Skill, prose: Prose, lines: list[str]) -> Iterator[Mention]:
    for match in _WORDS().finditer(prose.plain):
        local = bundled_path(match[0])
        if local is None:
            continue
        answer = look(skill, local, lines[prose.line - 1])
        if answer.status == "found" or is_promised(_place(lines, prose.line, match[0])):
            yield Mention(match[0], local, prose.line, "code", answer)


def _place(lines: list[str], line: int, text: str) -> Place:
    """The sentence of a path; without one where the line does not hold it, as code over two lines."""
    at = lines[line - 1].find(text)
    return around(lines, line - 1, at, at + len(text)) if at >= 0 else Place("", "", "", lines[line - 1])


def _is_meant(skill: Skill, path: str, place: Place, line: str, folder: bool) -> bool:
    if is_promised(place, strict=folder):
        return True
    if silenced(place) or is_gone(place):
        return False
    if folder:
        return _HOLDS().match(place.after) is not None
    # An item of a list or a table that begins with the path announces it, in a skill that has such a folder.
    starts = _ITEM_START().match(line[: line.find(path)]) is not None
    return starts and path.startswith("references/") and bool(skill.reference_files)
