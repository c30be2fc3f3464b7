"""What ``per-path`` of a configuration file holds; only a file that has it needs this."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.model import Severity


class PathRules(NamedTuple):
    """What holds for the files that one glob covers."""

    glob: str
    ignore: frozenset[str] = frozenset()
    severity: tuple[tuple[str, Severity | None], ...] = ()
