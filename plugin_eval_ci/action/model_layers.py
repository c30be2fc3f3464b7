"""Depths above quick: scores the skills of a run with models, one after the other, within one budget."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence

from plugin_eval_ci.action.context import Job, ModelRunOutcome
from plugin_eval_ci.action.runner import OUTPUT_LIMIT
from plugin_eval_ci.commands import score as scoring
from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.model_options import ModelOptions
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.report.score import json as score_json
from plugin_eval_ci.report.score import markdown as asked_markdown
from plugin_eval_ci.report.score.markdown import Row
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.spending import dollars

_SUMMARY_ROOM = 100 << 10  # bytes: what the report leaves of the runner's limit
_STOPPED = 130


def score_with_models(job: Job, skills: Iterable[tuple[str, str]]) -> ModelRunOutcome:
    """Score each skill (reported path, file), write the results, and report which skills are missing and why."""
    rows = _rows(job, tuple(skills))
    spent = sum(_cost(row) for row in rows)
    files = [f"{job.depth}/{number:04d}-{_slug(row.path)}.json" for number, row in enumerate(rows, 1)]
    known = [(row, file) for row, file in zip(rows, files, strict=True) if row.report is not None]
    write(job.output_dir, [(file, score_json.render(row.report)) for row, file in known if row.report is not None])
    if job.inputs.summary:
        job.runner.summary(asked_markdown.render_models(rows, job.depth, dollars(spent), _SUMMARY_ROOM))
    missing = [row for row in rows if not row.complete]
    asked = many(sum(row.report is not None for row in rows), "skill")
    job.runner.log(f"scored {asked} with models at depth {job.depth} for {dollars(spent)}")
    if missing:
        said = f"{len(missing):,} of {many(len(rows), 'skill')} not measured at this depth; first: {missing[0].path}: {missing[0].why}"
        job.runner.say("error", f"depth {job.depth}", said)
    return ModelRunOutcome(
        3 if missing else 0, {"model-scores": _scores_json(job, known), "model-cost": f"{spent:.4f}"}
    )


def _rows(job: Job, skills: Sequence[tuple[str, str]]) -> list[Row]:
    rows: list[Row] = []
    left, over = job.inputs.max_cost, ""
    for path, file in skills:
        if over:
            rows.append(Row(path, None, over))
            continue
        try:
            row, over = _score_skill(job, path, file, left)
        except (MeasurementError, UsageError) as error:  # no call can succeed, for the next skills either
            row, over = Row(path, None, str(error)), "skipped after the failure above"
        rows.append(row)
        left -= _cost(row)
    return rows


def _score_skill(job: Job, path: str, file: str, left: float) -> tuple[Row, str]:
    """The row of one skill, and the reason to skip all others, which is empty if none exists."""
    asking = ModelOptions(max_cost=left, keys=job.step.keys)
    options = scoring.ScoreOptions(
        depth=job.depth, format="json", config_file=job.inputs.config, named=True, asking=asking
    )
    counted = scoring.estimate_path(file, options._replace(asking=asking._replace(estimate=True)))
    if counted is not None:
        # Hundreds of short responses never all reach their maximum length, so use the likely cost; the client enforces the cap.
        most = counted.cost if job.depth == "measured" else counted.at_most
        if most is not None and most > left:
            said = f"skipped: it could cost {dollars(most)}, but only {dollars(left)} of max-cost is left"
            return Row(path, None, said), ""
    report, code = scoring.score_path(file, options)
    why = "; ".join(layer.reason for layer in report.unmeasured) or "some model calls were not made or got no response"
    return Row(path, report, why if code else ""), "the step was interrupted" if code == _STOPPED else ""


def _cost(row: Row) -> float:
    return (row.report.model_usage.cost or 0.0) if row.report and row.report.model_usage else 0.0


def _slug(path: str) -> str:
    name = os.path.basename(path.removesuffix("/SKILL.md"))
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)[:60] or "skill"


def _scores_json(job: Job, rows: Sequence[tuple[Row, str]]) -> str:
    entries, room = [], OUTPUT_LIMIT - 2
    for row, file in rows:
        assert row.report is not None
        composite = row.report.composite
        values = {"path": row.path, "score": composite.score, "label": composite.confidence_label}
        entries.append(json.dumps({**values, "file": os.path.join(job.output_dir, file)}))
        room -= len(entries[-1]) + 2
        if room < 0:
            entries.pop()
            break
    return f"[{', '.join(entries)}]"
