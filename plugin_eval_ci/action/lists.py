"""Lists as outputs."""

from __future__ import annotations

import json
from collections.abc import Iterable

from plugin_eval_ci.action.runner import OUTPUT_LIMIT


def as_list(paths: Iterable[str]) -> str:
    """Reported paths of skills and agents as a JSON array of whole entries, cut where an output would become too long."""
    entries, room = [], OUTPUT_LIMIT - 2
    for path in paths:
        entry = json.dumps(path.removesuffix("/SKILL.md"))
        room -= len(entry) + 2
        if room < 0:
            break
        entries.append(entry)
    return f"[{', '.join(entries)}]"
