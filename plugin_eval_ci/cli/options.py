"""What several commands take: paths, levels, depths, and the options about the configuration."""

import os
from typing import TypedDict

import click

from plugin_eval_ci.commands.model_options import Asking, Rating
from plugin_eval_ci.errors import UsageError

LEVELS = ("error", "warning", "notice", "never")
DEPTHS = ("quick", "standard", "deep", "thorough")
REPORTS = ("text", "markdown", "json")
SCORES = (*REPORTS, "html", "badge", "shields")


class _Path(click.Path):
    """A path that need not be readable, for each is looked at by itself; an empty one would mean the working directory."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if not value:
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(readable=False)


CORPUS_DIR = click.option(
    "--corpus-dir",
    metavar="DIR",
    default=os.path.join("~", ".plugin-eval", "corpus"),
    show_default=True,
    callback=lambda context, option, value: os.path.expanduser(value),
    help="Folder of the index of reference skills.",
)


def words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Rule names, of options that may be repeated or hold several with commas between."""
    return tuple(word.strip().upper() for value in values for word in value.split(",") if word.strip())


def shared(command: click.decorators.FC) -> click.decorators.FC:
    """The options about the configuration, which every command that looks at files has."""
    for option in (
        click.option("--isolated", is_flag=True, help="Ignore .plugin-eval.yaml."),
        click.option(
            "--config", "config_file", metavar="FILE", help="Read this configuration instead of .plugin-eval.yaml."
        ),
        click.option(
            "--exclude", multiple=True, metavar="GLOB", help="Leave out paths; also those named or passed by a hook."
        ),
    ):
        command = option(command)
    return command


def asking(command: click.decorators.FC) -> click.decorators.FC:
    """The options about models, which every command has that can go deeper than the static layer."""
    for option in (
        click.option("--seed", type=int, default=0, show_default=True, help="Of the order of runs and of resampling."),
        click.option("--record", is_flag=True, help="Write the answers that are used into the cassette."),
        click.option(
            "--cassette", metavar="DIR", help="Recorded answers, to be committed; looked at before a model is asked."
        ),
        click.option("--replay", is_flag=True, help="Only recorded answers: nothing is sent."),
        click.option("--max-cost", type=click.FloatRange(0, min_open=True), metavar="USD", help="Never spend more."),
        click.option("--estimate", is_flag=True, help="Say what would be asked and what it would cost; send nothing."),
        click.option(
            "--deadline", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Of all calls together."
        ),
        click.option(
            "--concurrency", type=click.IntRange(1, 200), metavar="N", help="Calls at the same time (default: 5)."
        ),
        click.option(
            "--judges", type=click.IntRange(1, 20), default=1, show_default=True, help="Samples of each question."
        ),
    ):
        command = option(command)
    return command


class Models(TypedDict):
    """What ``asking`` gives to a command."""

    judges: int
    concurrency: int | None
    deadline: float | None
    estimate: bool
    max_cost: float | None
    replay: bool
    cassette: str | None
    record: bool
    seed: int


def of_models(words: Models, judge_file: str | None = None, rating: Rating | None = None) -> Asking:
    """Those options as a value. Raises ``UsageError`` for an amount that is none."""
    for option, value in (("--max-cost", words["max_cost"]), ("--deadline", words["deadline"])):
        if value is not None and not value < float("inf"):  # what is no number is in no range, and click lets it pass
            raise UsageError(f"{option}: {value} is no amount")
    return Asking(**words, judge_file=judge_file, rating=rating)
