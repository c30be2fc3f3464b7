"""Workflow commands: lines that GitHub's runner executes, and text that must not become one.

The runner reads ``::name properties::data`` at the start of a line, and the older ``##[name]`` anywhere in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from plugin_eval_ci.report.escape import for_terminal

MESSAGE_LIMIT = 4096  # characters; the runner cuts what is longer
TITLE_LIMIT = 255
_OLD_COMMAND = re.compile(r"##(?=\[)")


def command(name: str, properties: Iterable[tuple[str, str]], data: str) -> str:
    """One command without a newline; properties that are empty are left out."""
    given = ",".join(f"{key}={_property(value)}" for key, value in properties if value)
    return f"::{name}{' ' if given else ''}{given}::{_data(data)}"


def break_command(text: str) -> str:
    """Text without an older command in it. A blank separates the characters: the runner may ignore an invisible one."""
    return _OLD_COMMAND.sub("## ", text)


def plain(text: str) -> str:
    """A log line that is never a command, whatever ``text`` holds: the mark before it keeps ``::`` from its start."""
    return f"plugin-eval: {for_terminal(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
