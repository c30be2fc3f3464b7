"""A line on a terminal that is written over and taken away at the end, and seconds in words."""

from typing import TextIO


class TerminalLine:
    """The line; whoever writes it decides how often."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._width = 0

    def write(self, text: str) -> None:
        """In place of what stood there."""
        self._put(f"\r{text.ljust(self._width)}")
        self._width = len(text)

    def end(self) -> None:
        """Take the line away."""
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
