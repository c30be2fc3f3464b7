"""Details of the layers that call a model, in words for every format that people read. Not escaped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import LAYERS
from plugin_eval_ci.scoring.measurement import Measurement
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.scoring.spending import ModelSpend, dollars

if TYPE_CHECKING:
    from plugin_eval_ci.scoring.layer_details import Correction, JudgedDimension, JudgeDetails, RunDetails

_MOST = 300  # characters of a reason that a judge gives


def title_of(layer: str) -> str:
    """The name of a layer at the start of a line."""
    title = LAYERS[layer].title
    return title[0].upper() + title[1:]


def layer_lines(layer: Measurement) -> Iterator[str]:
    """Answers and intervals, then the caveats."""
    details = layer.details
    if details is None:
        return
    if details.judge is not None:
        yield from _judge(details.judge)
    if details.runs is not None:
        yield from _runs(details.runs)
    if details.trials is not None:
        from plugin_eval_ci.report.trials.text import trial_lines

        yield from trial_lines(details.trials)
    for caveat in details.caveats:
        yield f"caveat: {caveat}"


def unmeasured_lines(report: ScoreReport) -> Iterator[str]:
    """Requested layers without a result."""
    for layer in report.unmeasured:
        yield f"{title_of(layer.layer)} layer: {layer.reason}"


def usage_lines(report: ScoreReport) -> Iterator[str]:
    """Tokens and cost by model."""
    usage = report.model_usage
    if usage is None:
        return
    for one in usage.models:
        yield _model(one)
    if len(usage.models) > 1:
        yield f"total: {many(usage.calls, 'call')}, {usage.tokens:,} tokens, {dollars(usage.cost)}"


def _model(one: ModelSpend) -> str:
    recorded = f", {many(one.recorded, 'answer')} from the cassette" if one.recorded else ""
    cost = f", {dollars(one.cost)}" if one.calls else ""
    return (
        f"{one.model}: {many(one.calls, 'call')}, {one.usage.total_input:,} input tokens, "
        f"{one.usage.output_tokens:,} output tokens{cost}{recorded}"
    )


def _judge(judge: JudgeDetails) -> Iterator[str]:
    for one in judge.dimensions:
        if one.score is None:
            yield f"{one.name}: not measured, {one.why}"
        elif judge.judges > 1:
            yield f"{one.name}: {_spread(one)}"
        if one.corrected is not None:
            yield f"{one.name}: {_correction(one.corrected)}"
        if said := next((sample.reason for sample in one.samples if sample.reason), ""):
            yield f"{one.name}: {' '.join(said.split())[:_MOST]}"
        for task in next((sample.tasks for sample in one.samples if sample.tasks), ()):
            yield f"{one.name}, imagined task, {task.score:g}: {' '.join(task.task.split())[:_MOST]}"


def _correction(one: Correction) -> str:
    """Shown next to the panel's score, which it does not change."""
    span = "" if one.low is None or one.high is None else f" (95 %: {one.low:.2f} to {one.high:.2f})"
    return f"corrected with {one.labels} human labels: {one.score:.2f}{span}"


def _spread(one: JudgedDimension) -> str:
    count = sum(sample.score is not None for sample in one.samples)
    if one.low is None or one.high is None or one.deviation is None:
        return f"{count} judge"
    return f"{one.low:.2f} to {one.high:.2f} over {count} judges, standard deviation {one.deviation:.2f}"


def _runs(runs: RunDetails) -> Iterator[str]:
    yield f"{runs.runs} runs of {len(runs.prompts)} prompts, seed {runs.seed}" + (
        f", {', '.join(runs.models)}" if runs.models else ""
    )
    for name, value in (
        ("activation_rate", runs.activation_rate),
        ("output_quality", runs.output_quality),
        ("failure_rate", runs.failure_rate),
    ):
        spans = [
            f"{one.interval.low:.3f} to {one.interval.high:.3f} "
            + ("assuming independent runs" if one.assumes_independence else "clustered by prompt")
            for one in runs.intervals
            if one.of == name
        ]
        said = "not measured" if value is None else f"{value:.3f}"
        yield f"{name} {said}" + (f"; 95 %: {', '.join(spans)}" if spans else "")
    yield f"median tokens per run: {runs.median_tokens:,.0f}"
