"""A change as JSON, documented by ``schemas/diff.schema.json``."""

from __future__ import annotations

from plugin_eval_ci.analysis.host_needs import HostNeeds
from plugin_eval_ci.diff import Difference, PluginChange, Row, Side
from plugin_eval_ci.report.document import Json, dump_json, json_head
from plugin_eval_ci.report.lint.json import finding_object
from plugin_eval_ci.report.needs import host_object, listing_object
from plugin_eval_ci.scoring.context_cost import ContextCost
from plugin_eval_ci.util import faults


def render(difference: Difference) -> str:
    """The document, with a final newline."""
    document = {
        **json_head(methodology=difference.methodology),
        "base": difference.base,
        "head": difference.head,
        "total": difference.total,
        "changed": [_row(row) for row in difference.rows],
        "plugins": [_plugin(plugin) for plugin in difference.plugins],
        "new_elsewhere": [finding_object(finding) for finding in difference.elsewhere],
        "fixed_elsewhere": [finding_object(finding) for finding in difference.fixed_elsewhere],
        "notes": list(difference.notes),
        "internal_errors": faults.objects(),
    }
    return dump_json(document)


def _row(row: Row) -> Json:
    return {
        "status": row.status,
        "kind": row.kind,
        "path": row.path,
        "old_path": row.old_path,
        "name": row.name,
        "lines": {"added": row.added, "removed": row.removed},
        "before": _side(row.before),
        "after": _side(row.after),
        "needs": _needs(row.needs),
        "new": [finding_object(finding) for finding in row.new],
        "fixed": [finding_object(finding) for finding in row.fixed],
        "old": row.old,
    }


def _side(side: Side | None) -> Json | None:
    if side is None:
        return None
    return {
        "score": side.score,
        "grade": side.grade,
        "badge": side.badge,
        "context_cost": _cost(side.cost),
        "host": host_object(side.host),
    }


def _plugin(plugin: PluginChange) -> Json:
    before, after = listing_object(plugin.before), listing_object(plugin.after)
    listing = {"before": before, "after": after}
    return {"path": plugin.path, "name": plugin.name, "listing": listing, "needs": _needs(plugin.needs)}


def _needs(needs: tuple[HostNeeds, HostNeeds]) -> Json:
    return {"added": host_object(needs[0]), "removed": host_object(needs[1])}


def _cost(cost: ContextCost | None) -> Json | None:
    return None if cost is None else {"installed": cost.installed, "activated": cost.activated, "bundle": cost.bundle}
