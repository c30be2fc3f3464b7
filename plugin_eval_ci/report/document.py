"""What all JSON outputs share: the head, the rounding, and how the text is written."""

from __future__ import annotations

import json

from plugin_eval_ci import SCHEMA_VERSION, __version__
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.util.json_values import Json as Json


def json_head(version: str = __version__, methodology: str = "") -> Json:
    """The keys that a document begins with."""
    head: Json = {"schema_version": SCHEMA_VERSION, "tool": {"name": "plugin-eval-ci", "version": version}}
    return head | {"methodology": methodology} if methodology else head


def rounded(value: float | None, digits: int = 9) -> float | None:
    """A number as documents show it, or null."""
    return None if value is None else round(round_score(value), digits)


def dump_json(document: Json) -> str:
    """JSON text with a final newline. ASCII only: no character from outside moves a cursor or breaks a decoder."""
    return json.dumps(document, ensure_ascii=True, indent=2) + "\n"
