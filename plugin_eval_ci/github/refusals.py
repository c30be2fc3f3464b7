"""Classifies GitHub's error responses. Their text is shortened and escaped, and the token is removed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from plugin_eval_ci.github.values import ApiError, LockedError, ReadOnlyError, TooLongError

ATTEMPTS = 5
_SECONDARY = 60.0  # GitHub's documented wait if it does not give a number
_LIMITS = ("secondary rate limit", "abuse detection", "rate limit exceeded")


def is_limited(status: int, headers: Mapping[str, str], message: str) -> bool:
    """Whether a response is a rate limit and not a refusal."""
    if status == 429:
        return True
    if status != 403:
        return False
    said = message.lower()
    return "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or any(w in said for w in _LIMITS)


def wait_for(status: int, headers: Mapping[str, str], attempt: int) -> float:
    """Seconds to wait before the next attempt (counted from 1): what GitHub requests, else doubled each time."""
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
    """Seconds to wait if GitHub does not specify a time: 1, 2, 4, 8."""
    return float(2 ** (attempt - 1))


def _seconds(text: str) -> float | None:
    """The seconds of a Retry-After header, which contains seconds or a date."""
    if text.isdecimal() and len(text) < 9:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


_MOST = 200  # characters of GitHub's message
_NOT_PLAIN = re.compile(r"[^\x20-\x7e]+")
_CLOSED = ("is locked", "was archived", "is archived")


def message_of(body: bytes, token: str) -> str:
    """GitHub's message about an error, with the messages of its details. Empty if none exists."""
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
    """The error for a response with status 300 or above that must not be retried."""
    what = f"{method} {path.split('?')[0]}"
    if status == 401:
        return ApiError("GitHub rejected the token (401); check that it is valid and has not expired", status)
    if status == 422 and "too long" in said:
        return TooLongError(f"the text is too long for GitHub (422, {what})", status)
    if status in (403, 410, 404, 422) and any(word in said for word in _CLOSED):
        return LockedError(
            f"the conversation is locked or the repository is archived ({status}, {what}): {said}", status
        )
    if (status in (403, 404) and not reads) or (status == 403 and "not accessible" in said):
        return ReadOnlyError(f"the token does not have permission for this ({status}, {what}): {said}", status)
    return ApiError(f"GitHub rejected {what} ({status}): {said}", status)
