"""A gate as JSON, documented by ``schemas/gate.schema.json``. Its head can be the base of a later gate (``--base-result``)."""

from __future__ import annotations

from plugin_eval_ci.evals.trials.gate import GateResult, GateRow, PromptRights
from plugin_eval_ci.evals.trials.gate.decision import Decision
from plugin_eval_ci.report.document import Json, dump_json, json_head, rounded
from plugin_eval_ci.report.gate import text as words
from plugin_eval_ci.report.score.layers_json import usage_object

_DIGITS = 6


def render(gated: GateResult) -> str:
    """The document, with a final newline."""
    document = {
        **json_head(),
        "base": gated.base,
        "head": gated.head,
        "verdict": verdict_of(gated),
        "said": words.headline(gated),
        "margin": gated.margin,
        "floor": gated.floor,
        "method": {"digest": gated.method.digest, "parts": dict(gated.method.parts)},
        "fields": [{**field._asdict(), "gone": list(field.gone)} for field in gated.fields],
        "skills": [_row(row) for row in gated.rows],
        "trials": {"planned": gated.planned, "made": gated.made},
        "self_test": None if gated.self_test is None else gated.self_test._asdict(),
        "model_usage": usage_object(gated.spent),
        "notes": list(words.gate_notes(gated)),
    }
    return dump_json(document)


def verdict_of(gated: GateResult) -> str:
    """One word for all of it."""
    if gated.interrupted:
        return "interrupted"
    if gated.regressions:
        return "regression"
    if gated.unmeasured:
        return "unmeasured"
    return "inconclusive" if gated.undecided else "fine"


def _row(row: GateRow) -> Json:
    return {
        "skill": row.skill,
        "path": row.path,
        "change": row.change,
        "verdict": words.verdict_of(row),
        "base": rounded(row.base, _DIGITS),
        "head": rounded(row.head, _DIGITS),
        "decision": None if row.decision is None else _decision(row.decision),
        "why": row.why,
        "above_floor": row.above,
        "stopped_early": row.stopped,
        "prompts": [_prompt(one) for one in row.prompts],
    }


def _decision(one: Decision) -> Json:
    numbers = ("difference", "low", "high", "p", "detectable")
    return {**one._asdict(), **{name: rounded(getattr(one, name), _DIGITS) for name in numbers}}


def _prompt(one: PromptRights) -> Json:
    return {
        "id": one.id,
        "cluster": one.cluster,
        "base": [int(right) for right in one.base],
        "head": [int(right) for right in one.head],
        "unusable": {"base": one.lost[0], "head": one.lost[1]},
    }
