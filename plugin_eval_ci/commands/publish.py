"""What ``report`` and ``merge-reports`` do with a report: compare it with an earlier one, write it, apply thresholds."""

import os
from collections.abc import Iterator
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.files import refuse_unwritable_folder, write
from plugin_eval_ci.commands.load_config import complain, say
from plugin_eval_ci.errors import UsageError, not_found
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.survey.load import read_file
from plugin_eval_ci.survey.merge_shards import with_trend
from plugin_eval_ci.survey.report import Survey, worst_first
from plugin_eval_ci.survey.since import Since, since_of
from plugin_eval_ci.util.json_values import DamagedError

_NAMED = 20  # targets that a verdict names


class PublishOptions(NamedTuple):
    """The options that both commands share. ``threshold`` and ``regression`` are points from 0 to 100."""

    format: str = "text"
    directory: str | None = None
    previous: str | None = None
    threshold: float | None = None
    regression: float | None = None

    def judges(self) -> str:
        """The first given option that needs a whole report; empty without one."""
        options = (("--previous", self.previous), ("--threshold", self.threshold))
        given = [name for name, value in (*options, ("--fail-on-regression", self.regression)) if value is not None]
        return given[0] if given else ""

    def validate(self) -> None:
        """Raise ``UsageError`` for options that cannot be used, before any work is done."""
        if self.regression is not None and self.previous is None:
            raise UsageError("--fail-on-regression needs --previous FILE")
        if self.previous is not None and not os.path.isfile(self.previous):
            directory = os.path.isdir(self.previous)
            raise UsageError(
                f"--previous {self.previous}: is a directory (expected a file)"
                if directory
                else f"--previous {not_found(self.previous)}"
            )
        if self.directory is not None:
            refuse_unwritable_folder(self.directory, "--output-dir")


class Verdict(NamedTuple):
    """An exit code and its reason, which is empty if the option was not given or all is well."""

    code: int
    said: str


def publish(survey: Survey, options: PublishOptions, out: TextIO) -> int:
    """Print the report and write its files: 0, 1 (a threshold or a regression) or 3 (a threshold could not be applied)."""
    survey, since = with_history(survey, options.previous)
    out.write(render(survey, since, options.format))
    if options.directory is not None:
        write(options.directory, files_of(survey, since))
    verdicts = judge_thresholds(survey, since, options.threshold, options.regression)
    if options.regression is not None and since is None:  # the earlier report is damaged, as a note says
        verdicts = verdicts[0], verdicts[1]._replace(code=3)
    for verdict in verdicts:
        if verdict.said:
            (complain if verdict.code else say)(verdict.said)
    return max(verdict.code for verdict in verdicts)


def with_history(survey: Survey, file: str | None) -> tuple[Survey, Since | None]:
    """The report with the history of the earlier one in ``file``, and what changed since. A note says why that one cannot be used."""
    previous = _read_previous(file) if file else None
    if isinstance(previous, str):
        say(previous)
        return survey._replace(notes=(*survey.notes, previous)), None
    return (survey, None) if previous is None else (with_trend(survey, previous), since_of(previous, survey))


def judge_thresholds(
    survey: Survey, since: Since | None, threshold: float | None, regression: float | None
) -> tuple[Verdict, Verdict]:
    """Whether a composite is below ``threshold``, and whether one fell by ``regression`` points or more."""
    return _threshold(survey, threshold), _regression(since, regression)


def render(survey: Survey, since: Since | None, format: str) -> str:
    """The report in one of the formats."""
    if format == "text":
        from plugin_eval_ci.report.survey import text as survey_text

        return survey_text.render(survey, since)
    if format == "markdown":
        from plugin_eval_ci.report.survey import markdown as survey_markdown

        return survey_markdown.render(survey, since)
    if format == "json":
        from plugin_eval_ci.report.survey import json as survey_json

        return survey_json.render(survey, since)
    if format == "html":
        from plugin_eval_ci.report.survey import html as survey_html

        return survey_html.render(survey, since)
    from plugin_eval_ci.report import badge
    from plugin_eval_ci.report import badge as badge_shields
    from plugin_eval_ci.report import badge as badge_svg

    whole = badge.badge_of_survey(survey)
    return badge_svg.render_svg(whole) if format == "badge" else badge_shields.render_shields(whole)


def files_of(survey: Survey, since: Since | None) -> Iterator[tuple[str, str]]:
    """Names and texts of all files for a folder; for a shard, only the one that merge-reports reads."""
    yield "report.json", render(survey, since, "json")
    if survey.shards:
        return
    from plugin_eval_ci.report import badge as badge_files

    yield "report.md", render(survey, since, "markdown")
    yield "report.html", render(survey, since, "html")
    for name, text in badge_files.files(survey):
        yield name if name.startswith("badge.") else f"badges/{name}", text


def _read_previous(file: str) -> Survey | str:
    """The earlier report, or the reason why it cannot be used."""
    try:
        return read_file(file)
    except FileNotFoundError:
        return f"no earlier report at {file}; this one is the first"
    except DamagedError as error:
        return f"the earlier report {file} cannot be used: {error}; this one counts as the first"
    except OSError as error:
        return f"the earlier report {file} cannot be read: {error.strerror}; this one counts as the first"


def _threshold(survey: Survey, least: float | None) -> Verdict:
    """The verdict, with code 0, 1 or 3, on plugins and on skills and agents outside any plugin."""
    if least is None:
        return Verdict(0, "")
    judged = [one for one in worst_first(survey.targets) if one.kind == "plugin" or one.plugin is None]
    scores = [(one, one.score) for one in judged if one.score is not None]
    if not scores:
        return Verdict(3, f"nothing was measured, so --threshold {least:g} cannot be applied")
    low = [f"{one.path} ({score:.6g})" for one, score in scores if round_score(score) < least]
    if not low:
        return Verdict(0, "")
    return Verdict(1, f"{many(len(low), 'composite')} below the threshold {least:g}: {_names_text(low)}")


def _regression(since: Since | None, points: float | None) -> Verdict:
    """The verdict, with code 0 or 1, on everything in both reports."""
    if points is None:
        return Verdict(0, "")
    if since is None or since.why:
        why = since.why if since is not None else "no earlier report"
        return Verdict(0, f"--fail-on-regression was not applied: {why}")
    fell = [(change, -(change.difference or 0.0)) for change in since.worse]
    low = [f"{change.after.path} (−{fall:.6g})" for change, fall in fell if fall >= points]
    low += [f"{change.after.path} (no longer measured)" for change in since.lost]
    if not low:
        return Verdict(0, "")
    return Verdict(
        1, f"{many(len(low), 'composite')} dropped by {points:g} or more points since {since.date}: {_names_text(low)}"
    )


def _names_text(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
