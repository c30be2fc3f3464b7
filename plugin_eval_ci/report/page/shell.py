"""The frame of a page: head, policy, style, script, skip link, footer."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib import resources

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.badge import PAINTS, UNMEASURED
from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.score.text import points


def chip(badge: str | None) -> str:
    """A badge's name on its colour; "not measured" without one, and for an unknown word."""
    tier = badge if badge in PAINTS else UNMEASURED
    return f'<span class="c {tier.split(" ")[0]}">{tier.replace("_", " ")}</span>'


def number(score: float | None) -> str:
    """A composite, or a dash if nothing was measured."""
    return "—" if score is None else points(score)


def signed_gain(difference: float | None) -> str:
    """A change of the composite with its sign, so that it does not depend on colour alone."""
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


# The browser itself keeps the page from loading or sending anything: only this style and this script count, by their digest.
_POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data:; base-uri 'none'; form-action 'none'"
)
_ICON = (
    "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2016%2016'%3E%3Cpath%20fill='%23f2c230'%20"
    "d='M5.600%209%204%2015.500l4-2%204%202L10.400%209z'/%3E%3Ccircle%20cx='8'%20cy='6'%20r='5'%20fill='%23f2c230'%20"
    "stroke='%232b3137'/%3E%3Ccircle%20cx='8'%20cy='6'%20r='2'%20fill='%232b3137'/%3E%3C/svg%3E"
)


def page(title: str, header: str, sections: Iterable[str], version: str, methodology: str, trials: bool = False) -> str:
    """The whole page, with a final newline. ``header`` and ``sections`` are HTML, the rest is plain text; ``trials``: whether it shows
    some, which have styles of their own."""
    style, script = _style() + (_data("trials.css") if trials else ""), _data("page.js")
    policy = _POLICY.format(style=_digest(style), script=_digest(script))
    body = "\n".join(sections)
    footer = f"<p>plugin-eval-ci {for_html(version)} · methodology {for_html(methodology)}</p>"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f'<title>{for_html(title)}</title>\n<link rel="icon" href="{_ICON}">\n'
        f"<style>{style}</style>\n<script>{script}</script>\n</head>\n"
        f'<body>\n<a class="skip" href="#main">Skip to the report</a>\n<header>\n{header}\n</header>\n'
        f'<main id="main">\n{body}\n</main>\n<footer>\n{footer}\n</footer>\n</body>\n</html>\n'
    )


def section(name: str, title: str, content: str) -> str:
    """A region with its heading; ``name`` is an id, ``title`` plain text. Nothing for no content."""
    if not content:
        return ""
    return f'<section aria-labelledby="{name}">\n<h2 id="{name}">{for_html(title)}</h2>\n{content}\n</section>'


def _style() -> str:
    tiers = "".join(
        f".c.{tier.split(' ')[0]}{{background:{paint.ground};color:{paint.text}}}" for tier, paint in PAINTS.items()
    )
    bars = "".join(f".d .w{percent}:after{{background-size:{percent}% 5px}}" for percent in range(101))
    return f"{_data('page.css')}{tiers}\n{bars}\n"


def _data(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
