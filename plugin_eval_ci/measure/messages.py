"""The messages that a skill is for, written by a model: as JSON, or one at a time by a model that cannot write JSON."""

from __future__ import annotations

import re

from plugin_eval_ci.ask import Ask, Block, Failure, Json, Outcome, Reply, Request
from plugin_eval_ci.fitting import closed
from plugin_eval_ci.measure.calls import ask_all, skipped
from plugin_eval_ci.measure.judge import listed_text
from plugin_eval_ci.measure.wording import bounded, filled, version_of, wording
from plugin_eval_ci.model import Skill

_ATTEMPTS = 45  # at one message each, by models that cannot write JSON
_SHORT = 96  # tokens of one message
_MOST_CHARACTERS = 400  # of one message written as a line
_MARK = re.compile(r"\A[\s>*•\-–—]*(?:\(?\d{1,3}[.):]\s*)?[\s*\"“']*|[\s*\"”']*\Z")
PROMPTS = 15


async def prompts_for(skill: Skill, ask: Ask) -> tuple[list[str] | Failure, list[Outcome]]:
    """The messages, or why there are none; and what the calls for them came to."""
    outcome = await ask(writer_request(skill), 0)
    outcomes: list[Outcome] = [outcome]
    if isinstance(outcome, Reply):
        texts = (outcome.data or {}).get("messages")
        listed = [text.strip() for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
        prompts = [text for text in listed if text][:PROMPTS]
        if len(prompts) == PROMPTS:
            return prompts, outcomes
        return Failure("malformed", f"{len(prompts)} messages instead of {PROMPTS}"), outcomes
    if outcome.kind not in ("malformed", "truncated", "bad_request"):
        return outcome, outcomes
    more = await ask_all(ask, ((plain_request(skill), sample) for sample in range(_ATTEMPTS)))
    outcomes += more
    if (failed := next((one for one in more if isinstance(one, Failure) and skipped(one)), None)) is not None:
        return failed, outcomes
    texts = (one.text for one in more if isinstance(one, Reply))
    first = (found[0] for text in texts if (found := messages_in(text)))
    lines = {line.casefold(): line for line in first}
    if len(lines) < PROMPTS:
        why = f"{len(lines)} different messages in {_ATTEMPTS} answers, {PROMPTS} are needed"
        return Failure("malformed", why), outcomes
    return list(lines.values())[:PROMPTS], outcomes


def writer_request(skill: Skill) -> Request:
    """The request for the messages, as JSON."""
    text: Json = {"type": "string", "minLength": 1}
    array: Json = {"type": "array", "items": text, "minItems": PROMPTS, "maxItems": PROMPTS}
    return _writer(skill, "writer", "monte_carlo:prompts")._replace(schema=closed(messages=array))


def plain_request(skill: Skill) -> Request:
    """The request for one message, for a model that cannot write JSON."""
    return _writer(skill, "writer_plain", "monte_carlo:prompts_plain")._replace(max_tokens=_SHORT)


def _writer(skill: Skill, name: str, purpose: str) -> Request:
    about, task = wording("monte_carlo", "writer_system"), wording("monte_carlo", name)
    text = bounded(listed_text(skill))
    return Request(
        purpose,
        "haiku",
        (Block(about), Block(text)),
        (Block(filled(task, prompts=PROMPTS)),),
        2_048,
        effort="low",
        version=version_of(about, task),
    )


def messages_in(text: str) -> list[str]:
    """The messages of an answer in lines, without numbers, bullets and quotation marks. Headings and remarks are none."""
    lines = (_MARK.sub("", line) for line in text.splitlines())
    return [
        line
        for line in lines
        if 10 <= len(line) <= _MOST_CHARACTERS and not line.endswith(":") and line[0] not in "#`<{["
    ]
