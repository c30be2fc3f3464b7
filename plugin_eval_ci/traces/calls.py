"""The parts of a recorded message: calls that load a skill, tokens, and values of a stranger's JSON by type."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from plugin_eval_ci.ask import Usage

Json = Mapping[str, object]
TOOLS = frozenset({"skill", "activate_skill", "use_skill", "load_skill", "invoke_skill", "read_skill"})
_MOST_DEPTH = 6
_LONGEST_NAME = 200


def usage_of(usage: Json) -> Usage:
    """Tokens, as the vendors count them."""
    read = number_of(usage.get("cache_read_input_tokens"))
    whole = number_of(usage.get("prompt_tokens"))
    if whole and "input_tokens" not in usage:  # of those, some may have come from a cache
        read = number_of(object_of(usage.get("prompt_tokens_details")).get("cached_tokens"))
        return Usage(max(0, whole - read), number_of(usage.get("completion_tokens")), 0, read)
    written = number_of(usage.get("cache_creation_input_tokens"))
    return Usage(number_of(usage.get("input_tokens")), number_of(usage.get("output_tokens")), written, read)


def calls_in(value: object, depth: int) -> Iterator[tuple[str, str]]:
    """Calls of a tool that loads skills: name of the skill and id of the call. A result is never looked into."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from calls_in(item, depth + 1)
    elif isinstance(value, dict) and value.get("type") not in (
        "text",
        "thinking",
        "tool_result",
        "function_call_output",
    ):
        tool = value.get("name") or value.get("tool")
        if isinstance(tool, str) and tool.rpartition("__")[2].lower() in TOOLS:
            skill = _skill(value)
            if skill:
                yield skill, text_in(value.get("id") or value.get("call_id") or value.get("callID"))
                return
        for key in ("content", "parts", "tool_calls", "function", "item", "toolCall", "part"):
            if key in value:
                yield from calls_in(value[key], depth + 1)


def _skill(call: Json) -> str:
    given: object = next((call[key] for key in ("input", "arguments", "args", "parameters") if key in call), None)
    if given is None:
        given = object_of(call.get("state")).get("input")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return ""
    asked = object_of(given)
    return name_of(next((asked[key] for key in ("skill", "name", "skill_name", "command") if key in asked), ""))


def name_of(value: object) -> str:
    """The name of a skill; empty for what is none."""
    text = text_in(value).strip().removeprefix("/")
    return text if 0 < len(text) <= _LONGEST_NAME else ""


def object_of(value: object) -> Json:
    """An object; empty for anything else."""
    return value if isinstance(value, dict) else {}


def text_in(value: object) -> str:
    """A text, or the texts of blocks; empty for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return "\n".join(text_in(object_of(block).get("text")) for block in value if isinstance(block, dict))
    return ""


def number_of(value: object) -> int:
    """A count; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**12 else 0
