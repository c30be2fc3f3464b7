"""``plugin-eval agreement``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import PATH, formatted


@click.command(short_help="Measure how well judges agree over many skills.")
@click.argument("files", nargs=-1, required=True, type=PATH)
@formatted(("text", "json"))
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for resampling skills.")
def agreement(files: tuple[str, ...], output: str, seed: int) -> int:
    """Measure how well judges agree over many skills. FILES are the JSON of score --judges N, one for each skill."""
    from plugin_eval_ci.commands import agreement as command

    return command.run(files, output, seed, sys.stdout)
