"""What ``report`` and ``merge`` do with a report: compare it with the last one, write it, judge it."""

from collections.abc import Iterator
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.load_config import say
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.survey.load import read_file
from plugin_eval_ci.survey.merge_shards import with_trend
from plugin_eval_ci.survey.report import Survey, worst_first
from plugin_eval_ci.survey.since import Since, since_of
from plugin_eval_ci.util.json_values import DamagedError

_NAMED = 20  # targets that a judgement calls by name


class PublishOptions(NamedTuple):
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


class Verdict(NamedTuple):
    """The exit code of a judgement, and what is said of it: empty where it was not asked for, or all is well."""

    code: int
    said: str


def publish(survey: Survey, options: PublishOptions, out: TextIO) -> int:
    """Print the report, write its files, and return 0, 1 (it is judged too bad) or 3 (a threshold, and nothing was measured)."""
    survey, since = with_history(survey, options.previous)
    out.write(render(survey, since, options.output))
    if options.directory is not None:
        write(options.directory, files_of(survey, since))
    judgements = judge_thresholds(survey, since, options.threshold, options.regression)
    for judgement in judgements:
        if judgement.said:
            say(judgement.said)
    return max(judgement.code for judgement in judgements)


def with_history(survey: Survey, file: str | None) -> tuple[Survey, Since | None]:
    """The report with the history of the earlier one in ``file``, and what changed since; a note where that one cannot be used."""
    previous = _previous(file) if file else None
    if isinstance(previous, str):
        say(previous)
        return survey._replace(notes=(*survey.notes, previous)), None
    return (survey, None) if previous is None else (with_trend(survey, previous), since_of(previous, survey))


def judge_thresholds(
    survey: Survey, since: Since | None, threshold: float | None, regression: float | None
) -> tuple[Verdict, Verdict]:
    """Whether a composite is below ``threshold``, and whether one fell by ``regression`` points or more."""
    return _threshold(survey, threshold), _regression(since, regression)


def render(survey: Survey, since: Since | None, output: str) -> str:
    """The report in one of the formats."""
    if output == "text":
        from plugin_eval_ci.report.survey import text as survey_text

        return survey_text.render(survey, since)
    if output == "markdown":
        from plugin_eval_ci.report.survey import markdown as survey_markdown

        return survey_markdown.render(survey, since)
    if output == "json":
        from plugin_eval_ci.report.survey import json as survey_json

        return survey_json.render(survey, since)
    if output == "html":
        from plugin_eval_ci.report.survey import html as survey_html

        return survey_html.render(survey, since)
    from plugin_eval_ci.report import badge
    from plugin_eval_ci.report import badge as badge_shields
    from plugin_eval_ci.report import badge as badge_svg

    whole = badge.badge_of_survey(survey)
    return badge_svg.render_svg(whole) if output == "badge" else badge_shields.render_shields(whole)


def files_of(survey: Survey, since: Since | None) -> Iterator[tuple[str, str]]:
    """Names and texts of everything for a folder; of a part that is to be merged, only what the merge reads."""
    yield "report.json", render(survey, since, "json")
    if survey.shards:
        return
    from plugin_eval_ci.report import badge as badge_files

    yield "report.md", render(survey, since, "markdown")
    yield "report.html", render(survey, since, "html")
    for name, text in badge_files.files(survey):
        yield name if name.startswith("badge.") else f"badges/{name}", text


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


def _threshold(survey: Survey, least: float | None) -> Verdict:
    """Code 0, 1 or 3; plugins are judged, and what is in none."""
    if least is None:
        return Verdict(0, "")
    judged = [one for one in worst_first(survey.targets) if one.kind == "plugin" or one.plugin is None]
    scores = [(one, one.score) for one in judged if one.score is not None]
    if not scores:
        return Verdict(3, f"nothing was measured, so the threshold {least:g} was not applied")
    low = [f"{one.path} ({score:.6g})" for one, score in scores if round_score(score) < least]
    if not low:
        return Verdict(0, "")
    return Verdict(1, f"{many(len(low), 'composite')} below the threshold {least:g}: {_some(low)}")


def _regression(since: Since | None, points: float | None) -> Verdict:
    """Code 0 or 1; whatever is in both reports is judged."""
    if points is None:
        return Verdict(0, "")
    if since is None or since.why:
        why = since.why if since is not None else "there is no earlier report"
        return Verdict(0, f"--fail-on-regression was not applied: {why}")
    fell = [(change, -(change.difference or 0.0)) for change in since.worse]
    low = [f"{change.after.path} (−{fall:.6g})" for change, fall in fell if fall >= points]
    low += [f"{change.after.path} (no longer measured)" for change in since.lost]
    if not low:
        return Verdict(0, "")
    return Verdict(1, f"{many(len(low), 'composite')} fell by {points:g} or more since {since.date}: {_some(low)}")


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
