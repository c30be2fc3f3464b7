"""``plugin-eval report`` and ``merge``, as typed."""

from __future__ import annotations

import sys

import click

from plugin_eval_ci.cli.options import DEPTHS, PATH, POINTS, SCORES, config_options, formatted


def report_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options about what is done with a report."""
    for option in (
        click.option(
            "--fail-on-regression",
            type=POINTS,
            metavar="POINTS",
            help="Exit 1 if a composite fell by at least this many points.",
        ),
        click.option(
            "--threshold",
            type=POINTS,
            metavar="N",
            help="Exit 1 if a plugin, or a skill or agent outside any plugin, scores below N.",
        ),
        click.option("--previous", metavar="FILE", help="Compare with the JSON of an earlier report."),
        click.option(
            "--output-dir", metavar="DIR", help="Also write report.json, .md, .html and badges to this directory."
        ),
        formatted(SCORES),
    ):
        command = option(command)
    return command


@click.command(short_help="Score every plugin, skill and agent, the worst first.")
@click.argument("paths", nargs=-1, type=PATH)
@report_options
@click.option("--depth", type=click.Choice(DEPTHS), default="quick", show_default=True, help="Set the layers to run.")
@click.option("--date", metavar="DAY", help="Date of the report, YYYY-MM-DD.  [default: SOURCE_DATE_EPOCH, else today]")
@click.option(
    "--name", metavar="NAME", default="", help="Set the name of the repository.  [default: that of its folder]"
)
@click.option("--shard", metavar="I/N", help="Score part I of N; write it with --format json for merge-reports.")
@config_options
def report(
    paths: tuple[str, ...],
    output: str,
    output_dir: str | None,
    previous: str | None,
    threshold: float | None,
    fail_on_regression: float | None,
    depth: str,
    date: str | None,
    name: str,
    shard: str | None,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Score every plugin, skill and agent below PATHS (default: the working directory), the worst first."""
    from plugin_eval_ci.commands import report as command
    from plugin_eval_ci.commands.publish import PublishOptions

    publishing = PublishOptions(output, output_dir, previous, threshold, fail_on_regression)
    options = command.Options(publishing, exclude, config_file, isolated, depth, date, name, shard)
    return command.run(paths or (".",), options, sys.stdout)


@click.command("merge-reports", short_help="Merge the shards of a report.")
@click.argument("files", nargs=-1, required=True, type=PATH)
@report_options
def merge(
    files: tuple[str, ...],
    output: str,
    output_dir: str | None,
    previous: str | None,
    threshold: float | None,
    fail_on_regression: float | None,
) -> int:
    """Merge the shards of a report, or show one whole report in another format."""
    from plugin_eval_ci.commands import report as command
    from plugin_eval_ci.commands.publish import PublishOptions

    publishing = PublishOptions(output, output_dir, previous, threshold, fail_on_regression)
    return command.run_merge(files, publishing, sys.stdout)
