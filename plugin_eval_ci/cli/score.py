"""The options of ``score``, ``certify``, ``compare`` and ``init``."""

import sys
from typing import Unpack

import click

from plugin_eval_ci.cli.model_options import (
    CORPUS_DIR,
    DEFAULT_CORPUS_DIR,
    ModelParams,
    TrialParams,
    expand_user,
    model_options,
    model_options_of,
    trial_options,
    trial_options_of,
)
from plugin_eval_ci.cli.options import (
    DEEPEST,
    DEPTHS,
    PATH,
    POINTS,
    REPORTS,
    SCORES,
    Choice,
    config_options,
    format_options,
    quiet_option,
)
from plugin_eval_ci.cli.options import command as declare
from plugin_eval_ci.commands.model_options import RatingOptions, ScoreOptions


@declare(short_help="Write an index of reference skills for certify --rate.")
@click.argument("plugins", nargs=-1, required=True, type=PATH)
@click.option(
    "--corpus-dir",
    metavar="DIR",
    default=DEFAULT_CORPUS_DIR,
    show_default=True,
    callback=expand_user,
    help="Directory to write the index to.",
)
@quiet_option()
@config_options
def init(
    plugins: tuple[str, ...], corpus_dir: str, exclude: tuple[str, ...], config_file: str | None, isolated: bool
) -> int:
    """Write an index of the skills in PLUGINS. certify --rate compares a skill with them.

    The index holds the category, size and static score of each skill. This command changes nothing else.
    """
    from plugin_eval_ci.commands import init as command

    return command.run(plugins, corpus_dir, exclude, config_file, isolated, sys.stdout)


def score_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options that ``score`` and ``certify`` share."""
    for option in (
        config_options,
        quiet_option(),
        trial_options,
        model_options,
        click.option("--judge-file", metavar="FILE", help="Read the judge layer from this file; call no model for it."),
        click.option("--threshold", type=POINTS, metavar="N", help="Exit 1 if the composite is below N."),
        click.option(
            "--date",
            metavar="DAY",
            help="Date to show, YYYY-MM-DD.  [default: SOURCE_DATE_EPOCH, else today]",
        ),
        format_options(SCORES),
    ):
        command = option(command)
    return command


class ScoreParams(ModelParams, TrialParams):
    """What ``score_options`` passes to a command."""

    format: str
    date: str | None
    threshold: float | None
    judge_file: str | None
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool


@declare(short_help="Score a skill or plugin: composite, badge, what to change first.")
@click.argument("path", type=PATH)
@click.option(
    "--depth",
    type=Choice(DEEPEST),
    help="Layers to run; above quick they call a model.  [default: standard]",
)
@score_options
def score(
    path: str,
    depth: str | None,
    **typed: Unpack[ScoreParams],
) -> int:
    """Score the skill or plugin at PATH: composite, badge, dimensions, and what to change first.

    With a key in ANTHROPIC_API_KEY and the extra `llm`, a model judges the skill too. Without them you get the static score. If you name
    a --depth that cannot be measured, the exit code is 3.
    """
    return _run(path, _options_of(depth or "standard", typed)._replace(named=depth is not None))


@declare(short_help="Score a skill with every layer; calls models.")
@click.argument("path", type=PATH)
@click.option(
    "--depth",
    type=Choice(("deep", "thorough", "measured")),
    default="deep",
    show_default=True,
    help="50 runs, 100 runs, or trials.",
)
@click.option("--rate", is_flag=True, help="Also rate the skill against reference skills (see init).")
@CORPUS_DIR
@click.option(
    "--category",
    metavar="NAME",
    help="Category of references.  [default: that of the skill's plugin]",
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
    """Score the skill at PATH with every layer: static, judge and Monte Carlo. With --rate the badge needs a rating too.

    This calls models, so it needs the extra `llm` and a key. --estimate prints the cost first.
    """
    options = _options_of(depth, typed, RatingOptions(corpus_dir, category) if rate else None)
    return _run(path, options._replace(named=True, models_only=True))


def _options_of(depth: str, typed: ScoreParams, rating: RatingOptions | None = None) -> ScoreOptions:
    return ScoreOptions(
        depth=depth,
        format=typed["format"],
        threshold=typed["threshold"],
        exclude=typed["exclude"],
        config_file=typed["config_file"],
        isolated=typed["isolated"],
        date=typed["date"],
        asking=model_options_of(typed, typed["judge_file"], rating)._replace(trials=trial_options_of(typed)),
    )


def _run(path: str, options: ScoreOptions) -> int:
    from plugin_eval_ci.commands import score as command

    return command.run(path, options, sys.stdout)


@declare()
@click.argument("first", metavar="A", type=PATH)
@click.argument("second", metavar="B", type=PATH)
@click.option("--depth", type=Choice(DEPTHS), default="quick", show_default=True, help="Layers to run.")
@format_options(REPORTS)
@model_options
@quiet_option()
@config_options
def compare(
    first: str,
    second: str,
    depth: str,
    format: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    **models: Unpack[ModelParams],
) -> int:
    """Compare two skills or two plugins, dimension by dimension."""
    from plugin_eval_ci.commands import compare as command

    options = ScoreOptions(
        depth=depth,
        format=format,
        threshold=None,
        exclude=exclude,
        config_file=config_file,
        isolated=isolated,
        named=True,
        asking=model_options_of(models),
    )
    return command.run(first, second, options, sys.stdout)
