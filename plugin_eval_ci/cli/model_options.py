"""The options about models and reference skills. ``lint`` does not load them."""

import os
from typing import Literal, TypedDict, cast

import click

from plugin_eval_ci.cli.options import AMOUNT, Choice, Shard
from plugin_eval_ci.commands.model_options import ModelOptions, RatingOptions, TrialOptions

MODES = ("agentic", "lean", "router")
_DEFAULTS = TrialOptions()


def trial_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options about trials, at depth measured."""
    for option in (
        click.option("--no-controls", is_flag=True, help="Skip the positive and the negative control."),
        click.option("--no-help", is_flag=True, help="Test triggering only, not whether the skill helps."),
        click.option("--subject", metavar="MODEL", help="Tier or model under test.  [default: haiku]"),
        click.option(
            "--mode",
            type=Choice(MODES),
            help="How the model chooses a skill; router is an upper bound.  [default: agentic]",
        ),
        click.option(
            "--runs",
            type=click.IntRange(1, 100),
            metavar="N",
            help="Number of trials per prompt.  [default: 3]",
        ),
    ):
        command = option(command)
    return command


class TrialParams(TypedDict):
    """What ``trial_options`` passes to a command."""

    runs: int | None
    mode: str | None
    subject: str | None
    no_help: bool
    no_controls: bool


def trial_options_of(words: TrialParams) -> TrialOptions | None:
    """The options as a value; None if none of them was given."""
    if not any((words["runs"], words["mode"], words["subject"], words["no_help"], words["no_controls"])):
        return None
    return TrialOptions(
        runs=words["runs"] or _DEFAULTS.runs,
        mode=cast("Literal['agentic', 'lean', 'router']", words["mode"] or _DEFAULTS.mode),
        subject=words["subject"] or _DEFAULTS.subject,
        help=not words["no_help"],
        controls=not words["no_controls"],
    )


def expand_user(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """The directory, with ``~`` replaced."""
    return os.path.expanduser(value)


DEFAULT_CORPUS_DIR = os.path.join("~", ".plugin-eval", "corpus")
CORPUS_DIR = click.option(
    "--corpus-dir",
    metavar="DIR",
    default=DEFAULT_CORPUS_DIR,
    show_default=True,
    callback=expand_user,
    help="Directory with the index of reference skills.",
)


def call_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options about model calls: cost, concurrency, and where answers are recorded."""
    for option in (
        click.option(
            "--seed",
            type=int,
            default=0,
            show_default=True,
            metavar="N",
            help="Random seed for run order and resampling.",
        ),
        click.option(
            "--shard",
            type=Shard(),
            metavar="I/N",
            help="Make part I of N of the calls and record it.",
        ),
        click.option(
            "--wait", type=AMOUNT, metavar="SECONDS", help="Time to wait for the answers of --batch, in seconds."
        ),
        click.option(
            "--batch",
            is_flag=True,
            help="Submit one batch at half the price; run again for the answers.",
        ),
        click.option("--record", is_flag=True, help="Record the answers in the cassette."),
        click.option(
            "--cassette",
            multiple=True,
            metavar="DIR",
            help="Use the recorded answers in this directory (repeatable).",
        ),
        click.option("--replay", is_flag=True, help="Use recorded answers only; send nothing."),
        click.option(
            "--max-cost", type=AMOUNT, metavar="USD", help="Stop before spending more than this, in US dollars."
        ),
        click.option("--estimate", is_flag=True, help="Print the number of calls and their cost; send nothing."),
        click.option("--deadline", type=AMOUNT, metavar="SECONDS", help="Time limit for all calls, in seconds."),
        click.option(
            "--concurrency",
            type=click.IntRange(1, 200),
            metavar="N",
            help="Number of calls at the same time.  [default: 5]",
        ),
    ):
        command = option(command)
    return command


def model_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options about models, for every command that can go deeper than the static layer."""
    judges = click.option(
        "--judges",
        type=click.IntRange(1, 20),
        default=1,
        show_default=True,
        metavar="N",
        help="Number of samples of each question.",
    )
    return judges(call_options(command))


class CallParams(TypedDict):
    """What ``call_options`` passes to a command."""

    concurrency: int | None
    deadline: float | None
    estimate: bool
    max_cost: float | None
    replay: bool
    cassette: tuple[str, ...]
    batch: bool
    wait: float | None
    shard: tuple[int, int] | None
    record: bool
    seed: int


class ModelParams(CallParams):
    """What ``model_options`` passes to a command."""

    judges: int


def model_options_of(
    words: ModelParams, judge_file: str | None = None, rating: RatingOptions | None = None
) -> ModelOptions:
    """The options as a value."""
    return call_options_of(words)._replace(judges=words["judges"], judge_file=judge_file, rating=rating)


def call_options_of(words: CallParams) -> ModelOptions:
    """The options about calls as a value."""
    return ModelOptions(
        concurrency=words["concurrency"],
        estimate=words["estimate"],
        max_cost=words["max_cost"],
        replay=words["replay"],
        cassette=words["cassette"][0] if words["cassette"] else None,
        more=words["cassette"][1:],
        batch=words["batch"],
        wait=words["wait"],
        shard=words["shard"],
        record=words["record"],
        seed=words["seed"],
        deadline=words["deadline"],
    )
