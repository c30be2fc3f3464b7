"""Files that a SKILL.md shows in full: a fence whose first line, label or heading is their path. The reader is to write them."""

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Skill

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
