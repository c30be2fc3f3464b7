"""``plugin-eval comment``, as typed."""

import os
import sys

import click

LIMIT, LEAST = 60_000, 4_000  # as in report/comment_markdown.py, which is not loaded to declare them


@click.command(short_help="Print a pull request comment from the JSON of diff.")
@click.argument("file", metavar="FILE")
@click.option(
    "--key",
    metavar="NAME",
    default="default",
    show_default=True,
    help="Tells comments of several runs on one pull request apart.",
)
@click.option(
    "--limit",
    type=click.IntRange(LEAST),
    default=LIMIT,
    show_default=True,
    metavar="BYTES",
    help="Leave out rows beyond this.",
)
@click.option("--commit", metavar="SHA", help="Link files at this commit of $GITHUB_REPOSITORY.")
def comment(file: str, key: str, limit: int, commit: str | None) -> int:
    """Print a pull request comment from FILE, what `plugin-eval diff --output json` printed ("-": standard input).

    Nothing in FILE is trusted: it is checked, and every word of it is escaped. Nothing is posted.
    """
    from plugin_eval_ci.commands import comment as command

    return command.run(file, command.Options(key, limit, commit), os.environ, sys.stdout)
