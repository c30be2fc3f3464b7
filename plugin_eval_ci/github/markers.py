"""The hidden first line that identifies our comments and issues."""

import re
from typing import Literal

from plugin_eval_ci.errors import UsageError

Where = Literal["comment", "issue"]
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


def marker(where: Where, key: str) -> str:
    """The marker line. ``key`` separates several runs in one repository. Raises ``UsageError`` for a key that is not valid."""
    if not _KEY.fullmatch(key):
        raise UsageError(
            f"key {key[:80]!r} is not valid (expected 1 to 64 letters, digits, dots, hyphens or underscores)"
        )
    return f"<!-- plugin-eval-ci:{where}:{key} -->"


def with_marker(where: Where, key: str, body: str) -> str:
    """The body with its marker as first line. A body that already has it is returned unchanged."""
    line = marker(where, key)
    return body if has_marker(line, body) else f"{line}\n{body}"


def has_marker(line: str, body: str) -> bool:
    """Whether a body starts with the marker, whatever line endings GitHub stored."""
    return body.split("\n", 1)[0].strip() == line
