"""Two answers to one task: which is better? Checks by code decide where they differ; else a model compares them blindly, both ways round.

Everything that is compared is a stranger's text within borders that it cannot end. A verdict counts only when what it quotes stands in
the answer that it says it is from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from plugin_eval_ci.evals.llm.json_schema import object_schema
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.evals.llm.prompt_templates import prompt_template, quote_block, version_of
from plugin_eval_ci.evals.llm.request import Block, Failure, Outcome, Request, failure_text
from plugin_eval_ci.evals.trials.lift.checks import Check, passes
from plugin_eval_ci.evals.trials.lift.tasks import Task

GRADERS = ("opus", "sonnet", "haiku")  # the first that is neither author nor subject
UNSUPPORTED = "unsupported"
_LIKELY_VERDICT = 250  # tokens, a guess, for estimates
_VERDICTS = {"first": 1.0, "second": 0.0, "tie": 0.5}
_BORDER = re.compile(r"<(?=[\s/\\]*(?:task|expected|answer[\s_-]*(?:first|second))\b)", re.IGNORECASE)
_LEAST_WORDS, _LEAST_CHARACTERS = 3, 12  # of a quote: what is shorter bears nothing out


class Vote(NamedTuple):
    """One comparison. ``outcome`` of the answer shown first: 1, 0 or ½; None: it does not count, and ``why`` is the kind of failure."""

    outcome: float | None
    why: str = ""
    reason: str = ""
    model: str = ""


class CheckResult(NamedTuple):
    """The checks that an answer passes; those that could not be decided are in neither number."""

    passed: int
    failed: int


def grader_of(subject: str, author: str) -> str:
    """The tier that compares: it has written neither the answers nor the tasks."""
    busy = {table().name_of(one) for one in (subject, author) if one}
    return next(one for one in GRADERS if table().name_of(one) not in busy)


def check_answer(checks: Sequence[Check], answer: str) -> CheckResult:
    """What code says of an answer."""
    found = [passes(check, answer) for check in checks]
    return CheckResult(found.count(True), found.count(False))


def by_checks(first: CheckResult, second: CheckResult) -> float | None:
    """Who passes more; None where both pass as many."""
    if first.passed == second.passed:
        return None
    return 1.0 if first.passed > second.passed else 0.0


def grade_request(task: Task, first: str, second: str, grader: str) -> Request:
    """Compare two answers: the reason, then the evidence, then the verdict."""
    quote = object_schema(answer={"type": "string", "enum": ["first", "second"]}, text={"type": "string"})
    quotes = {"type": "array", "items": quote, "maxItems": 4}
    schema = object_schema(
        reason={"type": "string"}, quotes=quotes, verdict={"type": "string", "enum": list(_VERDICTS)}
    )
    system, question = prompt_template("help", "grader_system"), prompt_template("help", "grader")
    expected = "\n".join((*([task.expected] if task.expected else []), *(f"- {one}" for one in task.expectations)))
    shown = [quote_block("task", _inert(task.text)), *([quote_block("expected", _inert(expected))] if expected else [])]
    shown += [quote_block("answer_first", _inert(first)), quote_block("answer_second", _inert(second)), "", question]
    version = version_of(system, question)
    blocks = (Block(system, cached=True),)
    user = (Block("\n".join(shown)),)
    return Request("help:grade", grader, blocks, user, 1_024, schema, "medium", version, likely=_LIKELY_VERDICT)


def vote_of(outcome: Outcome, first: str, second: str) -> Vote:
    """What a comparison of these two answers came to."""
    if isinstance(outcome, Failure):
        return Vote(None, outcome.kind, failure_text(outcome))
    data = outcome.data or {}
    reason, verdict = str(data.get("reason", "")), data.get("verdict")
    worth = _VERDICTS.get(verdict) if isinstance(verdict, str) else None
    if worth is None:
        return Vote(None, "malformed", reason, outcome.model)
    quotes = data.get("quotes")
    listed = quotes if isinstance(quotes, list) else []
    answers = {"first": first, "second": second}
    borne_out = all(_is_in_answer(one, answers) for one in listed) and (bool(listed) or worth == 0.5)
    return Vote(worth, "", reason, outcome.model) if borne_out else Vote(None, UNSUPPORTED, reason, outcome.model)


def has_quote(answer: str, quote: str) -> bool:
    """Whether an answer holds a quotation word for word, blanks and line ends apart, and whether it is long enough to say anything."""
    words = _plain(quote)
    enough = len(words.split()) >= _LEAST_WORDS or len(words) >= _LEAST_CHARACTERS
    return enough and (words in _plain(answer) or words in _plain(_inert(answer)))


def _is_in_answer(quote: object, answers: dict[str, str]) -> bool:
    if not isinstance(quote, dict):
        return False
    source, text = answers.get(str(quote.get("answer"))), quote.get("text")
    return source is not None and isinstance(text, str) and has_quote(source, text)


def _plain(text: str) -> str:
    return " ".join(word for line in text.splitlines() for word in line.removeprefix("| ").split())


def _inert(text: str) -> str:
    """Without anything that looks like one of the borders."""
    return _BORDER.sub("&lt;", text)
