"""Answers for a run that only counts what it would ask: nothing is sent, and nobody is shown what they say."""

from __future__ import annotations

import json

from plugin_eval_ci.ask import Json, Reply, Request, Usage, calls_in
from plugin_eval_ci.fitting import made_up
from plugin_eval_ci.spending import CHARACTERS_A_TOKEN

_LIKELY = 100  # tokens of an answer of which nothing is known


def made_reply(request: Request, model: str, looks_first: bool) -> Reply:
    """The smallest answer that fits. With several tools the first answer calls one if ``looks_first``, and later answers call none:
    where every other conversation looks around first, they take one and a half turns on average. With one tool nothing is called,
    for that tool is the end."""
    made = None if request.schema is None else made_up(request.schema)
    words = round(
        (_LIKELY if request.likely is None else request.likely) * CHARACTERS_A_TOKEN
    )  # a later turn, or a grader, is sent them
    text = "x" * max(1, words if request.tools or request.likely else 1) if made is None else json.dumps(made)
    blocks: tuple[Json, ...] = ()
    if request.tools:
        tool = request.tools[-1]
        blocks = ({"type": "text", "text": text},)
        if len(request.tools) > 1 and not request.turns and looks_first:
            blocks += ({"type": "tool_use", "id": "toolu_none", "name": tool.name, "input": made_up(tool.schema)},)
    data = made if isinstance(made, dict) else None
    return Reply(text, data, Usage(), model, 0.0, recorded=True, calls=calls_in(blocks), blocks=blocks)
