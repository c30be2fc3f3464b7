"""Mode comment."""

from plugin_eval_ci.action.job import Job, Outcome
from plugin_eval_ci.errors import MeasurementError


def run(job: Job) -> Outcome:
    """Says that it is not there yet."""
    raise MeasurementError("this mode is not there yet")
