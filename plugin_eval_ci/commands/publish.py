"""What ``report`` and ``merge`` do with a report: compare it with the last one, write it, judge it."""

import os
import tempfile
from collections.abc import Iterator
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.settings import say
from plugin_eval_ci.dimensions import rounded
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.json_values import DamagedError
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.since import Since, since_of
from plugin_eval_ci.survey import Survey, ranked
from plugin_eval_ci.surveying.stored import read_file
from plugin_eval_ci.surveying.whole import continued

OUTPUTS = ("text", "markdown", "json", "badge", "shields")
_NAMED = 20  # targets that a judgement calls by name


class Publishing(NamedTuple):
    """The options of both commands. ``threshold`` and ``regression`` are points from 0 to 100."""

    output: str = "text"
    directory: str | None = None
    previous: str | None = None
    threshold: float | None = None
    regression: float | None = None

    def judges(self) -> str:
        """The first option that needs a whole report; empty without one."""
        options = (("--previous", self.previous), ("--threshold", self.threshold))
        given = [name for name, value in (*options, ("--fail-on-regression", self.regression)) if value is not None]
        return given[0] if given else ""


def publish(survey: Survey, options: Publishing, out: TextIO) -> int:
    """Print the report, write its files, and return 0, 1 (it is judged too bad) or 3 (a threshold, and nothing was measured)."""
    previous = _previous(options.previous) if options.previous else None
    if isinstance(previous, str):
        say(previous)
        survey = survey._replace(notes=(*survey.notes, previous))
    since = None
    if isinstance(previous, Survey):
        since = since_of(previous, survey)
        survey = continued(survey, previous)
    out.write(render(survey, since, options.output))
    if options.directory is not None:
        write(options.directory, files_of(survey, since))
    return max(_threshold(survey, options.threshold), _regression(since, options.regression))


def render(survey: Survey, since: Since | None, output: str) -> str:
    """The report in one of the formats."""
    if output == "text":
        from plugin_eval_ci.report import survey_text

        return survey_text.render(survey, since)
    if output == "markdown":
        from plugin_eval_ci.report import survey_markdown

        return survey_markdown.render(survey, since)
    if output == "json":
        from plugin_eval_ci.report import survey_json

        return survey_json.render(survey, since)
    from plugin_eval_ci.report import badge, badge_shields, badge_svg

    whole = badge.badge_of_survey(survey)
    return badge_svg.render(whole) if output == "badge" else badge_shields.render(whole)


def files_of(survey: Survey, since: Since | None) -> Iterator[tuple[str, str]]:
    """Names and texts of everything for a folder; of a part that is to be merged, only what the merge reads."""
    yield "report.json", render(survey, since, "json")
    if survey.shards:
        return
    from plugin_eval_ci.report import badge_files

    yield "report.md", render(survey, since, "markdown")
    for name, text in badge_files.files(survey):
        yield name if name.startswith("badge.") else f"badges/{name}", text


def write(directory: str, files: Iterator[tuple[str, str]]) -> None:
    """Write files below a folder that is made if need be. Raises ``UsageError`` where that is not possible."""
    made = set()
    try:
        for name, text in files:
            file = os.path.join(directory, name)
            folder = os.path.dirname(file)
            if folder not in made:
                os.makedirs(folder, exist_ok=True)
                made.add(folder)
            # A link of that name is replaced, not followed: the folder may be in a checkout that is not to be trusted.
            with tempfile.NamedTemporaryFile("wb", dir=folder, delete=False) as stream:
                stream.write(text.encode("utf-8", "backslashreplace"))
            os.chmod(stream.name, 0o644)
            os.replace(stream.name, file)
    except OSError as error:
        raise UsageError(f"--output-dir {directory}: cannot be written: {error.strerror}") from error


def _previous(file: str) -> Survey | str:
    """The earlier report, or why there is none: a report never fails for that."""
    try:
        return read_file(file)
    except FileNotFoundError:
        return f"there is no earlier report at {file}: this one is the first"
    except DamagedError as error:
        return f"the earlier report {file} is not used: {error}; this one is the first"
    except OSError as error:
        return f"the earlier report {file} cannot be read: {error.strerror}; this one is the first"


def _threshold(survey: Survey, least: float | None) -> int:
    """0, 1 or 3; plugins are judged, and what is in none."""
    if least is None:
        return 0
    judged = [one for one in ranked(survey.targets) if one.kind == "plugin" or one.plugin is None]
    scores = [(one, one.score) for one in judged if one.score is not None]
    if not scores:
        say(f"nothing was measured, so the threshold {least:g} was not applied")
        return 3
    low = [f"{one.path} ({score:.6g})" for one, score in scores if rounded(score) < least]
    if low:
        say(f"{many(len(low), 'composite')} below the threshold {least:g}: {_some(low)}")
    return int(bool(low))


def _regression(since: Since | None, points: float | None) -> int:
    """0 or 1; whatever is in both reports is judged."""
    if points is None:
        return 0
    if since is None or since.why:
        say(f"--fail-on-regression was not applied: {since.why if since is not None else 'there is no earlier report'}")
        return 0
    fell = [(change, -(change.difference or 0.0)) for change in since.worse]
    low = [f"{change.after.path} (−{fall:.6g})" for change, fall in fell if fall >= points]
    low += [f"{change.after.path} (no longer measured)" for change in since.lost]
    if low:
        say(f"{many(len(low), 'composite')} fell by {points:g} or more since {since.date}: {_some(low)}")
    return int(bool(low))


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
