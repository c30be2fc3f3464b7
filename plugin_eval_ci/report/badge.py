"""What a badge says: the words, the colours and the tooltip, for each form that a badge is drawn in."""

from __future__ import annotations

from math import floor
from typing import NamedTuple

from plugin_eval_ci.dimensions import Depth, badge_of, rounded
from plugin_eval_ci.report.score_text import points
from plugin_eval_ci.score_report import ScoreReport
from plugin_eval_ci.survey import Survey, Target

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
    """What ``score`` was asked about."""
    return _badge(f"{report.kind} {report.name}", report.composite.score, report.depth, date, report.elo)


def _badge(what: str, score: float | None, depth: Depth, date: str, elo: float | None = None) -> Badge:
    what = what if len(what) <= _NAME else what[: _NAME - 1] + "…"
    if score is None:
        return Badge(UNMEASURED, UNMEASURED, f"{what}, depth {depth.name}, {date}")
    tier = badge_of(score, elo).name
    message = (
        f"{tier.replace('_', ' ')} {floor(rounded(score))}, {depth.label.lower()}"  # never rounded up: 89.99 is no 90
    )
    return Badge(message, tier, f"{what}, {points(score)} of 100, depth {depth.name}, {date}")
