"""A comparison as JSON, documented by ``schemas/compare.schema.json``."""

from __future__ import annotations

from plugin_eval_ci import SCHEMA_VERSION
from plugin_eval_ci.dimensions import rounded
from plugin_eval_ci.report.lint_json import finding_object
from plugin_eval_ci.report.rating_json import paired_object
from plugin_eval_ci.report.score_json import Json, dumped
from plugin_eval_ci.revisions import Comparison, Row
from plugin_eval_ci.score_report import ScoreReport


def render(comparison: Comparison) -> str:
    """The document, with a final newline."""
    return dumped(
        document_of(comparison)
        | (
            {"paired": paired_object(comparison.paired), "unpaired": comparison.unpaired or None}
            if comparison.paired is not None or comparison.unpaired
            else {}
        )
    )


def document_of(comparison: Comparison) -> Json:
    """What every comparison holds."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "plugin-eval-ci", "version": comparison.a.version},
        "methodology": comparison.a.methodology,
        "kind": comparison.a.kind,
        "depth": comparison.a.depth.name,
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "difference": comparison.difference,
        "winner": comparison.winner,
        "dimensions": [_row(row) for row in comparison.rows],
        "only_a": [finding_object(finding) for finding in comparison.only_a],
        "only_b": [finding_object(finding) for finding in comparison.only_b],
        "other_only_a": [finding_object(finding) for finding in comparison.other_a],
        "other_only_b": [finding_object(finding) for finding in comparison.other_b],
    }


def _side(report: ScoreReport) -> Json:
    composite = report.composite
    return {
        "path": report.path,
        "name": report.name,
        "score": composite.score,
        "badge": composite.badge,
        "confidence_label": composite.confidence_label,
        "anti_pattern_penalty": rounded(composite.anti_pattern_penalty),
    }


def _row(row: Row) -> Json:
    return {
        "name": row.name,
        "weight": row.weight,
        "a": row.a,
        "b": row.b,
        "difference": row.difference,
        "winner": row.winner,
    }
