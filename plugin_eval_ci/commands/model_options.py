"""How models are to be asked, as typed on the command line."""

import os
from typing import TYPE_CHECKING, Literal, NamedTuple

from plugin_eval_ci.errors import UsageError

if TYPE_CHECKING:
    from plugin_eval_ci.github.actions import Keys


class RatingOptions(NamedTuple):
    """``corpus_dir``: the folder of the index; ``category``: instead of the skill's own."""

    corpus_dir: str
    category: str | None = None


class TrialOptions(NamedTuple):
    """How trials are made, at depth measured."""

    runs: int = 3
    mode: Literal["agentic", "lean", "router"] = "agentic"
    subject: str = "haiku"
    help: bool = True
    controls: bool = True


class ModelOptions(NamedTuple):
    """As typed. ``max_cost`` in dollars, ``deadline`` in seconds."""

    judges: int = 1
    concurrency: int | None = None
    judge_file: str | None = None
    estimate: bool = False
    max_cost: float | None = None
    replay: bool = False
    cassette: str | None = None
    more: tuple[str, ...] = ()  # further cassettes, which are only read
    batch: bool = False
    wait: float | None = None  # seconds, for the answers of a batch
    shard: tuple[int, int] | None = None
    record: bool = False
    seed: int = 0
    deadline: float | None = None
    rating: RatingOptions | None = None  # None: none is asked for
    trials: TrialOptions | None = None  # None: nothing was said of them
    keys: "Keys | None" = None  # in place of those of the environment


class Options(NamedTuple):
    """The options of ``score`` and of the commands that score like it."""

    depth: str
    output: str
    threshold: float | None
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool
    date: str | None = None  # YYYY-MM-DD, for those outputs that carry a day
    named: bool = False  # whether the depth was asked for, rather than left at its default
    asking: ModelOptions = ModelOptions()


def refuse_wrong_calls(asking: ModelOptions) -> None:
    """Raise ``UsageError`` for options about calls that cannot be used together or name files that cannot be used."""
    if asking.record and not asking.cassette:
        raise UsageError("--record needs --cassette DIR")
    if asking.replay and (asking.record or asking.estimate):
        raise UsageError(f"--replay and {'--record' if asking.record else '--estimate'} cannot be used together")
    if asking.record and asking.more:
        raise UsageError("--record needs exactly one --cassette")
    if asking.replay and (asking.batch or asking.shard):
        raise UsageError(f"--replay and {'--batch' if asking.batch else '--shard'} cannot be used together")
    if asking.wait is not None and not asking.batch:
        raise UsageError("--wait needs --batch")
    if asking.judge_file is not None and not os.path.lexists(asking.judge_file):
        raise UsageError(f"--judge-file {asking.judge_file}: no such file")
    for folder in filter(None, (asking.cassette, *asking.more)):
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise UsageError(f"--cassette {folder}: is not a directory")
    if asking.record and asking.cassette:
        from plugin_eval_ci.commands.files import refuse_unwritable_folder

        refuse_unwritable_folder(asking.cassette, "--cassette")
