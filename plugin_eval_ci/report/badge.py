"""A badge as a picture: one SVG without scripts, fonts or links, so that it is the same wherever it is shown."""

from __future__ import annotations

import json
import re
import unicodedata
from math import floor
from typing import NamedTuple

from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.score.text import points
from plugin_eval_ci.scoring.dimensions import Depth, badge_of, round_score
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.survey.report import Survey, Target

LABEL = "plugin eval"
UNMEASURED = "not measured"


class Paint(NamedTuple):
    """Colours as ``#rrggbb``. ``text`` has a contrast of at least 4.5 on ``ground``, and ``medal`` of 3 on the label's (WCAG 2, AA)."""

    ground: str
    text: str
    medal: str


LABEL_PAINT = Paint("#2b3137", "#ffffff", "#ffffff")
PAINTS = {
    "platinum": Paint("#b5e3ef", "#0b2e38", "#b5e3ef"),
    "gold": Paint("#f2c230", "#332600", "#f2c230"),
    "silver": Paint("#cdd2d8", "#1f2328", "#cdd2d8"),
    "bronze": Paint("#9c5a2d", "#ffffff", "#d99a66"),
    "no_badge": Paint("#59636e", "#ffffff", "#a9b2bc"),
    UNMEASURED: Paint("#e8eaed", "#464e57", "#a9b2bc"),
}
_NAME = 100  # characters of a name that a tooltip has room for


class Badge(NamedTuple):
    """``message`` is one of a closed set of words and a number; only ``detail`` holds a name from the input."""

    message: str
    tier: str  # a key of PAINTS
    detail: str  # of what, how deep and when


def badge_of_survey(survey: Survey) -> Badge:
    """The repository: the mean of the report."""
    return _badge(f"repository {survey.name}", survey.mean(), survey.depth, survey.date)


def badge_of_target(target: Target, survey: Survey) -> Badge:
    """One plugin, skill or agent of a report."""
    return _badge(f"{target.kind} {target.name}", target.score, survey.depth, survey.date)


def badge_of_score(report: ScoreReport, date: str) -> Badge:
    """The one target of a ``score`` run."""
    return _badge(f"{report.kind} {report.name}", report.composite.score, report.depth, date, report.elo)


def _badge(what: str, score: float | None, depth: Depth, date: str, elo: float | None = None) -> Badge:
    what = what if len(what) <= _NAME else what[: _NAME - 1] + "…"
    if score is None:
        return Badge(UNMEASURED, UNMEASURED, f"{what}, depth {depth.name}, {date}")
    tier = badge_of(score, elo).name
    message = f"{tier.replace('_', ' ')} {floor(round_score(score))}, {depth.label.lower()}"  # never rounded up: 89.99 must not read as 90
    return Badge(message, tier, f"{what}, {points(score)} of 100, depth {depth.name}, {date}")


def render_shields(badge: Badge) -> str:
    """The document, with a final newline. Its message is never empty, which the service would refuse."""
    document: dict[str, object] = {
        "schemaVersion": 1,
        "label": LABEL,
        "message": badge.message,
        "color": PAINTS[badge.tier].ground,
        "labelColor": LABEL_PAINT.ground,
    }
    return json.dumps(document, ensure_ascii=True) + "\n"


# Advance widths of DejaVu Sans at U+0020 to U+007E, in thousandths of the size (Verdana's are within a few per cent).
# ``textLength`` makes any other font take the same room.
_WIDTHS = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip
_SIZE = 11  # of the text, in pixels
_PAD = 7
_ICON = 16  # the rosette and the gap behind it
_HEIGHT = 20
_ROUND = 4


def render_svg(badge: Badge) -> str:
    """The picture, with a final newline. It is read aloud as its title."""
    label, message = width_of(LABEL), width_of(badge.message)
    left, right = _PAD + _ICON + label + _PAD, _PAD + message + _PAD
    whole, paint = left + right, PAINTS[badge.tier]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{_HEIGHT}" viewBox="0 0 {whole} {_HEIGHT}" role="img">\n'
        f"<title>{for_html(f'{LABEL}: {badge.message} ({badge.detail})')}</title>\n"
        f'<path fill="{LABEL_PAINT.ground}" d="{_end(left, left=True)}"/>\n'
        f'<path fill="{paint.ground}" transform="translate({left})" d="{_end(right, left=False)}"/>\n'
        # A hairline for dark pages, where the label's ground cannot be seen.
        f'<rect x=".5" y=".5" width="{whole - 1}" height="{_HEIGHT - 1}" rx="{_ROUND - 0.5}" fill="none" '
        'stroke="#8b949e" stroke-opacity=".55"/>\n'
        f"{_rosette(paint.medal)}\n"
        f'<g font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="{_SIZE}" aria-hidden="true">\n'
        f"{_text(_PAD + _ICON, label, LABEL, LABEL_PAINT.text)}\n{_text(left + _PAD, message, badge.message, paint.text)}\n"
        "</g>\n</svg>\n"
    )


def width_of(text: str) -> int:
    """How many pixels a text takes at the badge's size, rounded up; an estimate beyond ASCII."""
    return -(-sum(_advance(character) for character in text) * _SIZE // 1000)


def _advance(character: str) -> int:
    place = ord(character) - 0x20
    if 0 <= place < len(_WIDTHS):
        return _WIDTHS[place]
    if unicodedata.combining(character):
        return 0
    return 1000 if unicodedata.east_asian_width(character) in "WF" else 700


def _text(x: int, width: int, text: str, colour: str) -> str:
    return f'<text x="{x}" y="14" textLength="{width}" fill="{colour}">{for_html(text)}</text>'


def _end(width: int, left: bool) -> str:
    """The outline of one half: two of its corners are round."""
    bend, height, straight = _ROUND, _HEIGHT, width - _ROUND
    if left:
        return f"M{width} 0H{bend}A{bend} {bend} 0 0 0 0 {bend}V{height - bend}A{bend} {bend} 0 0 0 {bend} {height}H{width}z"
    return (
        f"M0 0H{straight}A{bend} {bend} 0 0 1 {width} {bend}V{height - bend}A{bend} {bend} 0 0 1 {straight} {height}H0z"
    )


def _rosette(medal: str) -> str:
    """A medal with two ribbons; its middle is the label's ground."""
    ground = LABEL_PAINT.ground
    return (
        f'<path fill="{medal}" d="M9.6 11.2 8.3 17l3.7-1.9 3.7 1.9-1.3-5.8z"/>'
        f'<circle cx="12" cy="8" r="5" fill="{medal}" stroke="{ground}"/><circle cx="12" cy="8" r="1.9" fill="{ground}"/>'
    )


_NOT_IN_NAME = re.compile(r"[^a-z0-9._-]+")
_LENGTH = 80  # characters of a file's name that come from the plugin's


def files(survey: Survey) -> tuple[tuple[str, str], ...]:
    """Names and texts: ``badge.svg`` and ``badge.json``, then ``plugin-NAME.svg`` and ``.json`` of each plugin in order.

    NAME is the plugin's in lower case, with a dash for characters that some file system rejects. The second plugin of a name gets ``-2``.
    """
    found = [*_pair("badge", badge_of_survey(survey))]
    taken: dict[str, int] = {}
    for target in survey.targets:
        if target.kind == "plugin":
            found += _pair(_free(_slug(target.name), taken), badge_of_target(target, survey))
    return tuple(found)


def _pair(name: str, badge: Badge) -> tuple[tuple[str, str], tuple[str, str]]:
    return (f"{name}.svg", render_svg(badge)), (f"{name}.json", render_shields(badge))


def _slug(name: str) -> str:
    # The word in front keeps a device name of Windows, a leading dot and an empty name from becoming a file's.
    return "plugin-" + (_NOT_IN_NAME.sub("-", name.lower()).strip("-.")[:_LENGTH].rstrip("-.") or "unnamed")


def _free(slug: str, taken: dict[str, int]) -> str:
    taken[slug] = taken.get(slug, 0) + 1
    if taken[slug] == 1:
        return slug
    return _free(f"{slug}-{taken[slug]}", taken)
