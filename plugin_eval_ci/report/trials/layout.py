"""What every format shows of trials: intervals on one scale, and the confusion matrix. Nothing here is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from plugin_eval_ci.scoring.dimensions import BADGES
from plugin_eval_ci.scoring.layer_details import NONE, Confusion, SkillTrials, Span
from plugin_eval_ci.scoring.report import ScoreReport

WORDS = {
    "selection_recall": "recall",
    "false_trigger_rate": "false-trigger rate",
    "selection_precision": "precision",
    "selection_f1": "F1",
    "balanced_accuracy": "balanced accuracy",
    "run_agreement": "run agreement",
    "routed": "correct sibling chosen",
}


class Line(NamedTuple):
    """A row of a forest plot; ``text`` is its number with the interval in words."""

    name: str
    span: Span
    text: str


class Forest(NamedTuple):
    """Numbers with their intervals on one scale from ``low`` to ``high``. ``marks``: places on it that mean something, with a word."""

    title: str
    note: str
    low: float
    high: float
    marks: tuple[tuple[float, str], ...]
    lines: tuple[Line, ...]


def trials_of(report: ScoreReport) -> SkillTrials | None:
    """The trials of a skill, where there are any."""
    found = (layer.details.trials for layer in report.layers if layer.details is not None)
    return next((one for one in found if one is not None), None)


def forests(report: ScoreReport) -> Iterator[Forest]:
    """The plots of a report: for a skill its rates and its lift, for a plugin all its skills on one scale."""
    if report.kind == "plugin":
        yield from _of_plugin(report)
    elif (trials := trials_of(report)) is not None:
        rates = [] if trials.triggered is None else [one for one in trials.triggered.rates if one.name in WORDS]
        lines = tuple(Line(WORDS[one.name], one, shares(one)) for one in rates)
        if lines:
            yield Forest("Trigger rates", "", 0, 1, (), lines)
        if trials.helped is not None:
            yield _lift((Line("lift", trials.helped.lift, points(trials.helped.lift)),))


def _of_plugin(report: ScoreReport) -> Iterator[Forest]:
    members = [(member, found) for member in report.members if (found := trials_of(member)) is not None]
    if not members:
        return
    composites = tuple(
        Line(member.name, span, f"{span.value:.1f}{_between(span, 1, '.1f')}")
        for member, _ in members
        if (span := _composite(member)) is not None
    )
    if composites:
        marks = tuple((one.score, one.name) for one in reversed(BADGES))
        note = f"marks: {', '.join(f'{name.capitalize()} {at:g}' for at, name in marks)}"
        yield Forest("Composites", note, 0, 100, marks, composites)
    for name, title in (("selection_recall", "Recall"), ("false_trigger_rate", "False-trigger rate")):
        lines = tuple(
            Line(member.name, span, shares(span))
            for member, found in members
            if found.triggered is not None and (span := found.triggered.rate(name)) is not None
        )
        if lines:
            yield Forest(title, "", 0, 1, (), lines)
    lifts = tuple(
        Line(member.name, found.helped.lift, points(found.helped.lift))
        for member, found in members
        if found.helped is not None
    )
    if lifts:
        yield _lift(lifts)


def _lift(lines: tuple[Line, ...]) -> Forest:
    note = "share of tasks won against the model alone, ties as half, minus 0.5"
    return Forest("Lift", note, -0.5, 0.5, ((0.0, "no help"),), lines)


def _composite(member: ScoreReport) -> Span | None:
    one = member.composite
    return None if one.score is None else Span("composite", one.score, one.ci_lower, one.ci_upper)


def shares(span: Span) -> str:
    """A share in percent: ``83 % (71 to 91)``."""
    return f"{span.value * 100:.0f} %{_between(span, 100, '.0f')}"


def points(span: Span) -> str:
    """A difference in points with its sign: ``+21 points (+4 to +35)``."""
    return f"{span.value * 100:+.0f} points{_between(span, 100, '+.0f')}"


def _between(span: Span, by: int, form: str) -> str:
    if span.low is None or span.high is None:
        return ""
    return f" ({span.low * by:{form}} to {span.high * by:{form}})"


def interval_words(report: ScoreReport) -> str:
    """The interval of a composite and the badge that its lower end earns; empty without one."""
    one = report.composite
    if one.ci_lower is None or one.ci_upper is None or one.badge_lower is None:
        return ""
    badge = "no badge" if one.badge_lower == "no_badge" else one.badge_lower.capitalize()
    return f"95 %: {one.ci_lower:.1f} to {one.ci_upper:.1f}, lower end: {badge}"


def thefts(confusion: Confusion, least: float = 0.05) -> Iterator[str]:
    """Which skill takes prompts of which other, in words, for shares of ``least`` or more."""
    for taker, owner, span in confusion.thefts():
        if span.value >= least:
            who = "another skill" if taker not in confusion.skills else _short(confusion, taker)
            yield f"{who} takes {shares(span)} of the prompts of {_short(confusion, owner)}"


def listing_words(confusion: Confusion) -> Iterator[str]:
    """The skills in the listing, and what the client's limits cut."""
    shown = confusion.shown
    if shown is None:
        return
    yield (
        f"the listing held {shown.skills} skills in {shown.orders} orders: {shown.siblings} of these and {shown.distractors} distractors"
    )
    if shown.dropped:
        yield f"the listing budget drops the descriptions of {', '.join(shown.dropped)}"
    if shown.cut:
        yield f"the listing truncates the descriptions of {', '.join(shown.cut)}"


def headings(confusion: Confusion, name: Callable[[str], str] = str) -> list[str]:
    """The columns: skills by number, for their names would not fit."""
    return [str(place) for place in range(1, len(confusion.skills) + 1)] + [
        name("no skill" if column == NONE else column) for column in confusion.columns[len(confusion.skills) :]
    ]


def row_name(confusion: Confusion, skill: str) -> str:
    """A row: its number and name."""
    if skill not in confusion.skills:
        return "for no skill"
    return f"{confusion.skills.index(skill) + 1} {_short(confusion, skill)}"


def _short(confusion: Confusion, skill: str) -> str:
    """A name, without the plugin's if all skills share one plugin."""
    plugins = {one.rpartition(":")[0] for one in confusion.skills}
    return skill.rpartition(":")[2] if len(plugins) == 1 else skill


def percent_cell(cell: Span) -> str:
    """A cell of the matrix; a dot for nothing."""
    share = f"{cell.value * 100:.0f}"
    return "·" if cell.value == 0 else share if share != "0" else "<1"
