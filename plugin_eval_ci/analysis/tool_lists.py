"""What is wrong with the tools that a skill or an agent lists."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.claude_tools import NAMES
from plugin_eval_ci.analysis.wording import closest_name, quote
from plugin_eval_ci.model import Document, Hit, Skill
from plugin_eval_ci.util.lazy import Lazy

_LOWER = {name.lower(): name for name in NAMES}
_TOOL = Lazy(r"[^\s,(]+(?:\([^()]*\))?|\([^()]*\)")


def tools_of(document: Document, key: str) -> dict[str, int]:
    """The tools under a key, each with its line: a text of words between blanks or commas, or a list."""
    field = document.header.field(key)
    found: dict[str, int] = {}
    for value in (field.value.items or (field.value,)) if field is not None else ():
        for name in _TOOL().findall(value.text) if value.kind == "text" else ():
            found.setdefault(name, value.line)
    return found


def tool_list_hits(document: Document) -> Iterator[Hit]:
    """Each tool that is allowed and denied at once, and each name with a typing error."""
    keys = ("allowed-tools", "disallowed-tools") if isinstance(document, Skill) else ("tools", "disallowedTools")
    allowed, denied = (tools_of(document, key) for key in keys)
    for name, line in denied.items():
        if name in allowed:
            message = f"{quote(name)} is in both {keys[0]} and {keys[1]}, which takes it away again"
            yield Hit(line, message, "Remove it from one of the two.", keys[1])
    for key, names in zip(keys, (allowed, denied), strict=True):
        for name, line in names.items():
            meant = _meant(name.partition("(")[0])
            if meant:
                message = f"{key} names {quote(name)}, which is not a tool that Claude Code knows"
                yield Hit(line, message, f"Did you mean {quote(meant)}?", key)


def _meant(word: str) -> str:
    """The tool that a name was meant to be; empty for a known name and for one that may be another client's."""
    if word in NAMES or not word.isalpha() or not word[0].isupper():
        return ""
    lower = word.lower()
    swapped = next((name for name in sorted(_LOWER) if sorted(name) == sorted(lower)), "")
    close = lower if lower in _LOWER else swapped or closest_name(word, _LOWER)
    return _LOWER.get(close, "")
