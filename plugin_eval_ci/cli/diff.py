"""The options of ``diff`` and ``comment``."""

import os
import sys

import click

from plugin_eval_ci.cli.options import (
    LEVELS,
    PATH,
    REPORTS,
    Choice,
    Command,
    config_options,
    format_options,
    quiet_option,
)
from plugin_eval_ci.cli.options import command as declare

LIMIT, LEAST = 60_000, 4_000  # as in report/comment_markdown.py, which is not loaded to declare them


@declare(short_help="Print a pull request comment from the JSON of diff.")
@click.argument("file", metavar="FILE")
@click.option(
    "--key",
    metavar="NAME",
    default="default",
    show_default=True,
    help="Key of this comment, if a pull request gets several.",
)
@click.option(
    "--limit",
    type=click.IntRange(LEAST),
    default=LIMIT,
    show_default=True,
    metavar="BYTES",
    help="Largest size of the comment; further rows are left out.",
)
@click.option("--commit", metavar="SHA", help="Link files at this commit of $GITHUB_REPOSITORY.")
def comment(file: str, key: str, limit: int, commit: str | None) -> int:
    """Print a pull request comment from FILE, the output of `plugin-eval diff --format json` (- for standard input).

    FILE may come from an untrusted pull request: it is validated, and its text is escaped. Nothing is posted.
    """
    from plugin_eval_ci.commands import diff as command

    return command.run_comment(
        file, command.CommentOptions(key=key, limit=limit, commit=commit), os.environ, sys.stdout
    )


class _BeforePaths(Command):
    """Everything after ``--`` is a path, even without HEAD: ``diff main -- skills/a``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.meta["paths"] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


@click.command(cls=_BeforePaths, short_help="Show what changed: lines, scores, findings, context cost.")
@click.argument("base")
@click.argument("head", required=False)
@click.argument("paths", nargs=-1, metavar="[-- PATHS...]", type=PATH)
@format_options(REPORTS)
@click.option(
    "--fail-on",
    type=Choice(LEVELS),
    default="never",
    show_default=True,
    help="Exit 1 if a new finding has this severity or above.",
)
@quiet_option()
@config_options
def diff(
    base: str,
    head: str | None,
    paths: tuple[str, ...],
    format: str,
    fail_on: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Show what changed between BASE and HEAD (default: the working tree): lines, scores, findings, context cost, host needs.

    PATHS limits this to the skills and agents there (default: the working directory).
    """
    from plugin_eval_ci.commands import diff as command

    named = (*paths, *click.get_current_context().meta.get("paths", ())) or (".",)
    options = command.DiffOptions(
        format=format, fail_on=fail_on, exclude=exclude, config_file=config_file, isolated=isolated
    )
    return command.run(base, head, named, options, sys.stdout)
