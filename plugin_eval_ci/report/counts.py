"""Numbers with their nouns."""

from __future__ import annotations

from plugin_eval_ci.model import Suppressed


def many(count: int, word: str, plural: str = "") -> str:
    """``1 skill``, ``3,000 skills``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def suppressed_by(suppressed: tuple[Suppressed, ...]) -> dict[str, int]:
    """How many findings each cause hides."""
    causes = [one.cause for one in suppressed]
    return {cause: causes.count(cause) for cause in ("baseline", "comment", "configuration")}


def said_suppressed(suppressed: tuple[Suppressed, ...]) -> str:
    """``3 suppressed: 2 by baseline, 1 by comment``; empty for none."""
    parts = [f"{count:,} by {cause}" for cause, count in suppressed_by(suppressed).items() if count]
    return f"{len(suppressed):,} suppressed: {', '.join(parts)}" if parts else ""
