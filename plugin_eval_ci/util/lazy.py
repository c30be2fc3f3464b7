"""Regular expressions that are compiled at first use: a hook starts on every commit and needs few of them."""

from __future__ import annotations

import re


class Lazy:
    """A pattern. Call it to get the compiled one."""

    __slots__ = ("_compiled", "flags", "source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None

    def __call__(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.source, self.flags)
        return self._compiled
