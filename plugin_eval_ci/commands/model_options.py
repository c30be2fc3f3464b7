"""The options about models and trials, as values."""

import os
from typing import TYPE_CHECKING, Literal, NamedTuple

from plugin_eval_ci.errors import UsageError, not_found, together

if TYPE_CHECKING:
    from plugin_eval_ci.github.actions import Keys


class RatingOptions(NamedTuple):
    """The options of a rating. ``corpus_dir`` holds the index; ``category`` replaces the skill's own."""

    corpus_dir: str
    category: str | None = None


class TrialOptions(NamedTuple):
    """The options of trials, at depth measured."""

    runs: int = 3
    mode: Literal["agentic", "lean", "router"] = "agentic"
    subject: str = "haiku"
    help: bool = True
    controls: bool = True


class ModelOptions(NamedTuple):
    """The options of model calls. ``max_cost`` is in dollars, ``deadline`` in seconds."""

    judges: int = 1
    concurrency: int | None = None
    judge_file: str | None = None
    estimate: bool = False
    max_cost: float | None = None
    replay: bool = False
    cassette: str | None = None
    more: tuple[str, ...] = ()  # further cassettes, read only
    batch: bool = False
    wait: float | None = None  # seconds, for the answers of a batch
    shard: tuple[int, int] | None = None
    record: bool = False
    seed: int = 0
    deadline: float | None = None
    rating: RatingOptions | None = None  # None: no rating
    trials: TrialOptions | None = None  # None: no option about them
    keys: "Keys | None" = None  # instead of those in the environment


class ScoreOptions(NamedTuple):
    """The options of ``score``, ``certify`` and ``compare``."""

    depth: str
    format: str = "text"
    threshold: float | None = None
    exclude: tuple[str, ...] = ()
    config_file: str | None = None
    isolated: bool = False
    date: str | None = None  # YYYY-MM-DD, for formats that show a date
    named: bool = False  # whether the user named the depth; by default it is optional
    models_only: bool = False  # whether a result without a model counts as not measured
    asking: ModelOptions = ModelOptions()


def refuse_wrong_calls(asking: ModelOptions) -> None:
    """Raise ``UsageError`` for options about calls that cannot be used together, and for files that cannot be used."""
    if asking.record and not asking.cassette:
        raise UsageError("--record needs --cassette DIR")
    if asking.replay and (asking.record or asking.estimate):
        raise UsageError(together("--replay", "--record" if asking.record else "--estimate"))
    if asking.record and asking.more:
        raise UsageError("--record needs exactly one --cassette")
    if asking.replay and (asking.batch or asking.shard):
        raise UsageError(together("--replay", "--batch" if asking.batch else "--shard"))
    if asking.wait is not None and not asking.batch:
        raise UsageError("--wait needs --batch")
    if asking.judge_file is not None and not os.path.lexists(asking.judge_file):
        raise UsageError(f"--judge-file {not_found(asking.judge_file)}")
    for folder in filter(None, (asking.cassette, *asking.more)):
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise UsageError(f"--cassette {folder}: is not a directory")
    if asking.record and asking.cassette:
        from plugin_eval_ci.commands.files import refuse_unwritable_folder

        refuse_unwritable_folder(asking.cassette, "--cassette")
