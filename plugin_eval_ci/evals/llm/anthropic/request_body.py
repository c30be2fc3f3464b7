"""A request as the service takes it, and what is said to a model that has no structured output."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from plugin_eval_ci.evals.llm.budget import CHARACTERS_A_TOKEN
from plugin_eval_ci.evals.llm.json_schema import for_service
from plugin_eval_ci.evals.llm.models import Model
from plugin_eval_ci.evals.llm.request import Block, Json, Request, Tool, Turn

_THINKING_ROOM = (
    4_096  # tokens more than the answer may have: thinking counts as output and cannot be turned off everywhere
)
_MOST_BREAKPOINTS = 4
_MOST_QUOTED = 4_000  # characters of an answer that did not fit


def room_of(request: Request, model: Model) -> int:
    """The most tokens that may come back."""
    return request.max_tokens + (_THINKING_ROOM if model.thinks else 0)


def body_of(request: Request, model: Model, refused: tuple[str, str] | None = None) -> dict[str, object]:
    """The body of the call. ``refused``: an answer that did not fit, and why; it is asked for anew."""
    user = _blocks(request.user, _MOST_BREAKPOINTS - sum(block.cached for block in request.system))
    if request.schema is not None and not model.structured:
        user = [*user, {"type": "text", "text": _wanted(request.schema)}]
    turns: list[dict[str, object]] = [{"role": "user", "content": user}]
    for turn in request.turns:
        turns += _turn(turn)
    if refused is not None and request.schema is not None:
        said, why = refused
        again = f"That cannot be read: {why}. {_wanted(request.schema)}"
        turns += [
            {"role": "assistant", "content": said.strip()[:_MOST_QUOTED] or "…"},
            {"role": "user", "content": again},
        ]
    body: dict[str, object] = {"model": model.name, "max_tokens": room_of(request, model), "messages": turns}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = {"type": "auto"}  # forcing a tool is refused by several models
    if request.system:
        body["system"] = _blocks(request.system, _MOST_BREAKPOINTS)
    output: dict[str, object] = {}
    if request.schema is not None and model.structured:
        output["format"] = {"type": "json_schema", "schema": for_service(request.schema)}
    if request.effort is not None and model.effort:
        output["effort"] = request.effort
    return body | ({"output_config": output} if output else {})


def prefix_of(request: Request, model: Model) -> tuple[bytes, int] | None:
    """A name for the beginning that other requests may share, and about how many tokens it has; None if none exists, or it is too
    short to be cached."""
    blocks = [*request.system, *request.user]
    last = max((number for number, block in enumerate(blocks) if block.cached), default=None)
    if last is None:
        return None
    tools = [json.dumps(_tool(tool), sort_keys=True) for tool in request.tools]  # read before all else
    text = "\0".join([*tools, *(block.text for block in blocks[: last + 1])])
    long = len(text) / CHARACTERS_A_TOKEN
    if long < model.cache_minimum:
        return None
    whole = f"{model.name}\0{len(tools)}\0{len(request.system)}\0{text}"
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).digest(), round(long)


def _blocks(blocks: Sequence[Block], breakpoints: int) -> list[dict[str, object]]:
    """Text blocks; the last of them that are marked end a part that is cached, as many as the service takes."""
    marked = [number for number, block in enumerate(blocks) if block.cached]
    ends = set(marked[-breakpoints:] if breakpoints > 0 else ())
    said: list[dict[str, object]] = []
    for number, block in enumerate(blocks):
        one: dict[str, object] = {"type": "text", "text": _plain(block.text)}
        said.append(one | ({"cache_control": {"type": "ephemeral"}} if number in ends else {}))
    return said


def _tool(tool: Tool) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _turn(turn: Turn) -> list[dict[str, object]]:
    """What was said, and the results. A block of no text comes now and then, and is refused when it is sent back."""
    said = [_sendable(block) for block in turn.said if block.get("type") != "text" or str(block.get("text")).strip()]
    brought = [{"type": "tool_result", "tool_use_id": name, "content": _plain(text)} for name, text in turn.results]
    return [{"role": "assistant", "content": said}, {"role": "user", "content": brought}]


def _sendable(block: Json) -> object:
    """The block as it is, if it has a UTF-8."""
    said = json.dumps(block, ensure_ascii=False)
    return block if _plain(said) == said else json.loads(_plain(said))


def _wanted(schema: Json) -> str:
    shown = json.dumps(schema, ensure_ascii=False, indent=1)
    return f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{shown}"


def _plain(text: str) -> str:
    """Text that can be sent: half a surrogate pair has no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
