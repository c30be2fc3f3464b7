"""``plugin-eval report`` and ``merge-reports``."""

import sys
import time
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.load_config import read_config, say, say_left_out
from plugin_eval_ci.commands.publish import PublishOptions, publish
from plugin_eval_ci.commands.report_date import day_of
from plugin_eval_ci.commands.score import STATIC_ONLY
from plugin_eval_ci.errors import UsageError, not_output_of, not_read, not_valid, together
from plugin_eval_ci.report.survey.words import partly
from plugin_eval_ci.survey.load import read_file
from plugin_eval_ci.survey.merge_shards import merge_shards
from plugin_eval_ci.survey.report import Shard, Survey
from plugin_eval_ci.survey.run import survey_of
from plugin_eval_ci.util.json_values import DamagedError
from plugin_eval_ci.util.terminal_line import TerminalLine, duration_text

_EVERY = 0.2  # seconds
_FIRST = 1.0  # seconds without a progress line


class ProgressLine:
    """A progress line. Call it with the number done, the total, and the seconds so far."""

    def __init__(self) -> None:
        self._last = 0.0
        self._shown = TerminalLine(sys.stderr)

    def __call__(self, done: int, total: int, seconds: float) -> None:
        """Update the line, unless that was done just now."""
        now = time.monotonic()
        if seconds < _FIRST or now - self._last < _EVERY:
            return
        self._last = now
        left = seconds / done * (total - done) if done else 0.0
        self._shown.write(f"scored {done:,} of {total:,}, about {duration_text(left)} left")

    def end(self) -> None:
        """Remove the line."""
        self._shown.end()


def progress_line() -> ProgressLine | None:
    """A progress line if standard error is a terminal, else None."""
    return ProgressLine() if sys.stderr is not None and sys.stderr.isatty() else None


_LAYERS_WHY = "report calls no model; `plugin-eval score` does, for one skill"
_MOST_SHARDS = 256  # jobs in a matrix on GitHub


class ReportOptions(NamedTuple):
    """The options of the command. ``shard`` is as typed: ``2/8``."""

    publishing: PublishOptions
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool
    depth: str = "quick"
    date: str | None = None
    name: str = ""
    shard: str | None = None


def run(paths: tuple[str, ...], options: ReportOptions, out: TextIO) -> int:
    """Score everything below ``paths``: 0, 1 (below the threshold, or a regression), 2 (a path holds nothing) or 3 (not measured)."""
    shard = shard_of(options.shard)
    if shard is not None and (given := options.publishing.judges()):
        raise UsageError(together("--shard", given, f"give {given} to plugin-eval merge-reports"))
    options.publishing.validate()
    config = read_config(paths, options.config_file, options.isolated, options.exclude)
    day = day_of(options.date)
    if options.depth != "quick":
        say(STATIC_ONLY.format(depth=options.depth, why=_LAYERS_WHY))
    line = progress_line()
    try:
        made = survey_of(paths, config, options.name, day, shard, line)
    finally:
        if line is not None:
            line.end()
    wrong = say_left_out(made.found, hook=False)
    if not (made.found.skills or made.found.agents or made.found.plugins):
        raise UsageError(f"{', '.join(paths)}: no skills, agents or plugins found here; nothing to score")
    code = publish(made.survey, options.publishing, out)
    return 2 if wrong else code


def shard_of(text: str | None) -> Shard | None:
    """The value of ``2/8``. Raises ``UsageError`` for another text."""
    if text is None:
        return None
    number, slash, total = text.partition("/")
    if slash and all(part.isascii() and part.isdecimal() and len(part) < 5 for part in (number, total)):
        shard = Shard(int(number), int(total))
        if 1 <= shard.number <= shard.total <= _MOST_SHARDS:
            return shard
    raise UsageError(not_valid("--shard", text, f"I/N with 1 ≤ I ≤ N ≤ {_MOST_SHARDS}"))


def run_merge(files: tuple[str, ...], publishing: PublishOptions, out: TextIO) -> int:
    """Merge shards, or show one report in another format; exit codes as ``report``."""
    publishing.validate()
    survey = merge_shards([(file, _read(file)) for file in files])
    if survey.shards:
        if given := publishing.judges():
            raise UsageError(f"{partly(survey)}; {given} needs all shards")
        say(partly(survey))
    return publish(survey, publishing, out)


def _read(file: str) -> Survey:
    try:
        return read_file(file)
    except DamagedError as error:
        raise UsageError(not_output_of(file, str(error), "report")) from error
    except OSError as error:
        raise UsageError(not_read(file, error)) from error
