"""The keys that say which models are asked and what they cost. Nothing of this is used by ``lint``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NoReturn

from plugin_eval_ci.config.node import Node

TIERS = ("haiku", "sonnet", "opus")
Fail = Callable[[int, str], NoReturn]
_MOST = 50
_LONGEST = 200


def models(fail: Fail, key: str, node: Node) -> tuple[tuple[str, str], ...]:
    """Tier -> the name of the model that is asked."""
    found = []
    for name, line, value in _entries(fail, key, node, "tier: model"):
        if name not in TIERS:
            fail(line, f"{key}: there is no tier {name[:60]!r}; known: {', '.join(TIERS)}")
        text = value.text.strip()
        if value.kind != "text" or not text or len(text) > _LONGEST or not text.isprintable():
            fail(line, f"{key}: {name} must be the name of a model")
        found.append((name, text))
    return tuple(found)


def prices(fail: Fail, key: str, node: Node) -> tuple[tuple[str, tuple[float, float]], ...]:
    """Model -> dollars a million tokens, read and written."""
    found = []
    for name, line, value in _entries(fail, key, node, "model: input/output"):
        numbers = [_number(part) for part in value.text.split("/")] if value.kind == "text" else []
        if len(numbers) != 2 or None in numbers:
            fail(line, f"{key}: {name[:60]} must be dollars a million tokens, input/output, such as 0.2/0.8")
        found.append((name, (numbers[0] or 0.0, numbers[1] or 0.0)))
    return tuple(found)


def _entries(fail: Fail, key: str, node: Node, what: str) -> tuple[tuple[str, int, Node], ...]:
    if node.kind != "mapping" or len(node.entries) > _MOST:
        fail(node.line, f"{key} must be a mapping of {what}, at most {_MOST}")
    return tuple((entry.key, entry.line, entry.value) for entry in node.entries)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
