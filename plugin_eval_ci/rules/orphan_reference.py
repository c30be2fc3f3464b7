"""A link into `references/` leads to a file that is not there.

## What it flags

A Markdown link or image in SKILL.md whose path goes into a `references/` folder and does not resolve: not from the
skill's own folder, not from the folder of the file that a linked SKILL.md points to, and not from the plugin root.
Letter case must match what is on disk; `fields.md:12` is `fields.md`. Links of raw HTML (`<a href>`, `<img src>`) count.
Placeholders (`your-file.md`, `<topic>.md`, `$TOPIC.md`) do not; a name that may be one (`TOPIC.md`, `example.md`) is
taken for one only if a second sign points the same way: an example, or a link text such as "text".
A skill whose folder is a template to copy (`template`, `templates/NAME`, `skill-template`) is silent. Each missing path is reported
once, on its first line. A link that differs from the file only in letter case is a warning, a missing file an error.

## Why

The agent is told to read a file and finds nothing; it then works without the detail, or makes it up.

## Bad

```markdown
Read [the field list](references/feilds.md) before you export.
```

## Good

```markdown
Read [the field list](references/fields.md) before you export.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.placeholders import is_template
from plugin_eval_ci.analysis.resolve import has_placeholder, local_path, resolve
from plugin_eval_ci.analysis.resolve.intent import is_example, is_example_behind
from plugin_eval_ci.analysis.resolve.sentence import sentence_around
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Link, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "anti-pattern"
WEIGHT: float | None = 0.05
_LABELS = frozenset(["text", "link text", "link title", "display text", "label", "title"])
_GENERIC = _LABELS.union(
    ["link", "name", "file", "filename", "file name", "description", "reference", "example", "topic", "topic name"]
)


def check(skill: Skill) -> Iterator[Hit]:
    """Links into ``references/`` that lead nowhere, each target once."""
    seen: set[str] = set()
    for link in skill.body.links:
        local = local_path(link.target)
        if local is None or local.path in seen:
            continue
        parts = local.path.rstrip("/").split("/")
        if "references" not in parts:
            continue
        seen.add(local.path)
        answer = resolve(skill, local)
        if answer.status == "missing":
            if is_template(skill) or has_placeholder(local.path) or _is_pattern(skill, link, local.path):
                continue
            fix = f"Add the file, or correct the link. {_nearest(skill, parts[-1])}"
            yield Hit(link.line, f"the link leads to {quote(local.path)}, which does not exist", fix, local.path)
        elif answer.status == "case":
            names = f"the link says {quote(local.path)}, the file is {quote(answer.actual)}"
            message = f"{names}: works only on case-insensitive file systems"
            fix = f"Write {quote(answer.actual)}."
            yield Hit(link.line, message, fix, local.path, severity=Severity.WARNING)


def _is_pattern(skill: Skill, link: Link, path: str) -> bool:
    """Whether a doubtful name ("examples.md", "TOPIC.md") is a pattern to follow: a second sign points the same way."""
    if not has_placeholder(path, doubt=True):
        return False
    words = link.text.strip().lower()
    lines = skill.source.text.split("\n")
    line = lines[link.line - 1] if link.line <= len(lines) else ""
    at = max(line.find(link.target), 0)
    place = sentence_around(lines, link.line - 1, at, at + len(link.target))
    if is_example(place.before) or is_example(line[:40]) or is_example_behind(place.after) or words in _LABELS:
        return True
    return not skill.reference_files and words in _GENERIC


def _nearest(skill: Skill, name: str) -> str:
    """A file of the same name elsewhere in references/, or what there is."""
    same = [file for file in skill.reference_files if file.rpartition("/")[2].lower() == name.lower()]
    if same:
        return f"Did you mean {quote('references/' + same[0])}?"
    if not skill.reference_files:
        return "references/ has no files."
    from difflib import get_close_matches

    close = get_close_matches(name, skill.reference_files, 1, 0.75)
    if close:
        return f"Did you mean {quote('references/' + close[0])}?"
    return f"references/ holds {', '.join(map(quote, skill.reference_files[:3]))}."
