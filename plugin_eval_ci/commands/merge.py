"""``plugin-eval merge FILES…``."""

from typing import TextIO

from plugin_eval_ci.commands.publish import Publishing, publish
from plugin_eval_ci.commands.settings import say
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.json_values import DamagedError
from plugin_eval_ci.report.survey_words import partly
from plugin_eval_ci.survey import Survey
from plugin_eval_ci.surveying.stored import read_file
from plugin_eval_ci.surveying.whole import joined


def run(files: tuple[str, ...], publishing: Publishing, out: TextIO) -> int:
    """Put shards together, or show one report in another format; exit codes as ``report``."""
    survey = joined([(file, _read(file)) for file in files])
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
