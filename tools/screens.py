"""Run the commands that the documents show, and write or compare what they print.

Usage: python tools/screens.py [--check] [--options]

A comment ``<!-- screen: FOLDER -->`` in front of a ``console`` fence makes it a checked one. Each line that begins with ``$`` is run in a copy of FOLDER, one
after the other, and the lines below it are what it prints. ``only: WORD, WORD`` in the comment keeps the first paragraph and those that begin with a WORD.
``--options`` names commands and options in the documents that do not exist.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from plugin_eval_ci.cli import cli  # noqa: E402

COMMAND = re.compile(
    r"(?:^\$ |^ *- (?:run: )?|`|sh ')(?:plugin-eval|python -P -m plugin_eval_ci) ((?:[a-z-]+)(?: [^\n`|#>]*)?)", re.M
)
SCREEN = re.compile(
    r"(<!-- screen: (?P<folder>\S+?)(?:; only: (?P<only>.+?))? -->\n+```console\n)(?P<body>.*?)(?=^```)", re.M | re.S
)


def run(command: str, folder: Path, only: str | None) -> str:
    """What a command prints, without models, colours or variables of this machine; messages last, and not at all where only a part is shown."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC_", "PLUGIN_EVAL_"))}
    env |= {
        "COLUMNS": "100",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', '')}",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True)
    if done.returncode == 4:
        raise SystemExit(f"{command}: internal error\n{done.stderr}")
    return done.stdout + done.stderr if only is None else part(done.stdout, only)


def screen(found: re.Match[str]) -> str:
    """The fence with fresh output."""
    commands = [line[2:] for line in found["body"].splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "copy"
        if found["folder"] == ".":
            folder = ROOT
        else:
            shutil.copytree(ROOT / found["folder"], folder)
        shown = [f"$ {command}\n{run(command, folder, found['only'])}".rstrip() for command in commands]
    return found[1] + "\n".join(shown) + "\n"


def part(text: str, only: str) -> str:
    """The first paragraph, and those that begin with one of the words."""
    first, *rest = text.split("\n\n")
    return "\n\n".join([first, *(block for block in rest if block.startswith(tuple(only.split(", "))))])


def unknown(page: Path) -> Iterator[str]:
    """Commands and options of plugin-eval that a page names and the program does not have."""
    for found in COMMAND.finditer(page.read_text(encoding="utf-8")):
        name, *words = found[1].split()
        command = cli.get_command(top := click.Context(cli), name)
        if command is None:
            yield f"{page.relative_to(ROOT)}: there is no command {name!r}"
            continue
        if isinstance(command, click.Group) and words and (below := command.get_command(top, words[0])):
            command = below
        known = {name for option in command.params for name in option.opts}
        for word in words:
            if word.startswith("-") and (option := word.rstrip(".,:;'\")")) not in known | {"-", "--", "--help"}:
                yield f"{page.relative_to(ROOT)}: {name} has no option {option}"


def main() -> int:
    """Write every page anew, or with ``--check`` name those whose screens are stale."""
    code = 0
    pages = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])
    if "--options" in sys.argv[1:] and (faults := [fault for page in pages for fault in unknown(page)]):
        print("\n".join(faults))
        code = 1
    for page in pages:
        old = page.read_text(encoding="utf-8")
        new = SCREEN.sub(screen, old)
        if new == old:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{page.relative_to(ROOT)}: a command prints something else now; run `make generate`")
            code = 1
        else:
            page.write_text(new, encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
