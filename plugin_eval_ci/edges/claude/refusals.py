"""What an error of the SDK means: this call has failed, or no call can succeed. In words for a person, without secrets."""

from __future__ import annotations

import re

from plugin_eval_ci.ask import Failure, StopError
from plugin_eval_ci.edges.claude.options import Options

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MOST = 200  # characters of what a server says
_NO_MONEY = ("credit balance", "spend limit", "spending limit", "usage limits")
NO_MESSAGE = Failure("infra_error", "what came back is no message: is ANTHROPIC_BASE_URL right?")
_CHOOSE = "choose another with `models:` in .plugin-eval.yaml"


def meaning(error: BaseException, options: Options, model: str) -> Failure | StopError:
    """Of an error after all retries. ``model``: whom it was sent to."""
    name, said = type(error).__name__, cleaned(str(error), options)
    status = getattr(error, "status_code", None)
    if isinstance(error, ValueError | RecursionError | AttributeError | TypeError):  # of those who took apart what came
        return NO_MESSAGE
    if not isinstance(status, int):
        if name == "APITimeoutError":
            return Failure("timeout", f"no answer within {options.timeout:g} s, {options.retries + 1} times")
        if is_no_connection(error):
            return StopError(f"no connection to {place(options)}: check the network and ANTHROPIC_BASE_URL")
        return Failure("infra_error", f"the connection failed: {said}" if said else "the connection failed")
    if any(words in said.lower() for words in _NO_MONEY) or "SpendLimit" in name:
        return StopError(f"the account has no credit left, or its limit is reached: {said}")
    if stop := _STOPS.get(status):
        return StopError(f"{stop.format(model=model, place=place(options), choose=_CHOOSE)} ({status}: {said})")
    if status in (408, 409, 425, 429) or status >= 500:
        return Failure("infra_error", f"{_WORDS.get(status, 'error of the service')} ({status}: {said})")
    return Failure("bad_request", f"the service does not take this request ({status}: {said})")


def retired(model: str, day: str = "") -> StopError:
    """A model that is not there any more."""
    return StopError(f"the model {model!r} is retired{f' since {day}' if day else ''}: {_CHOOSE}")


def is_no_connection(error: BaseException) -> bool:
    """Whether nobody could be reached at all: a wrong name or port, rather than a connection that broke."""
    seen: BaseException | None = error
    while seen is not None:
        if type(seen).__name__ in ("ConnectError", "UnsupportedProtocol", "LocalProtocolError", "InvalidURL"):
            return True
        seen = seen.__cause__
    return False


def place(options: Options) -> str:
    """Whom we talk to, without user name and password."""
    return re.sub(r"//[^/@]*@", "//", options.base_url)[:_MOST] or "the Anthropic API"


def cleaned(text: str, options: Options) -> str:
    """A server's words on one line, cut, without our key."""
    for secret in (options.key, options.token):
        if len(secret) > 3:
            text = text.replace(secret, "***")
    line = _CONTROL.sub(" ", text).strip()
    return line if len(line) <= _MOST else f"{line[: _MOST - 1]}…"


_STOPS = {
    401: "the key is not accepted by {place}: check ANTHROPIC_API_KEY",
    402: "{place} wants payment first: check the account's billing",
    403: "the key may not use the model {model!r} at {place}: check the key's rights, or {choose}",
    404: "there is no model {model!r} at {place}: {choose}, or check ANTHROPIC_BASE_URL",
}
_WORDS = {429: "too many requests, to the last retry", 529: "the service is overloaded, to the last retry"}
