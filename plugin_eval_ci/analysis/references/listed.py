"""Files in lists and trees of what a skill brings along, by their bare names: `limits.md` in a row of files that lie below references/."""

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.references.types import Mention, is_quiet, own_folders
from plugin_eval_ci.analysis.resolve import Local, Resolution
from plugin_eval_ci.analysis.resolve.intent import TREE, is_made
from plugin_eval_ci.analysis.resolve.paths import is_placeholder, names_in
from plugin_eval_ci.analysis.resolve.sentence import sentence_around
from plugin_eval_ci.model import Fence, Skill
from plugin_eval_ci.parse.documents import bundled_files
from plugin_eval_ci.util.lazy import Lazy

_PATH = r"[`*\"']*(?:\./)?(?P<path>[\w@+.-]+(?:/[\w@+.-]+)*\.\w{1,8})[`*\"']*"
_FIRST = Lazy(
    rf"\s*(?:#!.*|(?:#+|//+|--|;+|/\*+|<!--|%|\"\"\"|@?REM)\s*(?:(?:file(?:name)?|path)\s*:\s*)?{_PATH}"
    r"\s*(?:[-–—:(].*|\*/|-->|\"\"\")?)\s*\Z",
    2,
)
_TITLE = Lazy(rf"(?:(?:title|file(?:name)?)\s*=\s*|^[`~ >]*\w+:){_PATH}", 2)
_ABOVE = Lazy(
    rf"(?:#+\s+(?:\d+[.)]\s*)?(?:step \d+\s*[:.-]\s*)?|[*_]+"
    rf"|(?:file(?:name)?|create|write|save)\b.*?)?{_PATH}\s*(?:\([^)]*\))?\s*[*_]*[:：]?[*_]*\s*\Z",
    2,
)
_LEAST = 2  # lines of code; one line is a command


def shown_files(skill: Skill) -> set[str]:
    """The paths, without ``./``."""
    lines = skill.source.text.split("\n")
    found: set[str] = set()
    for fence in skill.body.fences:
        rows = [row for row in fence.content.split("\n") if row.strip()]
        if len(rows) < _LEAST or fence.line > len(lines):
            continue
        for row in rows[:2]:
            match = _FIRST().match(row) if "/" in row else None
            if match and match["path"] and not _runs(rows[1:], match["path"]):
                found.add(match["path"])
        title = _TITLE().search(lines[fence.line - 1])
        if title:
            found.add(title["path"])
        above = next(
            (line.strip() for line in reversed(lines[max(0, fence.line - 4) : fence.line - 1]) if line.strip()), ""
        )
        match = _ABOVE().match(above) if "/" in above else None
        if match and not _runs(rows, match["path"]):
            found.add(match["path"])
    return found


def _runs(rows: list[str], path: str) -> bool:
    """Whether the code names the path itself: then it uses the file."""
    return any(path in row for row in rows)


_MISSING = Resolution("missing")
_NAME = Lazy(r"[\w+-][\w.+-]*\.(?:md|py|sh|js|mjs|ts|json|ya?ml|txt|html|css|csv|toml|ps1)")
_STEP = Lazy(r"\s*\d+[.)]\s+(?:\*\*)?`\Z")
_ITEM = Lazy(r"\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|\|(?:.*\|)?\s*)(?:\*\*)?`\Z")
_ROW = Lazy(r"(?P<lead>[\s│┃|]*[├└╰┬+`][─━\-]*+\s*|\s+)?(?P<name>[\w@+.-]+(?:/[\w@+.-]+)*/?)(?P<rest>.*)")
_MAY_BE_MISSING = Lazy(
    r"generat|creat|output|optional|written|writes|if (?:any|needed|present)|runtime|gitignored|example"
    r"|your|\.\.\.|…|生成|可选|输出|作成",
    2,
)
_FEW = 2  # files of the same list or tree that are there
_MOST_ROWS = 200


def mentions(skill: Skill) -> Iterator[Mention]:
    """The names of lists, then those of trees, that are not where they are said to be."""
    if not skill.placed:
        return
    yield from _of_lists(skill)
    for fence in skill.body.fences:
        if TREE().search(fence.content):
            yield from _of_tree(skill, fence)


def _of_lists(skill: Skill) -> Iterator[Mention]:
    lines = skill.source.text.split("\n")
    rows: list[list[tuple[str, int, bool]]] = []
    for span in skill.body.code_spans:
        name = span.text.strip()
        if "/" in name or span.line > len(lines) or not _NAME().fullmatch(name) or is_placeholder(name):
            continue
        before = lines[span.line - 1].partition(name)[0]
        if not _ITEM().fullmatch(before):
            continue
        if not rows or span.line - rows[-1][-1][1] > _FEW:
            rows.append([])
        rows[-1].append((name, span.line, _STEP().fullmatch(before) is not None))
    if not rows:
        return
    below = _below(skill)
    for row in rows:
        yield from _of_row(skill, row, below, lines)


def _of_row(
    skill: Skill, row: list[tuple[str, int, bool]], below: dict[str, str], lines: list[str]
) -> Iterator[Mention]:
    there = [name for name, _, _ in row if name in below]
    if len(there) < _FEW:
        return
    folders = {below[name].rpartition("/")[0] for name in there}
    for name, line, step in row:
        at = lines[line - 1].find(name)
        place = sentence_around(lines, line - 1, at, at + len(name))
        if is_quiet(skill, place) or is_made(place.before) or is_made(place.intro) or name in names_in(skill.root):
            continue
        if name not in below:
            yield Mention(name, Local(name, None), line, "code", _MISSING)
        elif step and "/" in below[name] and not _says_where(lines, line, folders):
            yield Mention(name, Local(name, None), line, "code", _MISSING)
            return  # one is enough to say it of the whole list


def _below(skill: Skill) -> dict[str, str]:
    """The files next to SKILL.md and in its folders, by name."""
    found: dict[str, str] = {}
    for folder in own_folders(skill):
        for name in bundled_files(os.path.join(skill.directory, folder), skill.root):
            found.setdefault(name.rpartition("/")[2], f"{folder}/{name}")
    found.update({name: name for name in names_in(skill.directory).values() if "." in name})
    return found


def _says_where(lines: list[str], line: int, folders: set[str]) -> bool:
    """Whether the text from the heading on says which folder the names of a list are in."""
    top = next((at for at in range(line - 1, -1, -1) if lines[at].startswith("#")), 0)
    text = "\n".join(lines[top:line])
    return any(folder.split("/")[0] in text for folder in folders)


def _of_tree(skill: Skill, fence: Fence) -> Iterator[Mention]:
    """Files of a tree of this skill's own folder; whose tree it is shows in the files of it that are there."""
    files = list(_files(fence))
    found = [path for path, _, _ in files if os.path.lexists(os.path.join(skill.directory, path))]
    below = [path for path in found if "/" in path]
    if not below or len(found) <= _FEW or len(found) * 2 < len(files):
        return
    for path, line, rest in files:
        if path not in found and not _MAY_BE_MISSING().search(rest):
            yield Mention(path, Local(path, None), line, "fence", _MISSING)


def _files(fence: Fence) -> Iterator[tuple[str, int, str]]:
    """Path, line and comment of every file of a tree; the first row may be the folder itself."""
    above: list[tuple[int, str]] = []
    for row, line in enumerate(fence.content.split("\n")[:_MOST_ROWS]):
        match = _ROW().match(line)
        if match is None or not line.strip():
            continue
        name, depth = match["name"], match.start("name")
        while above and above[-1][0] >= depth:
            above.pop()
        parts = [part for _, part in above if part]
        if not _NAME().fullmatch(name.rpartition("/")[2]):
            above.append((depth, "" if depth == 0 else name.strip("/")))
        elif depth > 0 and not any(map(is_placeholder, (*parts, *name.split("/")))):
            yield "/".join((*parts, name.removeprefix("./"))), fence.line + 1 + row, match["rest"]
