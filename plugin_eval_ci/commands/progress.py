"""How far a long run is, on a terminal and only there: one line that is written over, and taken away at the end."""

import sys
import time

from plugin_eval_ci.rewritten import Rewritten, spoken

_EVERY = 0.2  # seconds
_FIRST = 1.0  # seconds that nobody needs a progress line for


class Line:
    """Call it with how many are done, of how many, and the seconds so far."""

    def __init__(self) -> None:
        self._last = 0.0
        self._shown = Rewritten(sys.stderr)

    def __call__(self, done: int, total: int, seconds: float) -> None:
        """Write the line anew, unless it was written just now."""
        now = time.monotonic()
        if seconds < _FIRST or now - self._last < _EVERY:
            return
        self._last = now
        left = seconds / done * (total - done) if done else 0.0
        self._shown.write(f"scored {done:,} of {total:,}, about {spoken(left)} left")

    def end(self) -> None:
        """Take the line away."""
        self._shown.end()


def line() -> Line | None:
    """A progress line if standard error is a terminal, else None."""
    return Line() if sys.stderr is not None and sys.stderr.isatty() else None
