"""``plugin-eval baseline``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import PATH, shared


@click.command("baseline", short_help="Accept all current findings; lint then reports only new ones.")
@click.argument("paths", nargs=-1, type=PATH)
@click.option(
    "--output", "-o", metavar="FILE", help="Where to write; else the configured file, or .plugin-eval-baseline.json."
)
@click.option("--reason", default="", metavar="TEXT", help="Why they are accepted; written into each new entry.")
@click.option("--expires", default="", metavar="YYYY-MM-DD", help="The last day on which the new entries hold.")
@click.option(
    "--update",
    is_flag=True,
    help="Drop the entries that are gone from a file that is there; keep the others as they are.",
)
@click.option(
    "--add", is_flag=True, help="With --update: also accept what is new, and with --expires renew what expired."
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
