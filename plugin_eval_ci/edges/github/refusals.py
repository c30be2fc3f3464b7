"""What GitHub's "no" means. Its words are shortened and made plain, and the token is taken out of them."""

from __future__ import annotations

import json
import re

from plugin_eval_ci.edges.github.values import ApiError, LockedError, ReadOnlyError, TooLongError

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


def refused(method: str, path: str, status: int, said: str, reads: bool) -> ApiError:
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
