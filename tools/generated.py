"""Parts of pages that are made, between two markers: replaced, or with ``--check`` only compared."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- generated: {} -->", "<!-- end of generated: {} -->"


def main(pages: Mapping[Path, Mapping[str, Callable[[], str]]]) -> int:
    """Write every part of every page, by its name; with ``--check`` say which page is stale. 1 for that, and for markers that are missing."""
    code = 0
    for path, parts in pages.items():
        old = new = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT)
        for part, text in parts.items():
            if (with_part := replaced(new, part, text())) is None:
                print(f"{name}: the markers of {part!r} are missing")
                return 1
            new = with_part
        if new != old and "--check" in sys.argv[1:]:
            print(f"{name} is stale: run `make generate`")
            code = 1
        elif new != old:
            path.write_text(new, encoding="utf-8")
    return code


def replaced(page: str, part: str, text: str) -> str | None:
    """The page with ``text`` between the markers of ``part``; None where it has no such markers."""
    begin, end = BEGIN.format(part), END.format(part)
    head, _, rest = page.partition(begin)
    _, found, tail = rest.partition(end)
    return f"{head}{begin}\n{text}\n{end}{tail}" if found else None
