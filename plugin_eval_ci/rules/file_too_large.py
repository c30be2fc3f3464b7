"""The file is too large to be read.

## What it flags

A SKILL.md or an agent's file of more than 1,048,576 bytes, which is not read, or one of more than 10,000 lines or
262,144 characters, or with more than 4,000 square brackets, 30,000 vertical bars or 10,000 paragraphs and cells with
markup, whose headings, links and code are read up to there only. The message names the line.

A notice only: a line of more than 8,000 characters that holds a link, or a paragraph of more than 24,000 characters with
markup. Their links and code are not read; everything else is.

## Why

No client hands a model that much text. Whoever reads such a file stops somewhere, so what stands behind is never
followed; here it is not checked.

## Bad

```text
SKILL.md     1,940,112 bytes: a log was pasted into it
```

## Good

```text
SKILL.md         6,020 bytes
references/sample.log
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_source

SEVERITY = Severity.ERROR
GROUP: Group = "file"


_LEAST = 1_000_000  # bytes: with fewer, the table of limits need not be read


def check(document: Document) -> Iterator[Hit]:
    """The file's problem if it is this one, or the line where reading of the structure stops."""
    if document.source.size > _LEAST:
        yield from _dropped(document)
    cut = document.body.cut_line
    if cut is not None:
        message = f"this tool read headings, links and code up to line {cut - 1:,} only"
        yield Hit(cut, message, "Move the detail into references/.", "structure", severity=Severity.NOTICE)
    for line in document.body.unread:
        if cut is None or line < cut:
            message = "this line or paragraph is too long: links and code in it were not read"
            yield Hit(line, message, "Break it up, or move it into references/.", "paragraph", severity=Severity.NOTICE)


def _dropped(document: Document) -> Iterator[Hit]:
    """What the clients, or only this tool, do not read of a file of that size."""
    if not isinstance(document, Skill):
        for hit in of_source(document, "FILE_TOO_LARGE"):
            yield hit._replace(severity=Severity.WARNING)
        return
    from plugin_eval_ci.clients.loading import dropped_by, loading

    size, limit = document.source.size, loading().limits["bytes"]
    if size > limit:
        message = f"the file has {size:,} bytes, more than {limit:,}: {dropped_by('file-size')}"
        yield Hit(1, message, "Move the detail into references/.")
