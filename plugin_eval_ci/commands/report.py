"""``plugin-eval report [PATHS]``."""

import sys
import time
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.load_config import read_config, say, say_left_out
from plugin_eval_ci.commands.publish import PublishOptions, publish
from plugin_eval_ci.commands.report_date import day_of
from plugin_eval_ci.commands.score import STATIC_ONLY
from plugin_eval_ci.errors import UsageError, not_valid, together
from plugin_eval_ci.report.survey.words import partly
from plugin_eval_ci.survey.load import read_file
from plugin_eval_ci.survey.merge_shards import merge_shards
from plugin_eval_ci.survey.report import Shard, Survey
from plugin_eval_ci.survey.run import survey_of
from plugin_eval_ci.util.json_values import DamagedError
from plugin_eval_ci.util.terminal_line import TerminalLine, duration_text

_EVERY = 0.2  # seconds
_FIRST = 1.0  # seconds that nobody needs a progress line for


class Line:
    """Call it with how many are done, of how many, and the seconds so far."""

    def __init__(self) -> None:
        self._last = 0.0
        self._shown = TerminalLine(sys.stderr)

    def __call__(self, done: int, total: int, seconds: float) -> None:
        """Write the line anew, unless it was written just now."""
        now = time.monotonic()
        if seconds < _FIRST or now - self._last < _EVERY:
            return
        self._last = now
        left = seconds / done * (total - done) if done else 0.0
        self._shown.write(f"scored {done:,} of {total:,}, about {duration_text(left)} left")

    def end(self) -> None:
        """Take the line away."""
        self._shown.end()


def progress_line() -> Line | None:
    """A progress line if standard error is a terminal, else None."""
    return Line() if sys.stderr is not None and sys.stderr.isatty() else None


_LAYERS_WHY = "a report covers many skills and asks no model; plugin-eval score asks about one skill"
_MOST_SHARDS = 256  # jobs that a matrix may have on GitHub


class Options(NamedTuple):
    """The options of the command. ``shard`` is as typed: ``2/8``."""

    publishing: PublishOptions
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
    line = progress_line()
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


def run_merge(files: tuple[str, ...], publishing: PublishOptions, out: TextIO) -> int:
    """Put shards together, or show one report in another format; exit codes as ``report``."""
    survey = merge_shards([(file, _read(file)) for file in files])
    if survey.shards:
        if given := publishing.judges():
            raise UsageError(f"{partly(survey)}; {given} would judge what is not all there")
        say(partly(survey))
    return publish(survey, publishing, out)


def _read(file: str) -> Survey:
    try:
        return read_file(file)
    except DamagedError as error:
        raise UsageError(f"{file}: {error}") from error
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or type(error).__name__}") from error
