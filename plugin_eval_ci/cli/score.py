"""``plugin-eval score`` and ``compare``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import DEPTHS, PATH, REPORTS, SCORES, shared
from plugin_eval_ci.errors import UsageError


@click.command()
@click.argument("path", type=PATH)
@click.option("--depth", type=click.Choice(DEPTHS), default="standard", show_default=True, help="Layers to run.")
@click.option(
    "--output",
    type=click.Choice(SCORES),
    default="text",
    show_default=True,
    help="html: one page; badge: an SVG; shields: JSON for an endpoint badge of shields.io.",
)
@click.option(
    "--date", metavar="DAY", help="Day that page and badge carry, YYYY-MM-DD (default: SOURCE_DATE_EPOCH, else today)."
)
@click.option("--threshold", type=click.FloatRange(0, 100), metavar="N", help="Exit 1 when the composite is below N.")
@shared
def score(
    path: str,
    depth: str,
    output: str,
    date: str | None,
    threshold: float | None,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Score the skill or plugin at PATH: composite, badge, dimensions, and what to change first."""
    from plugin_eval_ci.commands import score as command

    options = command.Options(depth, output, threshold, exclude, config_file, isolated, date)
    if threshold is not None and threshold != threshold:  # not a number is in no range, and click lets it pass
        raise UsageError("--threshold: nan is no number from 0 to 100")
    return command.run(path, options, sys.stdout)


@click.command()
@click.argument("first", metavar="A", type=PATH)
@click.argument("second", metavar="B", type=PATH)
@click.option("--depth", type=click.Choice(DEPTHS), default="quick", show_default=True, help="Layers to run.")
@click.option("--output", type=click.Choice(REPORTS), default="text", show_default=True)
@shared
def compare(
    first: str, second: str, depth: str, output: str, exclude: tuple[str, ...], config_file: str | None, isolated: bool
) -> int:
    """Compare two skills or two plugins, dimension by dimension."""
    from plugin_eval_ci.commands import compare as command

    return command.run(first, second, command.Options(depth, output, None, exclude, config_file, isolated), sys.stdout)
