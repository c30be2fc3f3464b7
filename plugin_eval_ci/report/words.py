"""Numbers with their nouns."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.model import Finding, Severity, Suppressed


def many(count: int, word: str, plural: str = "") -> str:
    """``1 skill``, ``3,000 skills``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def by_severity(findings: Sequence[Finding]) -> list[tuple[Severity, int]]:
    """How many of each severity, the worst first; including those without findings."""
    levels = [finding.severity for finding in findings]
    return [(level, levels.count(level)) for level in sorted(Severity, reverse=True)]


def severities(findings: Sequence[Finding], what: str = "") -> str:
    """``2 errors, 1 notice``; with ``what`` in front of each word. Empty for none."""
    return ", ".join(many(count, f"{what}{level.word}") for level, count in by_severity(findings) if count)


def suppressed_by(suppressed: tuple[Suppressed, ...]) -> dict[str, int]:
    """How many findings each cause hides."""
    causes = [one.cause for one in suppressed]
    return {cause: causes.count(cause) for cause in ("baseline", "comment", "configuration")}


def said_suppressed(suppressed: tuple[Suppressed, ...]) -> str:
    """``3 suppressed: 2 by baseline, 1 by comment``; empty for none."""
    parts = [f"{count:,} by {cause}" for cause, count in suppressed_by(suppressed).items() if count]
    return f"{len(suppressed):,} suppressed: {', '.join(parts)}" if parts else ""


def paint(text: str, code: str, color: bool) -> str:
    """``text`` in an ANSI style if ``color`` is on."""
    return f"\x1b[{code}m{text}\x1b[0m" if color else text
