"""What came of a batch, line by line as the service sends it. It is a server's: held to its form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plugin_eval_ci.ask import Failure, Json
from plugin_eval_ci.edges.claude.service import message_of
from plugin_eval_ci.json_values import DamagedError, as_object, as_text

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic


async def results_of(sdk: AsyncAnthropic, name: str) -> dict[str, Json]:
    """By key, what is worth keeping. Raises ``ValueError`` where a line is no result, after all of them: only a connection that was
    read to its end can be given back. Raises what the SDK raises."""
    results: dict[str, Json] = {}
    damaged = False
    async with sdk.messages.batches.with_streaming_response.results(name) as received:
        async for line in received.iter_lines():
            try:
                key, kept = _result(line)
            except (ValueError, RecursionError, DamagedError):
                damaged = True
                continue
            if kept is not None:
                results[key] = kept
    if damaged:
        raise ValueError(name)
    return results


def _result(line: str) -> tuple[str, Json | None]:
    """A message, or an error that another try cannot mend; None for what may be handed in anew."""
    if not line.strip():
        return "", None
    one = as_object(json.loads(line), "a line")
    key, result = as_text(one.get("custom_id"), "custom_id"), as_object(one.get("result"), "result")
    kind, message = result.get("type"), result.get("message")
    if kind == "succeeded":
        return key, None if isinstance(message_of(message), Failure) else {"type": kind, "message": message}
    error = as_object(as_object(result.get("error"), "error").get("error"), "error.error")
    if kind == "errored" and error.get("type") == "invalid_request_error":
        return key, {"type": kind, "said": str(error.get("message", ""))[:200]}
    return key, None
