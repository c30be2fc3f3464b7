"""Write the tables of docs/action.md from action.yml.

Usage: python tools/action_docs.py [--check]. With --check nothing is written and stale text is exit code 1.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import generated
import yaml

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 40  # characters of a default that are shown


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


def main() -> int:
    """Replace both tables, or say that one is stale."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    parts = {"inputs": lambda: inputs(action["inputs"]), "outputs": lambda: outputs(action["outputs"])}
    return generated.main({ROOT / "docs" / "action.md": parts})


if __name__ == "__main__":
    sys.exit(main())
