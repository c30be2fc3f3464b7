"""A badge as a picture: one SVG without scripts, fonts or links, so that it is the same wherever it is shown."""

from __future__ import annotations

import unicodedata

from plugin_eval_ci.report.badge import LABEL, LABEL_PAINT, PAINTS, Badge
from plugin_eval_ci.report.escape import for_html

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


def render(badge: Badge) -> str:
    """The picture, with a final newline. It is read aloud as its title."""
    said, found = width_of(LABEL), width_of(badge.message)
    left, right = _PAD + _ICON + said + _PAD, _PAD + found + _PAD
    whole, paint = left + right, PAINTS[badge.tier]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{_HEIGHT}" viewBox="0 0 {whole} {_HEIGHT}" role="img">\n'
        f"<title>{for_html(f'{LABEL}: {badge.message} ({badge.detail})')}</title>\n"
        f'<path fill="{LABEL_PAINT.ground}" d="{_end(left, left=True)}"/>\n'
        f'<path fill="{paint.ground}" transform="translate({left})" d="{_end(right, left=False)}"/>\n'
        # A hairline that is seen on a dark page, where the label's ground is not.
        f'<rect x=".5" y=".5" width="{whole - 1}" height="{_HEIGHT - 1}" rx="{_ROUND - 0.5}" fill="none" '
        'stroke="#8b949e" stroke-opacity=".55"/>\n'
        f"{_rosette(paint.medal)}\n"
        f'<g font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="{_SIZE}" aria-hidden="true">\n'
        f"{_text(_PAD + _ICON, said, LABEL, LABEL_PAINT.text)}\n{_text(left + _PAD, found, badge.message, paint.text)}\n"
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
