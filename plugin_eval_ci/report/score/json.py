"""A score as JSON, documented by ``schemas/score.schema.json``."""

from __future__ import annotations

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.document import Json, dump_json, json_head, rounded
from plugin_eval_ci.report.lint.json import finding_object
from plugin_eval_ci.report.needs import host_object, listing_object
from plugin_eval_ci.report.rating import rating_object
from plugin_eval_ci.report.score.layers_json import details_object, unmeasured_object, usage_object
from plugin_eval_ci.scoring.composite import Composite
from plugin_eval_ci.scoring.context_cost import ContextCost
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.scoring.measurement import Measurement
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.util import faults


def render(report: ScoreReport) -> str:
    """The document, with a final newline."""
    return dump_json(score_object(report))


def score_object(report: ScoreReport) -> Json:
    """The document as plain values, keys in their fixed order."""
    document: Json = {
        **json_head(report.version, report.methodology),
        "kind": report.kind,
        "path": report.path,
        "name": report.name,
        "depth": report.depth.name,
        "layers": [_layer(layer, report.anti_patterns) for layer in report.layers],
        "composite": _composite(report.composite),
        "elo": report.elo,
        "context_cost": _cost(report.context_cost),
        "host": host_object(report.host),
        "model_usage": usage_object(report.model_usage),
        "findings": [finding_object(finding) for finding in report.findings],
        "notes": list(report.notes),
        "unmeasured": [unmeasured_object(layer) for layer in report.unmeasured],
        "internal_errors": faults.objects(),
    }
    if report.rating is not None or report.unrated:
        document["rating"] = rating_object(report.rating)
        document["unrated"] = report.unrated or None
    if report.confusion is not None:
        from plugin_eval_ci.report.trials.json import confusion_object

        document["confusion"] = confusion_object(report.confusion)
    if report.kind == "plugin":
        document["members"] = [_member(member) for member in report.members]
    return document


def _layer(layer: Measurement, counted: tuple[Finding, ...]) -> Json:
    document: Json = {
        "layer": layer.layer,
        "score": round_score(layer.score),
        "sub_scores": {score.name: round_score(score.score) for score in layer.sub_scores},
        "anti_patterns": [_anti_pattern(finding) for finding in counted] if layer.layer == "static" else [],
    }
    return document if layer.details is None else document | {"details": details_object(layer.details)}


def _anti_pattern(finding: Finding) -> Json:
    return {"flag": finding.rule, "description": finding.message, "severity": round_score(finding.weight or 0.0)}


def _composite(composite: Composite) -> Json:
    document: Json = {
        "score": rounded(composite.score),
        "ci_lower": rounded(composite.ci_lower),
        "ci_upper": rounded(composite.ci_upper),
        "badge": composite.badge,
        "confidence_label": composite.confidence_label,
        "anti_pattern_penalty": round_score(composite.anti_pattern_penalty),
        "dimensions": [
            {
                "name": row.name,
                "weight": row.weight,
                "score": rounded(row.score),
                "grade": row.grade,
                "weighted_score": rounded(row.weighted_score),
                "reason": row.reason,
            }
            for row in composite.dimensions
        ],
    }
    return document if composite.badge_lower is None else document | {"badge_lower": composite.badge_lower}


def _cost(cost: ContextCost | None) -> Json | None:
    if cost is None:
        return None
    return {
        "installed": cost.installed,
        "activated": cost.activated,
        "bundle": cost.bundle,
        "files": cost.files,
        "complete": cost.complete,
        "estimate": True,
        "listing": listing_object(cost.listing),
    }


def _member(member: ScoreReport) -> Json:
    document: Json = {
        "path": member.path,
        "kind": member.kind,
        "name": member.name,
        "score": rounded(member.composite.score),
        "flags": [finding.rule for finding in member.anti_patterns],
    }
    if (
        len(member.layers) > 1 or member.unmeasured
    ):  # a plugin's members have more than the static layer at depth measured only
        document["depth"] = member.depth.name
        document["composite"] = _composite(member.composite)
        document["layers"] = [_layer(layer, member.anti_patterns) for layer in member.layers]
        document["unmeasured"] = [unmeasured_object(layer) for layer in member.unmeasured]
        document["notes"] = list(member.notes)
    return document
