"""What Ctrl-C does while calls are under way."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def polite(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM calls ``stop``, the second ends the process as it always does."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)

    def restore() -> None:
        for number in numbers:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)

    def first() -> None:
        restore()
        stop()

    for number in numbers:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            loop.add_signal_handler(number, first)
    try:
        yield
    finally:
        restore()
