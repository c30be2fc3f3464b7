"""How models are to be asked, as typed on the command line."""

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from plugin_eval_ci.edges.actions import Keys


class Rating(NamedTuple):
    """``corpus_dir``: the folder of the index; ``category``: instead of the skill's own."""

    corpus_dir: str
    category: str | None = None


class Trials(NamedTuple):
    """How trials are made, at depth measured."""

    runs: int = 3
    mode: Literal["agentic", "lean", "router"] = "agentic"
    subject: str = "haiku"
    help: bool = True
    controls: bool = True


class Asking(NamedTuple):
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
    rating: Rating | None = None  # None: none is asked for
    trials: Trials | None = None  # None: nothing was said of them
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
    asking: Asking = Asking()
