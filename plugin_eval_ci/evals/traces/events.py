"""A line of a recorded session to what happened: a list of skills, a prompt, a skill that is called, tokens that are used.

Known are the lines that Claude Code writes (``user``, ``assistant``, ``attachment``, ``system``), and, loosely, what other agents write: a
message with a role, a call of a tool that loads skills, a count of tokens. Anything else is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci.scoring.spending import Usage

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
    """The name of a skill; empty for anything else."""
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


_MOST_NAMES = 2_000
_REMINDER = re.compile(r"<system-reminder>(.*?)(?:</system-reminder>|\Z)", re.DOTALL)
_LISTED = re.compile(r"^- ([\w.:-]{1,200}?)(?=:\s|\s*$)", re.MULTILINE)
_COMMAND = re.compile(r"<command-name>\s*/?([^<\s]{1,200})\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_NOT_TYPED = (
    "<local-command", "<bash-", "<task-notification", "<environment_context", "<user_instructions", "# AGENTS.md", "Caveat:",
    "Base directory for this skill", "[Request interrupted",
)  # fmt: skip
_IDE = re.compile(r"<(ide_\w{1,40}|user-memory-input)>.*?</\1>", re.DOTALL)
_AVAILABLE = re.compile(r"skills are available", re.IGNORECASE)


class SkillList(NamedTuple):
    """The names of skills in a list that the model is shown."""

    names: tuple[str, ...]


class UserPrompt(NamedTuple):
    """What the user typed. ``command``: the name of a slash command, whose arguments are then the text."""

    text: str
    command: str = ""


class SkillCall(NamedTuple):
    """The model calls a skill. ``call`` and ``message``: their ids, empty if none exist."""

    skill: str
    call: str
    message: str


class TokenUse(NamedTuple):
    """Tokens of a message; ``hour``: those of the writes to the cache that hold for an hour."""

    message: str
    model: str
    usage: Usage
    hour: int = 0


Event = SkillList | UserPrompt | SkillCall | TokenUse


def events_of(entry: Json) -> Iterator[Event]:
    """What a line says, in its order."""
    kind = entry.get("type")
    if kind == "attachment" or (kind is None and "attachment" in entry):
        yield from _attachment(object_of(entry.get("attachment")))
        return
    if kind == "system":
        names = _names(entry.get("skills"))
        if names:
            yield SkillList(names)
        return
    message = object_of(entry.get("message")) or object_of(entry.get("payload")) or entry
    role = message.get("role") or kind
    if role == "user":
        yield from _user(entry, message)
    else:
        yield from _assistant(entry, message)


def _attachment(attachment: Json) -> Iterator[Event]:
    if attachment.get("type") == "skill_listing":
        names = _names(attachment.get("names")) or _listed(text_in(attachment.get("content")))
        if names:
            yield SkillList(names)
    elif attachment.get("type") == "queued_command":
        yield from _typed(text_in(attachment.get("prompt")))


def _user(entry: Json, message: Json) -> Iterator[Event]:
    content = message.get("content")
    blocks = [object_of(block) for block in content] if isinstance(content, list) else []
    result = any(block.get("type") in ("tool_result", "function_call_output") for block in blocks)
    text = (
        content
        if isinstance(content, str)
        else "\n".join(text_in(block.get("text")) for block in blocks if block.get("text"))
    )
    for reminder in _REMINDER.finditer(text):
        if _AVAILABLE.search(reminder[1]) and (names := _listed(reminder[1])):
            yield SkillList(names)
    hidden = any(
        entry.get(key) is True for key in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic")
    )
    if not hidden and not result and "toolUseResult" not in entry:
        yield from _typed(_REMINDER.sub("", text))


def _typed(text: str) -> Iterator[Event]:
    if command := _COMMAND.search(text):
        arguments = _ARGUMENTS.search(text)
        yield UserPrompt(arguments[1].strip() if arguments else "", command[1])
        return
    text = _IDE.sub("", text).strip()
    if text and not text.startswith(_NOT_TYPED):
        yield UserPrompt(text)


def _assistant(entry: Json, message: Json) -> Iterator[Event]:
    name = text_in(message.get("id")) or text_in(entry.get("uuid"))
    for skill, call in calls_in(message, 0):
        yield SkillCall(skill, call, name)
    usage = object_of(message.get("usage")) or object_of(entry.get("usage"))
    if usage and (read := usage_of(usage)).total:
        hour = number_of(object_of(usage.get("cache_creation")).get("ephemeral_1h_input_tokens"))
        yield TokenUse(
            name, text_in(message.get("model")) or text_in(entry.get("model")), read, min(hour, read.cache_write_tokens)
        )


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    names = (name_of(object_of(one).get("name") if isinstance(one, dict) else one) for one in value[:_MOST_NAMES])
    return tuple(dict.fromkeys(name for name in names if name))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_LISTED.findall(text)[:_MOST_NAMES]))
