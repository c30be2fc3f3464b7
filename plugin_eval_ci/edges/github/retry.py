"""When to ask again, and what a refusal means. GitHub limits with 429, and with 403 that looks like a missing right."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

ATTEMPTS = 5
_SECONDARY = 60.0  # what GitHub asks for where it says no number
_LIMITS = ("secondary rate limit", "abuse detection", "rate limit exceeded")


def is_limited(status: int, headers: Mapping[str, str], message: str) -> bool:
    """Whether an answer means "later", not "no"."""
    if status == 429:
        return True
    if status != 403:
        return False
    said = message.lower()
    return "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or any(w in said for w in _LIMITS)


def wait_for(status: int, headers: Mapping[str, str], attempt: int) -> float:
    """Seconds to wait before the next attempt (counted from 1), as GitHub asks for or twice as long each time."""
    asked = _seconds(headers.get("retry-after", ""))
    if asked is not None:
        return asked
    if headers.get("x-ratelimit-remaining") == "0":
        reset = headers.get("x-ratelimit-reset", "")
        if reset.isdecimal() and len(reset) < 12:
            return max(0.0, int(reset) - time.time()) + 1
    if status in (403, 429):
        return _SECONDARY
    return backoff(attempt)


def backoff(attempt: int) -> float:
    """Seconds where nobody says how long: 1, 2, 4, 8."""
    return float(2 ** (attempt - 1))


def _seconds(text: str) -> float | None:
    """What a Retry-After header says: seconds, or a date."""
    if text.isdecimal() and len(text) < 9:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
