"""How far the calls are, on standard error: a line that is written over on a terminal, one line a minute elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from plugin_eval_ci.rewritten import Rewritten, spoken
from plugin_eval_ci.spending import Spent, dollars

_EVERY = 0.2  # seconds, on a terminal
_RARELY = 60.0


class Progress:
    """``expected`` calls, as far as is known; ``done`` of them, of which some were recorded and took no time."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._terminal = self._stream.isatty()
        self._start = self._last = clock()
        self._shown = Rewritten(self._stream)
        self.expected = self.done = self.recorded = 0

    def answered(self, recorded: bool, spent: Callable[[], Spent]) -> None:
        """One more; ``spent`` is asked only when a line is written."""
        self.done += 1
        self.recorded += recorded
        now = self._clock()
        if now - self._last < (_EVERY if self._terminal else _RARELY):
            return
        self._last = now
        text = self._text(now, spent())
        if self._terminal:
            self._shown.write(text)
        else:
            self._say(text)

    def say(self, text: str) -> None:
        """A line of its own."""
        self.end()
        self._say(text)

    def end(self) -> None:
        """Take the line away."""
        self._shown.end()

    def _say(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def _text(self, now: float, spent: Spent) -> str:
        total = max(self.expected, self.done)
        paid, left = self.done - self.recorded, total - self.done
        parts = [f"{self.done:,} of {total:,} calls" if self.expected else f"{self.done:,} calls"]
        parts.append(f"cost {dollars(spent.cost)}")
        if paid and left:
            parts.append(f"about {spoken((now - self._start) / paid * left)} left")
        return ", ".join(parts)
