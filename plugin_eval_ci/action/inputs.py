"""Reads the inputs of ``action.yml`` from its ``env:``. An error message names the input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError, not_valid

MODES = ("auto", "lint", "score", "comment")
SCOPES = ("auto", "changed", "all")
ANSWERS = ("auto", "true", "false")
LEVELS = ("error", "warning", "notice", "never")
COMMENTS = ("off", "auto", "always")
DEPTHS = ("quick", "standard", "deep", "thorough", "measured")
ISSUES = ("off", "regressions", "always")
_MOST_DOLLARS = 10_000


class Inputs(NamedTuple):
    """The inputs of the workflow. None means that the configuration or the default decides."""

    mode: str
    paths: tuple[str, ...]
    scope: str
    base: str | None
    only_new: bool | None
    config: str | None
    baseline: str | None
    fail_on: str | None
    threshold: float | None
    fail_on_regression: float | None
    previous: str | None
    artifact_name: str | None
    annotations: bool
    summary: bool
    comment: str
    comment_key: str
    issue: str
    output_dir: str | None
    depth: str
    max_cost: float  # dollars, for the whole step
    gate: bool
    gate_margin: float  # points


def read_inputs(environ: Mapping[str, str]) -> Inputs:
    """Read all inputs. Raises ``UsageError`` for the first value that is not valid."""
    given = _InputReader(environ)
    only_new = given.choice("only-new", ANSWERS, "auto")
    return Inputs(
        given.choice("mode", MODES, "auto"),
        given.lines("paths") or (".",),
        given.choice("scope", SCOPES, "auto"),
        given.text("base"),
        None if only_new == "auto" else only_new == "true",
        given.text("config"),
        given.text("baseline"),
        given.choice("fail-on", LEVELS, "") or None,
        given.number("threshold"),
        given.number("fail-on-regression"),
        given.text("previous"),
        given.text("artifact-name"),
        given.choice("annotations", ANSWERS[1:], "true") == "true",
        given.choice("summary", ANSWERS[1:], "true") == "true",
        given.choice("comment", COMMENTS, "off"),
        given.key("comment-key"),
        given.choice("issue", ISSUES, "off"),
        given.text("output-dir"),
        given.choice("depth", DEPTHS, "quick"),
        given.dollars("max-cost", 1.0),
        given.choice("gate", ANSWERS[1:], "false") == "true",
        given.points("gate-margin", 5.0),
    )


_OF_MODES = {
    "lint": ("scope", "base", "only-new", "baseline", "fail-on"),
    "score": ("threshold", "fail-on-regression", "previous", "issue"),
}


def idle_inputs(environ: Mapping[str, str], inputs: Inputs, mode: str, pull: bool) -> tuple[str, ...]:
    """Names of the inputs that are set but have no effect in ``mode``. ``pull`` is True if the event is about a pull request."""
    given = _InputReader(environ)
    idle = [name for of, names in _OF_MODES.items() if of != mode for name in names if _is_set(given, name)]
    if inputs.gate and not (mode == "lint" and pull):
        idle.append("gate")
    if inputs.comment != "off" and not (mode == "comment" or (mode == "lint" and pull)):
        idle.append("comment")
    return tuple(idle)


def _is_set(given: _InputReader, name: str) -> bool:
    return given.text(name) not in (None, "auto", "off")


class _InputReader:
    """Reads one input at a time. GitHub does not distinguish unset from empty, so both mean the default."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ

    def text(self, name: str) -> str | None:
        """One line of text, or None if empty."""
        value = self.environ.get(f"PEC_{name.upper().replace('-', '_')}", "").strip()
        if "\0" in value or "\n" in value or "\r" in value:
            raise UsageError(f"input {name}: has more than one line (expected one line)")
        return value or None

    def lines(self, name: str) -> tuple[str, ...]:
        """The lines of the input. A path may contain spaces and commas."""
        words = self.environ.get(f"PEC_{name.upper().replace('-', '_')}", "").splitlines()
        return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))

    def choice(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        """One of the values in ``allowed``."""
        value = self.text(name) or default
        if value not in allowed and value != default:
            raise UsageError(not_valid(f"input {name}", value, f"{', '.join(allowed[:-1])} or {allowed[-1]}"))
        return value

    def number(self, name: str) -> float | None:
        """A number from 0 to 100."""
        value = self.text(name)
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = -1
        if not 0 <= number <= 100:
            raise UsageError(not_valid(f"input {name}", value, "a number from 0 to 100"))
        return number

    def points(self, name: str, default: float) -> float:
        """A number of points between 0 and 100, both excluded."""
        number = self.number(name)
        if number is not None and not 0 < number < 100:
            raise UsageError(not_valid(f"input {name}", f"{number:g}", "a number above 0 and below 100"))
        return default if number is None else number

    def dollars(self, name: str, default: float) -> float:
        """An amount in dollars, above 0."""
        value = self.text(name)
        if value is None:
            return default
        try:
            number = float(value)
        except ValueError:
            number = -1
        if not 0 < number <= _MOST_DOLLARS:
            raise UsageError(not_valid(f"input {name}", value, f"dollars above 0, at most {_MOST_DOLLARS:,}"))
        return number

    def key(self, name: str) -> str:
        """A short name that is safe in an HTML comment and in a file name."""
        value = self.text(name) or "default"
        if (
            len(value) > 60
            or not all(sign.isascii() and (sign.isalnum() or sign in "._-") for sign in value)
            or "--" in value
        ):
            raise UsageError(not_valid(f"input {name}", value, "at most 60 letters, digits, '.', '_' and single '-'"))
        return value
