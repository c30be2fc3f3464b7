"""A status line on a terminal, and durations in words."""

from typing import TextIO


class TerminalLine:
    """A line that each ``write`` replaces. The caller decides how often."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._width = 0

    def write(self, text: str) -> None:
        """Replace the line."""
        self._put(f"\r{text.ljust(self._width)}")
        self._width = len(text)

    def end(self) -> None:
        """Remove the line."""
        if self._width:
            self._put(f"\r{' ' * self._width}\r")
            self._width = 0

    def _put(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def duration_text(seconds: float) -> str:
    """``99 s``, ``2 min``."""
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{round(whole / 60)} min"
