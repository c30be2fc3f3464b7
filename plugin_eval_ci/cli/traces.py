"""``plugin-eval traces``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import PATH, REPORTS, formatted


@click.command(short_help="Show which skills fired in recorded sessions, and their cost.")
@click.argument("paths", metavar="FILES...", nargs=-1, required=True, type=PATH)
@click.option(
    "--skill",
    "skills",
    multiple=True,
    metavar="NAME",
    help="Only this skill (repeat for several); its command counts.",
)
@formatted(REPORTS)
@click.option(
    "--to-labels",
    metavar="FILE",
    help="Write prompts as labels of the one --skill, redacted; - is standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def traces(paths: tuple[str, ...], skills: tuple[str, ...], output: str, to_labels: str | None, force: bool) -> int:
    """Show which skills fired in the recorded sessions in FILES (JSON lines, or directories of them), on which prompts and at what cost."""
    from plugin_eval_ci.commands import traces as command

    return command.run(paths, skills, output, to_labels, force, sys.stdout)
