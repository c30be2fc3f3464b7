"""Details and model usage of the layers that call a model, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plugin_eval_ci.report.document import Json, rounded
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.scoring.measurement import Unmeasured
from plugin_eval_ci.scoring.spending import ModelSpend, Spending

if TYPE_CHECKING:
    from plugin_eval_ci.scoring.layer_details import (
        Correction,
        Details,
        JudgedDimension,
        JudgeDetails,
        RunDetails,
        Sample,
    )


def details_object(details: Details) -> Json:
    """Of one layer."""
    document: Json = {
        "caveats": list(details.caveats),
        "complete": details.complete,
        "outcomes": dict(details.outcomes),
    }
    if details.judge is not None:
        document["judge"] = _judge(details.judge)
    if details.runs is not None:
        document["monte_carlo"] = _runs(details.runs)
    if details.trials is not None:
        from plugin_eval_ci.report.trials.json import trials_object

        document["trials"] = trials_object(details.trials)
    return document


def unmeasured_object(layer: Unmeasured) -> Json:
    """A requested layer without a result."""
    document: Json = {"layer": layer.layer, "reason": layer.reason}
    if layer.details is not None:
        document["details"] = details_object(layer.details)
    return document


def usage_object(usage: Spending | None) -> Json | None:
    """Tokens and cost by model."""
    if usage is None:
        return None
    return {
        "calls": usage.calls,
        "recorded": usage.recorded,
        "input_tokens": sum(one.usage.total_input for one in usage.models),
        "output_tokens": sum(one.usage.output_tokens for one in usage.models),
        "cost_usd": rounded(usage.cost),
        "models": [_model(one) for one in usage.models],
    }


def _model(one: ModelSpend) -> Json:
    return (
        {"model": one.model, "calls": one.calls, "recorded": one.recorded}
        | one.usage._asdict()
        | {"cost_usd": rounded(one.cost)}
    )


def _judge(judge: JudgeDetails) -> Json:
    document: Json = {
        "source": judge.source,
        "rubrics": judge.rubrics,
        "judges": judge.judges,
        "dimensions": [_dimension(one, bool(judge.panel)) for one in judge.dimensions],
    }
    return document | ({"panel": list(judge.panel)} if judge.panel else {})


def _dimension(one: JudgedDimension, panel: bool) -> Json:
    document: Json = {
        "name": one.name,
        "score": rounded(one.score),
        "reason": one.why or None,
        "low": rounded(one.low),
        "high": rounded(one.high),
        "deviation": rounded(one.deviation),
        "samples": [_sample(sample) for sample in one.samples],
    }
    if panel:
        models = [{"model": row.model, "asked": row.asked, "scores": list(row.scores)} for row in one.models]
        document |= {"models": models, "majority": rounded(one.majority), "corrected": _corrected(one.corrected)}
    return document


def _corrected(one: Correction | None) -> Json | None:
    if one is None:
        return None
    ends = {"low": rounded(one.low), "high": rounded(one.high)}
    return {"score": round_score(one.score)} | ends | {"labels": one.labels, "method": one.method}


def _sample(sample: Sample) -> Json:
    document: Json = {"model": sample.model, "score": rounded(sample.score)}
    if sample.asked:
        document["asked"] = sample.asked
    if sample.score is None:
        return document | {"unmeasured": sample.why}
    if sample.predictions:
        predictions = [prediction._asdict() for prediction in sample.predictions]
        return document | {"predictions": predictions, "f1": rounded(sample.f1)}
    if sample.tasks:
        return document | {"tasks": [task._asdict() for task in sample.tasks]}
    return document | {
        "reason": sample.reason,
        "quotes": list(sample.quotes),
        "quotes_not_found": list(sample.not_found),
    }


def _runs(runs: RunDetails) -> Json:
    return {
        "wanted": runs.wanted,
        "runs": runs.runs,
        "seed": runs.seed,
        "activation_rate": round_score(runs.activation_rate),
        "output_quality": rounded(runs.output_quality),
        "quality_cv": rounded(runs.quality_cv),
        "failure_rate": round_score(runs.failure_rate),
        "median_tokens": round_score(runs.median_tokens),
        "token_efficiency": round_score(runs.token_efficiency),
        "intervals": [
            {
                "of": one.of,
                "method": one.interval.method,
                "low": round_score(one.interval.low),
                "high": round_score(one.interval.high),
                "n": one.interval.n,
                "n_eff": round_score(one.interval.n_eff),
                "assumes_independence": one.assumes_independence,
            }
            for one in runs.intervals
        ],
        "prompts": [one._asdict() | {"quality": rounded(one.quality)} for one in runs.prompts],
        "models": list(runs.models),
    }
