"""``plugin-eval label`` and ``plugin-eval calibrate``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import PATH, formatted

_LABELS = "evals/labels.jsonl"


_LABELS_FILE = click.option(
    "--labels", default=_LABELS, show_default=True, metavar="FILE", help="Where labels are kept."
)
_PASS = click.option(
    "--pass", "threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True, metavar="SCORE",
    help="The score that passes.",
)  # fmt: skip


@click.command(short_help="Score skills by hand where it tells most.")
@click.argument("results", nargs=-1, required=True, type=PATH)
@_LABELS_FILE
@click.option("--output", "-o", metavar="FILE", help="Write what is to be labelled to a new file instead of asking.")
@click.option("--who", default="", metavar="NAME", help="Whose labels these are.")
@click.option("--number", type=click.IntRange(1, 1_000), default=20, show_default=True, metavar="N", help="How many.")
@click.option("--dimension", "dimensions", multiple=True, metavar="NAME", help="Only this dimension; may be repeated.")
@_PASS
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of the random half.")
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
    """Score skills by hand where it tells most: RESULTS are the JSON of score or report. What judges said is not shown."""
    from plugin_eval_ci.commands import label as command
    from plugin_eval_ci.trials.human import LABELLED

    for name in dimensions:
        if name not in LABELLED:
            raise click.BadParameter(f"{name!r} is none of {', '.join(LABELLED)}", param_hint="--dimension")
    wanted = command.Wanted(labels, output, who, number, dimensions, threshold, seed)
    return command.run(results, wanted, sys.stdin, sys.stdout)


@click.command(short_help="Say how far scores agree with people's labels.")
@click.argument("results", nargs=-1, required=True, type=PATH)
@_LABELS_FILE
@formatted(("text", "json"))
@_PASS
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of the resampling of skills.")
def calibrate(results: tuple[str, ...], labels: str, output: str, threshold: float, seed: int) -> int:
    """How far every score agrees with people's labels, static ones too: RESULTS are the JSON of score or report."""
    from plugin_eval_ci.commands import calibrate as command

    return command.run(results, labels, output, threshold, seed, sys.stdout)
