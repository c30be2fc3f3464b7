"""A TODO or a placeholder is left in the text.

## What it flags

In the description and in the prose of a skill or an agent, each line once: a line that begins with `TODO:`, `FIXME:` or `TBD:`; `[TODO: …]`
anywhere; `Lorem ipsum dolor`; and what a template says to its author: "Replace this section with …", "Insert instructions below",
"This is a placeholder for …". A body that is nothing but such a mark (`TODO`, `WIP`, `Coming soon`, `...`) is reported in all supported
languages.

Code, quotations and tables stay silent, and so does a text about such notes: a skill named or described as one about TODOs, `TODO.md`,
"TODO comments", templates for the reader to fill in.

## Why

The model reads it as an instruction or as content of the skill.

## Bad

```markdown
TODO: write down the limits of the export.
```

## Good

```markdown
The export holds at most 10,000 rows.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.placeholders import is_note, only_mark
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.util.lazy import Lazy

SEVERITY = Severity.WARNING
GROUP: Group = "content"

_NOTES = Lazy(r"D(?:(?<=TOD)O|(?<=TBD))")  # begins with one rare letter, which is fast to find
_MARKS = (
    "FIXME",
    "orem ipsum dolor",
    "eplace this ",
    "eplace with ",
    "nsert instructions",
    "elete this ",
    "is is a placeholder",
)
_TEMPLATE = Lazy(
    r"\W{0,6}(?:replace this (?:text|section|line|paragraph|file|description|content|placeholder|template)\b"
    r"|replace with (?:a |the |your )?(?:description|instructions)|insert instructions (?:below|here)"
    r"|delete this (?:entire )?(?:section|line|paragraph|comment) (?:when|once|before|after)"
    r"|this is a placeholder (?:for|file|skill|section))",
    2,
)
_TOPIC = Lazy(r"\bto-?dos?\b|\bfixmes?\b|\btasks? lists?\b|\bplaceholder|\btemplates?\b|\bscaffold|\blorem", 2)
_LIST = Lazy(r"\bTODO(?: \w+)? (?:comments?|markers?|items?|lists?|notes?|entries|files?)\b|\bTODO\.md\b", 2)


def check(document: Document) -> Iterator[Hit]:
    """Each line once; the description on the line of its key."""
    description = document.description
    if _may_hold(description) and (is_note(description) or _TEMPLATE().match(description)):
        yield _hit(document.header.line("description"), description, "the description")
        return
    if (only := only_mark(document.body)) is not None:
        line, words = only
        yield Hit(line, f"the body is only a placeholder: {quote(words)}", "Write the instructions.", words[:80])
        return
    if not _may_hold(document.body.text) or _is_topic(document, description):
        return
    seen: set[int] = set()
    lines: list[str] = []
    for prose in document.body.prose:
        if prose.line in seen or not (is_note(prose.plain) or _TEMPLATE().match(prose.plain)):
            continue
        lines = lines or document.source.text.split("\n")
        if not lines[prose.line - 1].lstrip().startswith("|"):  # a cell of a table
            seen.add(prose.line)
            yield _hit(prose.line, prose.plain.strip(), "the body")


def _is_topic(document: Document, description: str) -> bool:
    return bool(
        _TOPIC().search(f"{document.name.replace('-', ' ')} {description}") or _LIST().search(document.body.text)
    )


def _hit(line: int, text: str, where: str) -> Hit:
    return Hit(line, f"{where} contains a TODO: {quote(text)}", "Write it, or remove it.", text[:80])


def _may_hold(text: str) -> bool:
    return _NOTES().search(text) is not None or any(mark in text for mark in _MARKS)
