"""JSON in a file that a user names: it may be anybody's, and anything."""

from __future__ import annotations

import json
import os
import stat

from plugin_eval_ci.errors import UsageError, not_json
from plugin_eval_ci.json_values import DamagedError


def json_of(file: str, most: int) -> object:
    """What stands in a file of at most ``most`` bytes. Raises ``UsageError`` for one that cannot be read, ``DamagedError`` for one
    that is not JSON."""
    try:
        if _waits(file):
            raise UsageError(f"{file}: it is a named pipe, which is not read")
        with open(file, "rb") as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    if len(content) > most:
        raise DamagedError(f"it has more than {most:,} bytes")
    try:
        found: object = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"it is {not_json(error)}") from None
    return found


def _waits(file: str) -> bool:
    """Whether opening it may wait for ever. What a shell puts in place of ``<(command)`` is no name of a pipe."""
    try:
        return stat.S_ISFIFO(os.lstat(os.path.realpath(file)).st_mode)
    except OSError:
        return False
