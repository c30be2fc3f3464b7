"""Small things that every part of a page shows the same way. All return HTML."""

from __future__ import annotations

from collections.abc import Iterable

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.badge import PAINTS, UNMEASURED
from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.score_text import points


def chip(badge: str | None) -> str:
    """A badge's name on its colour; "not measured" for none, and for a word that is no badge."""
    tier = badge if badge in PAINTS else UNMEASURED
    return f'<span class="c {tier.split(" ")[0]}">{tier.replace("_", " ")}</span>'


def number(score: float | None) -> str:
    """A composite, a dash where nothing was measured."""
    return "—" if score is None else points(score)


def gained(difference: float | None) -> str:
    """A change of the composite with its sign, which also says it to who cannot tell the colours apart."""
    if difference is None:
        return "—"
    if not difference:
        return "±0"
    size = f"{abs(difference):.2f}" if abs(difference) >= 0.01 else "&lt;0.01"
    return f'<span class="{"up" if difference > 0 else "down"}">{"+" if difference > 0 else "−"}{size}</span>'


def dimension_rows(dimensions: Iterable[tuple[str, float]]) -> str:
    """Dimensions in [0, 1] as bars with their names; nothing for none."""
    shares = ((name, int(score * 100 + 1e-7)) for name, score in dimensions)
    rows = "".join(
        f'<li class="w{share}">{for_html(name.replace("_", " "))} <b>{share}</b></li>' for name, share in shares
    )
    return f'<ul class="d">{rows}</ul>' if rows else ""


def finding_rows(findings: Iterable[Finding], path: str = "") -> str:
    """Findings as a list; those in ``path`` show their line only. Nothing for none."""
    rows = "".join(_finding(finding, path) for finding in findings)
    return f'<ul class="l">{rows}</ul>' if rows else ""


def _finding(finding: Finding, path: str) -> str:
    # Few elements, lines broken by the style: a large page holds tens of thousands of these.
    place = f"line {finding.line}" if finding.path == path else f"{finding.path}:{finding.line}"
    fix = f"\n<i>Fix: {for_html(finding.fix)}</i>" if finding.fix else ""
    word = finding.severity.word
    return (
        f'<li class="{word}">{word} <code>{for_html(finding.rule)}</code> {for_html(place)}\n'
        f"<b>{for_html(finding.message)}</b>{fix}</li>"
    )


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names (plain text) and values (HTML) as a description list; nothing for none."""
    said = "".join(f"<div><dt>{for_html(name)}</dt><dd>{value}</dd></div>" for name, value in rows if value)
    return f'<dl class="k">{said}</dl>' if said else ""
