"""Write the generated parts of README.md and docs/cli.md: real output, the rules, the options of every command.

Usage: python tools/readme.py [--check]. With --check nothing is written and stale text is exit code 1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import generated

_DEFAULT = re.compile(r"\s*\[default: (.*)\]$")  # where the help says it, for the option itself has none
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from plugin_eval_ci.cli import cli  # noqa: E402
from plugin_eval_ci.fixes import FIXABLE  # noqa: E402
from plugin_eval_ci.rules import all_rules  # noqa: E402


def output() -> str:
    """What the tool really says of the two example plugins."""
    parts = []
    for words in ("lint examples/every-anti-pattern/skills/payments-api", "score examples/exemplary --depth quick"):
        command = [sys.executable, "-m", "plugin_eval_ci", *words.split()]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"})
        parts.append(f"$ plugin-eval {words}\n{done.stdout.rstrip()}")
    return "```console\n" + "\n\n".join(parts) + "\n```"


def measured() -> str:
    """How the report of depth measured begins, from the recorded answers of the example."""
    words = "score examples/measured --depth measured --cassette examples/measured/cassettes --replay"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC_", "PLUGIN_EVAL_"))}
    done = subprocess.run(
        [sys.executable, "-m", "plugin_eval_ci", *words.split()],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**env, "COLUMNS": "100"},
    )
    blocks = done.stdout.split("\n\n")
    shown = [blocks[0], *(block for block in blocks if block.startswith(("Who takes", "Lift", "What to change")))]
    return f"```console\n$ plugin-eval {words}\n" + "\n\n".join(shown).rstrip() + "\n```"


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
    rows = [
        row(parameter) for parameter in command.params if isinstance(parameter, click.Option) and not parameter.hidden
    ]
    arguments = " ".join(
        p.make_metavar(click.Context(command)) for p in command.params if isinstance(p, click.Argument)
    )
    summary = (command.help or "").split("\n\n")[0].replace("\n", " ")
    parts = [f"## `plugin-eval {name}{' ' if arguments else ''}{arguments}`\n\n{summary}\n"]
    if rows:
        parts.append("| option | meaning | default |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n")
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
    return f"| `{option.opts[0]}`{value} | {_DEFAULT.sub('', option.help or '')} | {default} |"


def rules() -> str:
    """How many rules there are, by group."""
    known = all_rules()
    lines = ["| group | rules | for example |", "| --- | --: | --- |"]
    for group in dict.fromkeys(rule.group for rule in known):
        mine = [rule.name for rule in known if rule.group == group]
        shown = ", ".join(f"[{name}](docs/rules/{name}.md)" for name in mine[:3])
        lines.append(f"| {group} | {len(mine)} | {shown} |")
    fixed = sum(rule.name in FIXABLE for rule in known)
    total = f"[{len(known)} rules](docs/rules/README.md), each with a page (`plugin-eval explain RULE` prints it)"
    return f"{total}; `lint --fix` corrects {fixed} of them.\n\n" + "\n".join(lines)


PAGES = {
    ROOT / "README.md": {"output": output, "measured": measured, "rules": rules},
    ROOT / "docs" / "cli.md": {"options": options},
}

if __name__ == "__main__":
    sys.exit(generated.main(PAGES))
