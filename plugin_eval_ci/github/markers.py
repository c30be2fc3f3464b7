"""The first line by which a comment or an issue of ours is found again. GitHub does not show it."""

import re
from typing import Literal

from plugin_eval_ci.errors import UsageError

Where = Literal["comment", "issue"]
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


def marker(where: Where, key: str) -> str:
    """The line. ``key`` tells several runs in one repository apart; raises ``UsageError`` for one that could end the comment."""
    if not _KEY.fullmatch(key):
        raise UsageError(f"the key {key[:80]!r} must be 1 to 64 letters, digits, dots, hyphens or underscores")
    return f"<!-- plugin-eval-ci:{where}:{key} -->"


def with_marker(where: Where, key: str, body: str) -> str:
    """The body with its marker as first line; one that has it already is left alone."""
    line = marker(where, key)
    return body if has_marker(line, body) else f"{line}\n{body}"


def has_marker(line: str, body: str) -> bool:
    """Whether a body begins with that line; GitHub may have put its own line ends in."""
    return body.split("\n", 1)[0].strip() == line
