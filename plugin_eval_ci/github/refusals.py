"""What GitHub's "no" means. Its words are shortened and made plain, and the token is taken out of them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from plugin_eval_ci.github.values import ApiError, LockedError, ReadOnlyError, TooLongError

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


_MOST = 200  # characters of GitHub's own words
_NOT_PLAIN = re.compile(r"[^\x20-\x7e]+")
_CLOSED = ("is locked", "was archived", "is archived")


def message_of(body: bytes, token: str) -> str:
    """GitHub's words about a refusal: its message and those of its single errors; empty for none."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(answer, dict):
        return ""
    errors = answer.get("errors")
    found = [answer, *(errors if isinstance(errors, list) else [])][:5]
    said = [one.get("message") if isinstance(one, dict) else one for one in found]
    text = _NOT_PLAIN.sub(" ", "; ".join(one for one in said if isinstance(one, str)))
    return (text.replace(token, "***") if token else text)[:_MOST]


def refusal_error(method: str, path: str, status: int, said: str, reads: bool) -> ApiError:
    """The error for an answer of 300 and above that is not to be repeated."""
    what = f"{method} {path.split('?')[0]}"
    if status == 401:
        return ApiError("GitHub does not accept the token (401)", status)
    if status == 422 and "too long" in said:
        return TooLongError(f"GitHub finds the text too long (422, {what})", status)
    if status in (403, 410, 404, 422) and any(word in said for word in _CLOSED):
        return LockedError(f"GitHub takes nothing more here ({status}, {what}): {said}", status)
    if (status in (403, 404) and not reads) or (status == 403 and "not accessible" in said):
        return ReadOnlyError(f"the token may not do this ({status}, {what}): {said}", status)
    return ApiError(f"GitHub refuses {what} ({status}): {said}", status)
