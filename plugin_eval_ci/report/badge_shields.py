"""A badge as the JSON that shields.io's endpoint badge reads from a public address."""

from __future__ import annotations

import json

from plugin_eval_ci.report.badge import LABEL, LABEL_PAINT, PAINTS, Badge


def render(badge: Badge) -> str:
    """The document, with a final newline. Its message is never empty, which the service would refuse."""
    document: dict[str, object] = {
        "schemaVersion": 1,
        "label": LABEL,
        "message": badge.message,
        "color": PAINTS[badge.tier].ground,
        "labelColor": LABEL_PAINT.ground,
    }
    return json.dumps(document, ensure_ascii=True) + "\n"
