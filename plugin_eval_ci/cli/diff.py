"""``plugin-eval diff``, as typed."""

import os
import sys

import click

from plugin_eval_ci.cli.options import LEVELS, PATH, REPORTS, config_options, formatted

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
    from plugin_eval_ci.commands import diff as command

    return command.run_comment(file, command.CommentOptions(key, limit, commit), os.environ, sys.stdout)


class _BeforePaths(click.Command):
    """What stands behind ``--`` is a path, also where HEAD is not given: ``diff main -- skills/a``."""

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
@formatted(REPORTS)
@click.option(
    "--fail-on",
    type=click.Choice(LEVELS),
    default="never",
    show_default=True,
    help="Lowest severity of a new finding that fails.",
)
@config_options
def diff(
    base: str,
    head: str | None,
    paths: tuple[str, ...],
    output: str,
    fail_on: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Show what changed between BASE and HEAD (default: the working tree): lines, scores, findings, context cost, host needs.

    PATHS keep it to the skills and agents there; without them it is the working directory.
    """
    from plugin_eval_ci.commands import diff as command

    named = (*paths, *click.get_current_context().meta.get("paths", ())) or (".",)
    options = command.Options(output, fail_on, exclude, config_file, isolated)
    return command.run(base, head, named, options, sys.stdout)
