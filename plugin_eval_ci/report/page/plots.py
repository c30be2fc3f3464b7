"""Two plots as inline SVG, each with its numbers in words: the distribution of scores, and their mean over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from statistics import median

from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.page.shell import number
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import BADGES, badge_of

_LEFT, _RIGHT, _TOP, _BOTTOM = 28, 346, 20, 150  # of the plot itself, in units of the picture
_FRAME = "0 0 360 170"
_BIN = 5  # points; the badges' limits are limits of bins
_POINTS = 104  # of a trend that are drawn: two years of weeks


def histogram(scores: Sequence[float], what: str, plural: str) -> str:
    """How many of ``scores`` (0-100) lie in each step of five points; empty without scores."""
    if not scores:
        return ""
    bins = [0] * (100 // _BIN)
    for score in scores:
        bins[min(len(bins) - 1, int(score // _BIN))] += 1
    tiers = [badge_of(score).name for score in scores]
    rows = [(f"{name.replace('_', ' ')}", tiers.count(name)) for name in [*(b.name for b in BADGES), "no_badge"]]
    spread = f"median {number(median(scores))}, lowest {number(min(scores))}, highest {number(max(scores))}"
    words = (
        f"{many(len(scores), what, plural)}: {spread}. " + ", ".join(f"{name} {count:,}" for name, count in rows) + "."
    )
    steps = [(f"{at * _BIN} to {(at + 1) * _BIN}", f"{count:,}") for at, count in enumerate(bins) if count]
    title = f"Scores of {plural}"
    return _figure(title, words, _bars(bins), _numbers(title, ("Score", plural.capitalize()), steps))


def _bars(bins: Sequence[int]) -> str:
    top = _rounded_up(max(bins))
    step = (_RIGHT - _LEFT) / len(bins)
    parts = [_grid(0, 0, top), _grid(top // 2, top / 2, top) if top % 2 == 0 else "", _grid(top, top, top)]
    for place, badge in enumerate(reversed(BADGES)):
        until = [one.score for one in reversed(BADGES)][place + 1] if place + 1 < len(BADGES) else 100
        x, end = _x(badge.score), _x(until)
        parts.append(f'<path class="limit" d="M{x:.1f} {_TOP - 6}V{_BOTTOM}"/>')
        parts.append(
            f'<text x="{(x + end) / 2:.1f}" y="{_TOP - 9}" text-anchor="middle" class="tier">{badge.name}</text>'
        )
    for place, count in enumerate(bins):
        if count:
            height = max(1.5, (_BOTTOM - _TOP) * count / top)
            tier = badge_of(place * _BIN).name
            parts.append(
                f'<rect class="{tier}" x="{_LEFT + place * step + 1:.1f}" y="{_BOTTOM - height:.1f}" width="{step - 2:.1f}" '
                f'height="{height:.1f}" rx="1.5"><title>{place * _BIN} to {(place + 1) * _BIN}: {count:,}</title></rect>'
            )
    marks = (0, 20, 40, 60, 70, 80, 90, 100)
    parts += [f'<text x="{_x(mark):.1f}" y="{_BOTTOM + 14}" text-anchor="middle">{mark}</text>' for mark in marks]
    return "".join(parts)


def trend(points: Sequence[tuple[str, float | None]]) -> str:
    """The mean composite by day (YYYY-MM-DD, oldest first); empty for fewer than two."""
    known = [(day, value) for day, value in points if value is not None][-_POINTS:]
    if len(known) < 2:
        return ""
    (first, before), (last, now) = known[0], known[-1]
    words = f"{number(before)} on {first}, {number(now)} on {last}; {many(len(known), 'report')}."
    rows = [(day, number(value)) for day, value in reversed(known)]
    title = "Mean score over time"
    return _figure(title, words, _line(known), _numbers(title, ("Day", "Mean score"), rows))


def _line(known: Sequence[tuple[str, float]]) -> str:
    values = [value for _, value in known]
    low, high = min(values), max(values)
    low, high = max(0, int((low - 1) // 5 * 5)), min(100, int(-(-(high + 1) // 5) * 5))
    days = _days([day for day, _ in known])
    places = [
        (_LEFT + (_RIGHT - 8 - _LEFT) * (day - days[0]) / (days[-1] - days[0]), _y(value, low, high))
        for day, (_, value) in zip(days, known, strict=True)
    ]
    parts = [_grid(mark, mark - low, high - low) for mark in _marks(low, high)]
    for badge in BADGES:
        if low < badge.score < high:
            y = _y(badge.score, low, high)
            parts.append(f'<path class="limit" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>')
            parts.append(f'<text x="{_LEFT + 3}" y="{y - 3:.1f}">{badge.name}</text>')
    parts.append(f'<path class="line" d="M{" ".join(f"{x:.1f} {y:.1f}" for x, y in places)}"/>')
    for (x, y), (day, value) in zip(places, known, strict=True):
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"><title>{for_html(day)}: {number(value)}</title></circle>'
        )
    parts.append(f'<text x="{_LEFT}" y="{_BOTTOM + 14}">{for_html(known[0][0])}</text>')
    parts.append(f'<text x="{_RIGHT}" y="{_BOTTOM + 14}" text-anchor="end">{for_html(known[-1][0])}</text>')
    return "".join(parts)


def _days(days: Sequence[str]) -> list[int]:
    """Days as numbers that rise; one step each if a text is not a date or the days are out of order."""
    try:
        numbers = [date.fromisoformat(day).toordinal() for day in days]
    except ValueError:
        numbers = []
    return numbers if numbers == sorted(numbers) and len(set(numbers)) > 1 else list(range(len(days)))


def _marks(low: int, high: int) -> list[int]:
    step = 5 if high - low <= 20 else 10 if high - low <= 50 else 20
    return [*range(-(-low // step) * step, high + 1, step)]


def _rounded_up(count: int) -> int:
    """The end of a scale: the next 1, 2, 3, 4, 5, 6, 8 or 10 times a power of ten."""
    power = 1
    while power * 10 < count:
        power *= 10
    return next(power * step for step in (1, 2, 3, 4, 5, 6, 8, 10) if power * step >= count)


def _x(score: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * score / 100


def _y(value: float, low: float, high: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * (value - low) / (high - low)


def _grid(label: float, value: float, top: float) -> str:
    y = _y(value, 0, top)
    return (
        f'<path class="grid" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>'
        f'<text x="{_LEFT - 4}" y="{y + 3:.1f}" text-anchor="end">{label:,}</text>'
    )


def _figure(title: str, words: str, drawing: str, numbers: str) -> str:
    return (
        f'<figure><figcaption><b>{for_html(title)}</b> {for_html(words)}</figcaption>\n<svg viewBox="{_FRAME}" role="img" '
        f'aria-label="{for_html(f"{title}. {words}")}">{drawing}</svg>\n{numbers}</figure>'
    )


def _numbers(title: str, head: tuple[str, str], rows: Sequence[tuple[str, str]]) -> str:
    body = "".join(
        f'<tr><th scope="row">{for_html(one)}</th><td class="n">{for_html(other)}</td></tr>' for one, other in rows
    )
    return (
        f'<details><summary>Numbers<span class="vh"> of: {for_html(title)}</span></summary><table class="small">'
        f'<caption class="vh">{for_html(title)}</caption><thead><tr><th scope="col">{head[0]}</th>'
        f'<th scope="col" class="n">{head[1]}</th></tr></thead><tbody>{body}</tbody></table></details>'
    )
