"""What code can say about an answer: it contains this, it is JSON of that shape, its code can be read. Nothing of it is run.

A stranger's regular expression is searched by RE2, so the time grows with the length of the text and no faster. Python's own engine goes
back and tries again, which a pattern such as ``(a+)+b`` turns into years. A time limit would let the speed of a machine decide whether an
answer passes. RE2 refuses what only going back can do: back-references, lookaround, possessive repeats.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.llm.json_schema import problem_of, schema_problem
from plugin_eval_ci.evals.llm.request import Json
from plugin_eval_ci.model import Fence
from plugin_eval_ci.parse import markdown
from plugin_eval_ci.scoring.static.code_templates import LANGUAGES, parses
from plugin_eval_ci.stats.intervals import INSTALL

MOST_CHARACTERS = 20_000  # of a text; what is behind is not searched
_MOST_PATTERN = 2_000  # characters
_MOST_MEMORY = 1 << 20  # bytes of a compiled pattern: the largest takes about half a second on the longest text


class PatternError(ValueError):
    """Why a pattern is not taken, in words."""


class Pattern:
    """A pattern that is searched for. Raises ``PatternError`` for one that is not valid, too large, or refused."""

    def __init__(self, source: str, exact: bool = True) -> None:
        try:
            import re2  # type: ignore[import-untyped]
        except ImportError:
            raise UsageError(f"a check with a regular expression needs RE2: {INSTALL}") from None
        if len(source) > _MOST_PATTERN:
            raise PatternError(f"it has more than {_MOST_PATTERN:,} characters")
        options = re2.Options()
        options.case_sensitive = exact
        options.log_errors = False  # RE2 would write to standard error by itself
        options.max_mem = _MOST_MEMORY
        try:
            self._pattern = re2.compile(source, options)
        except UnicodeEncodeError:
            raise PatternError("it contains half a character (an unpaired surrogate)") from None
        except re2.error as error:
            said = error.args[0] if error.args else ""
            why = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
            raise PatternError(f"RE2 rejects it as a regular expression: {why[:100]}") from None

    def found_in(self, text: str) -> bool:
        """Whether the beginning of ``text``, of ``MOST_CHARACTERS``, holds it anywhere."""
        text = text[:MOST_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        # As in Python, $ also matches before a newline that ends the text.
        return any(self._pattern.search(one) is not None for one in (text, text.removesuffix("\n")))


CheckKind = Literal[
    "contains",  # every text
    "contains_any",
    "not_contains",  # none of the texts
    "regex",
    "not_regex",
    "json",
    "json_schema",
    "max_length",  # characters
    "min_length",
    "code",  # every fenced block of a language that we can read is of that language, and there is one
]
NAMES: Mapping[str, CheckKind] = {
    "contains": "contains", "contains_all": "contains", "includes": "contains", "substring": "contains",
    "contains_any": "contains_any", "includes_any": "contains_any",
    "not_contains": "not_contains", "excludes": "not_contains", "contains_none": "not_contains",
    "regex": "regex", "regex_match": "regex", "matches": "regex", "pattern": "regex",
    "not_regex": "not_regex", "not_match": "not_regex", "regex_not_match": "not_regex", "not_matches": "not_regex",
    "json": "json", "is_json": "json", "json_valid": "json", "valid_json": "json",
    "json_schema": "json_schema", "schema": "json_schema",
    "max_length": "max_length", "min_length": "min_length",
    "code": "code", "code_parses": "code", "parses": "code",
}  # fmt: skip


class Check(NamedTuple):
    """``texts`` of the kinds that look for text, one of the others: the pattern, the language or none. Without regard to case unless
    ``exact``."""

    kind: CheckKind
    texts: tuple[str, ...] = ()
    number: int = 0
    schema: str = ""  # as JSON
    exact: bool = False
    line: int | None = None

    @property
    def words(self) -> str:
        """The check for a person."""
        shown = ", ".join(json.dumps(text, ensure_ascii=False)[:60] for text in self.texts)
        return f"{self.kind} {shown or self.number or ''}".strip()


def problem_with(check: Check) -> str | None:
    """Why a check cannot be made, None when it can."""
    if check.kind in ("regex", "not_regex"):
        try:
            _pattern(check.texts[0], check.exact)
        except PatternError as error:
            return str(error)
    if check.kind == "json_schema":
        return schema_problem(json.loads(check.schema))
    if check.kind == "code" and check.texts and check.texts[0].lower() not in LANGUAGES:
        return f"code of {check.texts[0][:40]!r} cannot be parsed (supported: {', '.join(LANGUAGES)})"
    if check.kind in ("contains", "contains_any", "not_contains") and not all(check.texts):
        return "it searches for an empty text, which every answer contains"
    return None


def passes(check: Check, answer: str) -> bool:
    """Whether an answer passes."""
    if check.kind in ("regex", "not_regex"):
        return _pattern(check.texts[0], check.exact).found_in(answer) == (check.kind == "regex")
    if check.kind in ("contains", "contains_any", "not_contains"):
        held = [_contains(text, answer, check.exact) for text in check.texts]
        return all(held) if check.kind == "contains" else any(held) == (check.kind == "contains_any")
    if check.kind in ("json", "json_schema"):
        schema: Json = json.loads(check.schema) if check.kind == "json_schema" else {}
        return any(problem_of(value, schema) is None for value in _values(answer))
    if check.kind == "code":
        return _code(check.texts[0] if check.texts else "", answer)
    return len(answer) <= check.number if check.kind == "max_length" else len(answer) >= check.number


@cache
def _pattern(source: str, exact: bool) -> Pattern:
    return Pattern(source, exact)


def _contains(text: str, answer: str, exact: bool) -> bool:
    return text in answer if exact else text.casefold() in answer.casefold()


def _values(answer: str) -> list[object]:
    """The JSON of an answer: all of it, or its fenced blocks of JSON."""
    found = []
    for text in (answer, *(fence.content for fence in _fences(answer) if fence.language in ("", "json"))):
        try:
            found.append(json.loads(text))
        except (ValueError, RecursionError):
            continue
    return found


def _code(language: str, answer: str) -> bool:
    """False where a block is broken, and if none exists that could be read."""
    wanted = language.lower()
    found = [
        parses(fence.language, fence.content) for fence in _fences(answer) if not wanted or fence.language == wanted
    ]
    read = [one for one in found if one is not None]
    return all(read) if read else False


def _fences(answer: str) -> tuple[Fence, ...]:
    return markdown.parse(answer, 1).fences
