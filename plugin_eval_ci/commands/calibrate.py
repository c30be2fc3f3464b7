"""``plugin-eval calibrate RESULTS --labels FILE``: how far each of our scores agrees with people, and what people would have said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from plugin_eval_ci.commands.result_files import results_in
from plugin_eval_ci.commands.settings import say
from plugin_eval_ci.errors import MeasurementError
from plugin_eval_ci.report import calibration
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.trials.calibrating import calibrated
from plugin_eval_ci.trials.human import read_labels


def run(files: Sequence[str], labels: str, output: str, threshold: float, seed: int, out: TextIO) -> int:
    """0; 2 for files that are not what they should be; 3 when no score has three labels."""
    found = calibrated(results_in(files), read_labels(labels), threshold, seed)
    if found.stale:
        say(f"{many(found.stale, 'label')} of a text that none of these results is about, or that was edited since")
    if not found.rows:
        raise MeasurementError(f"{labels}: no score has labels of three skills; `plugin-eval label` asks for more")
    out.write(calibration.as_json(found) if output == "json" else calibration.as_text(found))
    return 0
