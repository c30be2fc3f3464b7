"""A code block is opened and never closed.

## What it flags

A fence of backticks or tildes that runs to the end of the file. The finding stands on the line that opens it. Where that line is the last
one, it was meant to close a block: then a block further up was closed too early, mostly because it holds a block of its own.

## Why

Everything behind the opening line is code: headings, links and instructions are no longer read as such, by people or by tools.

## Bad

````markdown
Run the report:

```sh
stock-report --week

**Next steps**

Mail the result.
````

## Good

````markdown
Run the report:

```sh
stock-report --week
```

**Next steps**

Mail the result.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugin_eval_ci.model import Document, Fence, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "content"

_AROUND = "Use four backticks around a block that holds a block."


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line that opens the last block."""
    body = document.body
    if not body.fences or body.fences[-1].closed or body.cut_line is not None:
        return
    last = body.fences[-1]
    if last.end_line < _last_line(body.first_line, body.text):
        return  # it ends where its list or quotation does, and nothing else is lost
    cause = _nested(body.fences)
    if not last.content.strip():
        message = "this line opens a code block at the end of the file"
        fix = "Remove the line, or close the block above it only once."
    else:
        lines = last.content.count("\n") + (not last.content.endswith("\n"))
        message = f"this code block runs to the end of the file: the {lines:,} line{'' if lines == 1 else 's'} after it are code"
        fix = "Close it with a line of its own fence characters."
        if not last.language and last.content.startswith("\n"):
            fix = "If this line was meant to close a block, open that block where it begins; else close this one."
    if cause is not None:
        message += f"; the block on line {cause.line} contains another block, and the end of that one closes it"
        fix = _AROUND
    yield Hit(last.line, message, fix, "fence")


def _last_line(first: int, text: str) -> int:
    return first + text.rstrip("\n ").count("\n")


def _nested(fences: tuple[Fence, ...]) -> Fence | None:
    """The last block that holds a line which opens another."""
    return next(
        (
            fence
            for fence in reversed(fences)
            if fence.closed and re.search(r"^\s*(?:`{3}|~{3})\w", fence.content, re.MULTILINE)
        ),
        None,
    )
