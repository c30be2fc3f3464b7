"""``plugin-eval score``, ``certify`` and ``compare``, as typed."""

import sys
from typing import Unpack

import click

from plugin_eval_ci.cli.model_options import (
    CORPUS_DIR,
    ModelParams,
    TrialParams,
    model_options,
    of_models,
    of_trials,
    trial_options,
)
from plugin_eval_ci.cli.options import DEEPEST, DEPTHS, PATH, POINTS, REPORTS, SCORES, config_options, formatted
from plugin_eval_ci.commands.model_options import RatingOptions


@click.command(short_help="Write a corpus index of skills for certify --rate.")
@click.argument("plugins", nargs=-1, required=True, type=PATH)
@CORPUS_DIR
@config_options
def init(
    plugins: tuple[str, ...], corpus_dir: str, exclude: tuple[str, ...], config_file: str | None, isolated: bool
) -> int:
    """Write a corpus index of the skills below PLUGINS, the references of certify --rate: category, size, static score."""
    from plugin_eval_ci.commands import init as command

    return command.run(plugins, corpus_dir, exclude, config_file, isolated, sys.stdout)


def score_options(command: click.decorators.FC) -> click.decorators.FC:
    """What ``score`` and ``certify`` both take: what is done with a score, where it comes from, which files count."""
    for option in (
        config_options,
        trial_options,
        model_options,
        click.option(
            "--judge-file", metavar="FILE", help="Read the judge layer from this file instead of calling a model."
        ),
        click.option("--threshold", type=POINTS, metavar="N", help="Exit 1 if the composite is below N."),
        click.option(
            "--date",
            metavar="DAY",
            help="Date on the page and badge, YYYY-MM-DD.  [default: SOURCE_DATE_EPOCH, else today]",
        ),
        formatted(SCORES, "Output format; badge is an SVG, shields the JSON of a shields.io endpoint badge."),
    ):
        command = option(command)
    return command


class ScoreParams(ModelParams, TrialParams):
    """What ``scoring`` gives to a command."""

    output: str
    date: str | None
    threshold: float | None
    judge_file: str | None
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool


@click.command(short_help="Score a skill or plugin: composite, badge, what to change first.")
@click.argument("path", type=PATH)
@click.option(
    "--depth",
    type=click.Choice(DEEPEST),
    help="Set the layers to run; those above quick ask a model.  [default: standard]",
)
@score_options
def score(
    path: str,
    depth: str | None,
    **typed: Unpack[ScoreParams],
) -> int:
    """Score the skill or plugin at PATH: composite, badge, dimensions, and what to change first.

    With a key in ANTHROPIC_API_KEY and the extra `llm` a model judges the skill, too. Without them the result is the static one; where
    --depth names a depth that cannot be measured, the exit code is 3.
    """
    return _run(path, depth or "standard", depth is not None, typed)


@click.command(short_help="Score a skill with every layer; calls models.")
@click.argument("path", type=PATH)
@click.option(
    "--depth",
    type=click.Choice(("deep", "thorough", "measured")),
    default="deep",
    show_default=True,
    help="Set the depth: 50 runs, 100 runs, or trials.",
)
@click.option("--rate", is_flag=True, help="Also rate it among reference skills (see plugin-eval init).")
@CORPUS_DIR
@click.option(
    "--category",
    metavar="NAME",
    help="Compare within this category of references.  [default: that of the skill's plugin]",
)
@score_options
def certify(
    path: str,
    depth: str,
    rate: bool,
    corpus_dir: str,
    category: str | None,
    **typed: Unpack[ScoreParams],
) -> int:
    """Score the skill at PATH with every layer: static, judge and Monte Carlo. With --rate the badge needs a rating, too.

    It asks models, so it needs the extra `llm` and a key; --estimate says beforehand what it costs.
    """
    return _run(path, depth, True, typed, RatingOptions(corpus_dir, category) if rate else None)


def _run(path: str, depth: str, named: bool, typed: ScoreParams, rating: RatingOptions | None = None) -> int:
    from plugin_eval_ci.commands import score as command

    options = command.Options(
        depth,
        typed["output"],
        typed["threshold"],
        typed["exclude"],
        typed["config_file"],
        typed["isolated"],
        typed["date"],
        named,
        of_models(typed, typed["judge_file"], rating)._replace(trials=of_trials(typed)),
    )
    return command.run(path, options, sys.stdout)


@click.command()
@click.argument("first", metavar="A", type=PATH)
@click.argument("second", metavar="B", type=PATH)
@click.option("--depth", type=click.Choice(DEPTHS), default="quick", show_default=True, help="Set the layers to run.")
@formatted(REPORTS)
@model_options
@config_options
def compare(
    first: str,
    second: str,
    depth: str,
    output: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    **models: Unpack[ModelParams],
) -> int:
    """Compare two skills or two plugins, dimension by dimension."""
    from plugin_eval_ci.commands import compare as command

    options = command.Options(depth, output, None, exclude, config_file, isolated, None, True, of_models(models))
    return command.run(first, second, options, sys.stdout)
