"""``plugin-eval traces``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import PATH, REPORTS, formatted


@click.command(short_help="Say which skills fired in recorded sessions, at what cost.")
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
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def traces(paths: tuple[str, ...], skills: tuple[str, ...], output: str, to_labels: str | None, force: bool) -> int:
    """Say which skills really fired in the recorded sessions in FILES (JSON lines, or folders of them), on what, and at what cost."""
    from plugin_eval_ci.commands import traces as command

    return command.run(paths, skills, output, to_labels, force, sys.stdout)
