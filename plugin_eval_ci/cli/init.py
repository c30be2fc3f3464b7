"""``plugin-eval init``, as typed."""

import sys

import click

from plugin_eval_ci.cli.models import CORPUS_DIR
from plugin_eval_ci.cli.options import PATH, shared


@click.command(short_help="Write a corpus index of skills for certify --rate.")
@click.argument("plugins", nargs=-1, required=True, type=PATH)
@CORPUS_DIR
@shared
def init(
    plugins: tuple[str, ...], corpus_dir: str, exclude: tuple[str, ...], config_file: str | None, isolated: bool
) -> int:
    """Write a corpus index of the skills below PLUGINS, the references of certify --rate: category, size, static score."""
    from plugin_eval_ci.commands import init as command

    return command.run(plugins, corpus_dir, exclude, config_file, isolated, sys.stdout)
