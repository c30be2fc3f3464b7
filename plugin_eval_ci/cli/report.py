"""The options of ``report`` and ``merge-reports``."""

from __future__ import annotations

import sys

import click

from plugin_eval_ci.cli.options import (
    DEPTHS,
    PATH,
    POINTS,
    SCORES,
    Choice,
    config_options,
    format_options,
    quiet_option,
)
from plugin_eval_ci.cli.options import command as declare


def report_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options of both commands."""
    for option in (
        click.option(
            "--fail-on-regression",
            type=POINTS,
            metavar="POINTS",
            help="Exit 1 if a composite drops by this many points or more.",
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
        quiet_option(),
        format_options(SCORES, default_for=lambda given: "json" if given.get("shard") else None),
    ):
        command = option(command)
    return command


@declare(short_help="Score every plugin, skill and agent, the worst first.")
@click.argument("paths", nargs=-1, type=PATH)
@report_options
@click.option("--depth", type=Choice(DEPTHS), default="quick", show_default=True, help="Layers to run.")
@click.option("--date", metavar="DAY", help="Date of the report, YYYY-MM-DD.  [default: SOURCE_DATE_EPOCH, else today]")
@click.option("--name", metavar="NAME", default="", help="Name of the repository.  [default: the name of its folder]")
@click.option("--shard", metavar="I/N", help="Score part I of N and print JSON for merge-reports.")
@config_options
def report(
    paths: tuple[str, ...],
    format: str,
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

    publishing = PublishOptions(
        format=format,
        directory=output_dir,
        previous=previous,
        threshold=threshold,
        regression=fail_on_regression,
    )
    options = command.ReportOptions(
        publishing=publishing,
        exclude=exclude,
        config_file=config_file,
        isolated=isolated,
        depth=depth,
        date=date,
        name=name,
        shard=shard,
    )
    return command.run(paths or (".",), options, sys.stdout)


@declare("merge-reports", short_help="Merge the shards of a report.")
@click.argument("files", nargs=-1, required=True, type=PATH)
@report_options
def merge(
    files: tuple[str, ...],
    format: str,
    output_dir: str | None,
    previous: str | None,
    threshold: float | None,
    fail_on_regression: float | None,
) -> int:
    """Merge the shards of a report, or show one whole report in another format."""
    from plugin_eval_ci.commands import report as command
    from plugin_eval_ci.commands.publish import PublishOptions

    publishing = PublishOptions(
        format=format,
        directory=output_dir,
        previous=previous,
        threshold=threshold,
        regression=fail_on_regression,
    )
    return command.run_merge(files, publishing, sys.stdout)
