"""Write the tables of docs/action.md from action.yml.

Usage: python tools/action_docs.py [--check]. With --check nothing is written and stale text is exit code 1.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "action.md"
BEGIN, END = "<!-- generated: {} -->", "<!-- end of generated: {} -->"
LONGEST = 40  # characters of a default that are shown


def main() -> int:
    """Replace both tables, or say that one is stale."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    old = new = PAGE.read_text(encoding="utf-8")
    for name, text in (("inputs", inputs(action["inputs"])), ("outputs", outputs(action["outputs"]))):
        begin, end = BEGIN.format(name), END.format(name)
        head, _, rest = new.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            print(f"docs/action.md: the markers of {name!r} are missing")
            return 1
        new = f"{head}{begin}\n{text}\n{end}{tail}"
    if "--check" in sys.argv[1:]:
        if new != old:
            print("docs/action.md is stale: run `make generate`")
        return int(new != old)
    PAGE.write_text(new, encoding="utf-8")
    return 0


def inputs(given: Mapping[str, Mapping[str, str]]) -> str:
    """The table of inputs."""
    rows = [
        f"| `{name}` | {cell(one['description'])} | {default(str(one['default']))} |" for name, one in given.items()
    ]
    return "\n".join(["| input | meaning | default |", "| --- | --- | --- |", *rows])


def outputs(given: Mapping[str, Mapping[str, str]]) -> str:
    """The table of outputs."""
    return "\n".join(
        [
            "| output | meaning |",
            "| --- | --- |",
            *(f"| `{name}` | {cell(one['description'])} |" for name, one in given.items()),
        ]
    )


def default(value: str) -> str:
    """A default as code; nothing for an empty one."""
    return f"`{value[:LONGEST]}`" if value else ""


def cell(text: str) -> str:
    """One line that can stand in a table."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
