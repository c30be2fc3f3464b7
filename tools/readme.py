"""Write the options of every command into docs/cli.md.

Usage: python tools/readme.py [--check]. With --check nothing is written and stale text is exit code 1.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import generated

_DEFAULT = re.compile(r"\s*\[default: (.*)\]$")  # where the help says it, for the option itself has none
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from plugin_eval_ci.cli import cli  # noqa: E402
from plugin_eval_ci.cli.options import option_groups  # noqa: E402


def options() -> str:
    """A table of options for every command that has some."""
    parts = []
    for name in cli.list_commands(top := click.Context(cli)):
        command = cli.get_command(top, name)
        assert command is not None
        parts.append(page(name, command))
        if isinstance(command, click.Group):
            parts += [page(f"{name} {below}", one) for below, one in command.commands.items()]
    return "\n".join(parts)


def page(name: str, command: click.Command) -> str:
    """One command."""
    arguments = " ".join(
        p.make_metavar(click.Context(command)) for p in command.params if isinstance(p, click.Argument)
    )
    summary = (command.help or "").split("\n\n")[0].replace("\n", " ")
    parts = [f"## `plugin-eval {name}{' ' if arguments else ''}{arguments}`\n\n{summary}\n"]
    for heading, listed in option_groups(command.params):
        title = "" if heading == "Options" else f"{heading}:\n\n"
        parts.append(
            f"{title}| option | meaning | default |\n| --- | --- | --- |\n" + "\n".join(map(row, listed)) + "\n"
        )
    return "\n".join(parts)


def row(option: click.Option) -> str:
    """One table row."""
    value = ""
    if isinstance(option.type, click.Choice):
        value = " " + "\\|".join(str(choice) for choice in option.type.choices)
    elif not option.is_flag:
        value = f" {option.metavar or option.name}"
    said = _DEFAULT.search(option.help or "")
    default: object = said[1] if said else ""
    if isinstance(option.default, str | int | float) and not isinstance(option.default, bool):
        default = default or option.default
    names = ", ".join(f"`{name}`" for name in option.opts)
    return f"| {names}{value} | {_DEFAULT.sub('', option.help or '')} | {default} |"


PAGES = {
    ROOT / "docs" / "cli.md": {"options": options},
}

if __name__ == "__main__":
    sys.exit(generated.main(PAGES))
