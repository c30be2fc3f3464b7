"""Internal errors. One costs a single answer, never the run: it is noted here, and every other finding is still printed.

The exit code is then 4. Faults are kept for the process, because one run may check the same files several times (before and after
a change, for findings and for scores). ``parallel`` adds those of other processes. Each run begins with ``forget``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, TypeVar

RULE = "INTERNAL_ERROR"  # the rule of a fault in formats that have only findings
ADVICE = "This is a bug in plugin-eval; please report it."
_LONGEST = 200  # characters of an exception's text: it may hold a whole file
_MOST = 20  # faults printed as text

Step = Literal["lint", "read", "score", "fix"]
_WORDS: dict[Step, str] = {"lint": "checking", "read": "reading", "score": "scoring", "fix": "fixing"}
Answer = TypeVar("Answer")


class Fault(NamedTuple):
    """What failed, and on which file. ``path`` is "." for a step that needs all files together."""

    path: str
    rule: str  # empty for what is not a rule
    step: Step
    exception: str  # its type
    message: str  # one line, which may hold words of the file

    @property
    def said(self) -> str:
        """``rule X failed on FILE (ValueError: words)``."""
        what = f"rule {self.rule}" if self.rule else _WORDS[self.step]
        where = "the files of this run" if self.path == "." else self.path
        return f"{what} failed on {where} ({self.exception}{': ' if self.message else ''}{self.message})"


_noted: set[Fault] = set()


def note(error: Exception, step: Step, path: str, rule: str = "") -> Fault:
    """Keep a fault. With PLUGIN_EVAL_DEBUG the error is raised instead, so that a developer sees where it comes from."""
    if os.environ.get("PLUGIN_EVAL_DEBUG"):
        raise error
    fault = Fault(path, rule, step, type(error).__name__, _one_line(error))
    _noted.add(fault)
    return fault


def kept(answer: Callable[[], Answer], default: Answer, step: Step, path: str) -> Answer:
    """What ``answer`` returns; ``default`` when it fails, which is noted."""
    try:
        return answer()
    except Exception as error:
        note(error, step, path)
        return default


def noted() -> tuple[Fault, ...]:
    """All faults of this process since ``forget``, in the order of their files."""
    return tuple(sorted(_noted))


def noted_at(path: str) -> tuple[Fault, ...]:
    """The faults on one file."""
    return tuple(fault for fault in noted() if fault.path == path) if _noted else ()


def add(faults: Iterable[Fault]) -> None:
    """Keep the faults that another process noted."""
    _noted.update(faults)


def forget() -> None:
    """Start without faults."""
    _noted.clear()


def lines() -> list[str]:
    """One sentence for each fault, at most 20; not escaped."""
    faults = noted()
    said = [f"internal error: {fault.said}. {ADVICE}" for fault in faults[:_MOST]]
    return [*said, *([f"internal error: {len(faults) - _MOST:,} more of this kind"] if len(faults) > _MOST else [])]


def objects() -> list[dict[str, object]]:
    """The faults as every JSON output shows them."""
    return [
        {
            "rule": fault.rule or None,
            "step": fault.step,
            "path": fault.path,
            "exception": fault.exception,
            "message": fault.message,
        }
        for fault in noted()
    ]


def _one_line(error: Exception) -> str:
    try:
        return " ".join(str(error).split())[:_LONGEST]
    except Exception:  # its own text may be what fails
        return ""
