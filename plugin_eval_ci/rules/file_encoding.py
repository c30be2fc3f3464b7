r"""The file is not UTF-8 text.

## What it flags

A SKILL.md or an agent's file with a byte that is not UTF-8 (often a quotation mark saved as Latin-1), in UTF-16, or
with a NUL byte, as binary files have. The finding is on the line of the first such byte. The rest of a text file
is still checked.

## Why

Codex drops a skill with a byte that is not UTF-8, also where it is in the text; other clients show a stray character in
its place. A NUL byte in the text alone keeps no client from loading it, so that is a notice; for agents all of this is a
warning.

## Bad

```text
Print the caf\xe9 list.          (saved as Latin-1)
```

## Good

```text
Print the café list.             (saved as UTF-8)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_source

SEVERITY = Severity.ERROR
GROUP: Group = "file"


def check(document: Document) -> Iterator[Hit]:
    """The file's problem if it is this one."""
    for hit in of_source(document, "FILE_ENCODING"):
        if not isinstance(document, Skill):
            yield hit._replace(severity=Severity.WARNING)
        elif document.source.text and document.header.end_line and "\0" in document.source.text:
            yield hit._replace(severity=Severity.NOTICE)  # below the frontmatter no client minds
        else:
            from plugin_eval_ci.clients.loading import dropped_by
            from plugin_eval_ci.parse.source import CR_ALONE

            kind = "line-ends-cr" if hit.message == CR_ALONE else "not-utf-8"
            yield hit._replace(message=f"{hit.message}; {dropped_by(kind)}")
