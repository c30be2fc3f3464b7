"""``plugin-eval baseline``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import PATH, shared


@click.command("baseline", short_help="Accept all current findings; lint then reports only new ones.")
@click.argument("paths", nargs=-1, type=PATH)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Write to this file.  [default: the configured file, else .plugin-eval-baseline.json]",
)
@click.option("--reason", default="", metavar="TEXT", help="Record this reason in each new entry.")
@click.option("--expires", default="", metavar="YYYY-MM-DD", help="Let the new entries expire after this date.")
@click.option(
    "--update",
    is_flag=True,
    help="Remove outdated entries from an existing file; keep the rest unchanged.",
)
@click.option(
    "--add", is_flag=True, help="With --update, also accept new findings; with --expires, also renew expired entries."
)
@click.option(
    "--sarif-in", "merge", multiple=True, metavar="FILE", help="Also accept the findings in another tool's SARIF file."
)
@click.option("--merge", "merge_alias", multiple=True, metavar="FILE", hidden=True)
@shared
def accept(
    paths: tuple[str, ...],
    output: str | None,
    reason: str,
    expires: str,
    update: bool,
    add: bool,
    merge: tuple[str, ...],
    merge_alias: tuple[str, ...],
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Accept all current findings in PATHS; lint then reports only new ones."""
    from plugin_eval_ci.commands import baseline as command
    from plugin_eval_ci.commands import lint as linting

    settings = linting.Options("text", None, (), (), False, exclude, config_file, isolated, merge + merge_alias)
    return command.run(paths or (".",), command.Options(output, reason, expires, update, add, settings), sys.stdout)
