r"""The file is not UTF-8 text.

## What it flags

A SKILL.md or an agent's file with a byte that is not UTF-8 (often a quotation mark saved as Latin-1), in UTF-16, or
with a NUL byte, as binary files have. The finding stands on the line of the first such byte. The rest of a text file
is still checked.

## Why

Clients read UTF-8. A wrong byte becomes a stray character in what the model reads, or keeps the whole file from
loading.

## Bad

```text
Print the caf\xe9 list.          (saved as Latin-1)
```

## Good

```text
Print the café list.             (saved as UTF-8)
```

## How to turn it off

Add `FILE_ENCODING` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore FILE_ENCODING`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_source

SEVERITY = Severity.ERROR
GROUP: Group = "file"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(document: Document) -> Iterator[Hit]:
    """The file's problem if it is this one."""
    return of_source(document, "FILE_ENCODING")
