"""Regular expressions of strangers on texts of models, searched by RE2: the time grows with the length of the text and no faster.

Python's own engine goes back and tries again, which a pattern such as ``(a+)+b`` turns into years. A time limit would let the speed of a
machine decide whether an answer passes. RE2 refuses what only going back can do: back-references, lookaround, possessive repeats.
"""

from __future__ import annotations

from plugin_eval_ci.errors import UsageError
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
