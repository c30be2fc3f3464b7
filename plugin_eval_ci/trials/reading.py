"""The text of a file that belongs to a skill's labels, whatever stands in its place."""

from __future__ import annotations

import os

from plugin_eval_ci.config.node import UnreadableError
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse import source
from plugin_eval_ci.parse.documents import inside

MOST_BYTES = 2 << 20


def text_of(file: str, skill: Skill | None = None) -> str:
    """The text of a file. Raises ``UnreadableError`` for what is no UTF-8 text, or not in the skill's repository."""
    real = os.path.realpath(file)
    if skill is not None and not inside(real, os.path.realpath(skill.root)):
        raise UnreadableError(1, "is a link to a file outside of the repository, which is not read")
    read = source.read(real, os.path.basename(file), MOST_BYTES)
    if read.problem is not None:
        raise UnreadableError(read.problem.line, f"cannot be read: {read.problem.message}")
    return read.text
