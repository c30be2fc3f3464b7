"""Colour on a terminal."""


def paint(text: str, code: str, color: bool) -> str:
    """``text`` in an ANSI style, if there are to be any."""
    return f"\x1b[{code}m{text}\x1b[0m" if color else text
