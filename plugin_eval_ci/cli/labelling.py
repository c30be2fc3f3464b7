"""``plugin-eval label`` and ``plugin-eval calibrate``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import PATH, formatted

_LABELS = "evals/labels.jsonl"


_LABELS_FILE = click.option(
    "--labels", default=_LABELS, show_default=True, metavar="FILE", help="Read and write labels in this file."
)
_PASS = click.option(
    "--pass", "threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True, metavar="SCORE",
    help="Lowest score that counts as a pass, from 0 to 1.",
)  # fmt: skip


@click.command(short_help="Score skills by hand, the most informative first.")
@click.argument("results", nargs=-1, required=True, type=PATH)
@_LABELS_FILE
@click.option("--output", "-o", metavar="FILE", help="Write the items to label to a new file instead of prompting.")
@click.option("--who", default="", metavar="NAME", help="Record this name as the author of the labels.")
@click.option(
    "--number",
    type=click.IntRange(1, 1_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of items to label.",
)
@click.option(
    "--dimension", "dimensions", multiple=True, metavar="NAME", help="Label only this dimension (repeat for several)."
)
@_PASS
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for choosing half of the items."
)
def label(
    results: tuple[str, ...],
    labels: str,
    output: str | None,
    who: str,
    number: int,
    dimensions: tuple[str, ...],
    threshold: float,
    seed: int,
) -> int:
    """Score skills by hand, the most informative first. RESULTS are the JSON of score or report. What judges said is not shown."""
    from plugin_eval_ci.commands import label as command
    from plugin_eval_ci.trials.human import LABELLED

    for name in dimensions:
        if name not in LABELLED:
            raise click.BadParameter(
                f"{name!r} is not valid (expected {', '.join(LABELLED)})", param_hint="--dimension"
            )
    wanted = command.Wanted(labels, output, who, number, dimensions, threshold, seed)
    return command.run(results, wanted, sys.stdin, sys.stdout)


@click.command(short_help="Measure how well scores agree with people's labels.")
@click.argument("results", nargs=-1, required=True, type=PATH)
@_LABELS_FILE
@formatted(("text", "json"))
@_PASS
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for resampling skills.")
def calibrate(results: tuple[str, ...], labels: str, output: str, threshold: float, seed: int) -> int:
    """Measure how well every score, static ones too, agrees with people's labels. RESULTS are the JSON of score or report."""
    from plugin_eval_ci.commands import calibrate as command

    return command.run(results, labels, output, threshold, seed, sys.stdout)
