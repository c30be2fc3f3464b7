"""The frame of a page: head, policy, style, script, skip link, footer."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib import resources

from plugin_eval_ci.report.badge import PAINTS
from plugin_eval_ci.report.escape import for_html

# The browser itself keeps the page from loading or sending anything: only this style and this script count, by their digest.
_POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data:; base-uri 'none'; form-action 'none'"
)
_ICON = (
    "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2016%2016'%3E%3Cpath%20fill='%23f2c230'%20"
    "d='M5.600%209%204%2015.500l4-2%204%202L10.400%209z'/%3E%3Ccircle%20cx='8'%20cy='6'%20r='5'%20fill='%23f2c230'%20"
    "stroke='%232b3137'/%3E%3Ccircle%20cx='8'%20cy='6'%20r='2'%20fill='%232b3137'/%3E%3C/svg%3E"
)


def document(
    title: str, header: str, sections: Iterable[str], version: str, methodology: str, trials: bool = False
) -> str:
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
