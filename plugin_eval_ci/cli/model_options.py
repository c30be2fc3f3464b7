"""The options about models and reference skills, of the commands that may ask a model; a lint does not load them."""

import os
from typing import Literal, TypedDict, cast

import click

from plugin_eval_ci.cli.options import AMOUNT, Shard
from plugin_eval_ci.commands.model_options import ModelOptions, RatingOptions, TrialOptions

MODES = ("agentic", "lean", "router")
_USUAL = TrialOptions()


def trial_options(command: click.decorators.FC) -> click.decorators.FC:
    """How trials are made."""
    for option in (
        click.option("--no-controls", is_flag=True, help="measured: Skip the positive and the negative control."),
        click.option("--no-help", is_flag=True, help="measured: Test triggering only, not whether the skill helps."),
        click.option("--subject", metavar="MODEL", help="measured: Tier or model under test.  [default: haiku]"),
        click.option(
            "--mode",
            type=click.Choice(MODES),
            help="measured: How the model chooses a skill; router is an upper bound.  [default: agentic]",
        ),
        click.option(
            "--runs",
            type=click.IntRange(1, 100),
            metavar="N",
            help="measured: Number of runs per prompt.  [default: 3]",
        ),
    ):
        command = option(command)
    return command


class TrialParams(TypedDict):
    """What ``trying`` gives to a command."""

    runs: int | None
    mode: str | None
    subject: str | None
    no_help: bool
    no_controls: bool


def of_trials(words: TrialParams) -> TrialOptions | None:
    """Those options as a value; None where none of them was given."""
    if not any((words["runs"], words["mode"], words["subject"], words["no_help"], words["no_controls"])):
        return None
    return TrialOptions(
        words["runs"] or _USUAL.runs,
        cast("Literal['agentic', 'lean', 'router']", words["mode"] or _USUAL.mode),
        words["subject"] or _USUAL.subject,
        not words["no_help"],
        not words["no_controls"],
    )


CORPUS_DIR = click.option(
    "--corpus-dir",
    metavar="DIR",
    default=os.path.join("~", ".plugin-eval", "corpus"),
    show_default=True,
    callback=lambda context, option, value: os.path.expanduser(value),
    help="Read the index of reference skills in this directory.",
)


def call_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options about calls: what they may cost, how many at once, where answers are kept."""
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
            help="Make part I of N of the calls and record it; a last run reads all cassettes.",
        ),
        click.option(
            "--wait", type=AMOUNT, metavar="SECONDS", help="Wait up to this many seconds for the answers of --batch."
        ),
        click.option(
            "--batch",
            is_flag=True,
            help="Submit all calls as one batch at half the price; run again to collect the answers.",
        ),
        click.option("--record", is_flag=True, help="Record the answers in the cassette."),
        click.option(
            "--cassette",
            multiple=True,
            metavar="DIR",
            help="Use the recorded answers in this directory before calling a model (repeat for several).",
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
    """The options about models, which every command has that can go deeper than the static layer."""
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
    """What ``calling`` gives to a command."""

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
    """What ``asking`` gives to a command."""

    judges: int


def of_models(words: ModelParams, judge_file: str | None = None, rating: RatingOptions | None = None) -> ModelOptions:
    """Those options as a value."""
    return of_calls(words)._replace(judges=words["judges"], judge_file=judge_file, rating=rating)


def of_calls(words: CallParams) -> ModelOptions:
    """Those about calls as a value."""
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
