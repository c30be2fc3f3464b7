"""How far a long run is, on a terminal and only there: one line that is written over, and taken away at the end."""

import sys
import time

_EVERY = 0.2  # seconds
_FIRST = 1.0  # seconds that nobody needs a progress line for


class Line:
    """Call it with how many are done, of how many, and the seconds so far."""

    def __init__(self) -> None:
        self._last = 0.0
        self._width = 0

    def __call__(self, done: int, total: int, seconds: float) -> None:
        """Write the line anew, unless it was written just now."""
        now = time.monotonic()
        if seconds < _FIRST or now - self._last < _EVERY:
            return
        self._last = now
        left = seconds / done * (total - done) if done else 0.0
        text = f"scored {done:,} of {total:,}, about {_spoken(left)} left"
        self._write(text.ljust(self._width))
        self._width = len(text)

    def end(self) -> None:
        """Take the line away."""
        if self._width:
            self._write(" " * self._width)
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()


def line() -> Line | None:
    """A progress line if standard error is a terminal, else None."""
    return Line() if sys.stderr is not None and sys.stderr.isatty() else None


def _spoken(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{round(whole / 60)} min"
