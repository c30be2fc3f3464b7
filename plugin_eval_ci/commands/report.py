"""``plugin-eval report [PATHS]``."""

from typing import NamedTuple, TextIO

from plugin_eval_ci.commands import progress
from plugin_eval_ci.commands.day import day_of
from plugin_eval_ci.commands.publish import Publishing, publish
from plugin_eval_ci.commands.score import STATIC_ONLY
from plugin_eval_ci.commands.settings import read_config, say, say_left_out
from plugin_eval_ci.errors import UsageError, not_valid, together
from plugin_eval_ci.survey import Shard
from plugin_eval_ci.surveying.run import survey_of

_LAYERS_WHY = "a report covers many skills and asks no model; plugin-eval score asks about one skill"
_MOST_SHARDS = 256  # jobs that a matrix may have on GitHub


class Options(NamedTuple):
    """The options of the command. ``shard`` is as typed: ``2/8``."""

    publishing: Publishing
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool
    depth: str = "quick"
    date: str | None = None
    name: str = ""
    shard: str | None = None


def run(paths: tuple[str, ...], options: Options, out: TextIO) -> int:
    """Score everything below ``paths``: 0, 1 (below the threshold, or a regression), 2 (a path gave nothing) or 3 (as ``score``)."""
    shard = shard_of(options.shard)
    if shard is not None and (given := options.publishing.judges()):
        raise UsageError(together("--shard", given, f"give {given} to plugin-eval merge-reports"))
    config = read_config(paths, options.config_file, options.isolated, options.exclude)
    if options.depth != "quick":
        say(STATIC_ONLY.format(depth=options.depth, why=_LAYERS_WHY))
    line = progress.line()
    try:
        made = survey_of(paths, config, options.name, day_of(options.date), shard, line)
    finally:
        if line is not None:
            line.end()
    wrong = say_left_out(made.found, hook=False)
    if not (made.found.skills or made.found.agents or made.found.plugins):
        raise UsageError("nothing to score here: no skill, no agent and no plugin")
    code = publish(made.survey, options.publishing, out)
    return 2 if wrong else code


def shard_of(text: str | None) -> Shard | None:
    """``2/8`` as a value; ``UsageError`` for anything else."""
    if text is None:
        return None
    number, slash, total = text.partition("/")
    if slash and all(part.isascii() and part.isdecimal() and len(part) < 5 for part in (number, total)):
        shard = Shard(int(number), int(total))
        if 1 <= shard.number <= shard.total <= _MOST_SHARDS:
            return shard
    raise UsageError(not_valid("--shard", text, f"I/N with 1 ≤ I ≤ N ≤ {_MOST_SHARDS}"))
