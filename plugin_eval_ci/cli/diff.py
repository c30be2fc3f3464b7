"""``plugin-eval diff``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import LEVELS, REPORTS, shared


@click.command()
@click.argument("base")
@click.argument("head", required=False)
@click.option("--output", type=click.Choice(REPORTS), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice(LEVELS),
    default="never",
    show_default=True,
    help="Lowest severity of a new finding that fails.",
)
@shared
def diff(
    base: str,
    head: str | None,
    output: str,
    fail_on: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Show what changed between BASE and HEAD (default: the working tree): lines, scores, findings, context cost, host needs."""
    from plugin_eval_ci.commands import diff as command

    return command.run(base, head, command.Options(output, fail_on, exclude, config_file, isolated), sys.stdout)
