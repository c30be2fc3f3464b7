"""The words of a gate that all its formats share, and the gate for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.evals.trials.gate import GateResult, GateRow
from plugin_eval_ci.evals.trials.gate.decision import LEAST_CLUSTERS, Decision
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.score.layout import width_of_output, wrap
from plugin_eval_ci.report.words import many, paint
from plugin_eval_ci.scoring.spending import dollars

ABOUT = (
    "Right: the skill was chosen, or left alone, as the labels say. "
    "Bounds cover sampling error only, not whether the labels are correct."
)
_CHANGES = {
    "changed": "listing entry changed",
    "renamed": "renamed",
    "new": "new",
    "sibling": "in the same listing as a changed skill",
    "unchanged": "unchanged",
    "alone": "tested alone",
}


def headline(gated: GateResult) -> str:
    """The verdict of all skills together, as a sentence."""
    if gated.interrupted:
        return "Interrupted: no verdict."
    if gated.regressions:
        floor = " or below the floor" if gated.floor is not None else ""
        return f"Regression: {many(len(gated.regressions), 'skill')} less reliable than before{floor}."
    if gated.unmeasured:
        return f"Not measured: no usable trials for {many(len(gated.unmeasured), 'skill')}."
    if gated.undecided:
        said = f"Inconclusive: {many(len(gated.undecided), 'skill')} with too little data to confirm or rule out a regression."
        return said + _largest_drop(gated)
    tried = [row for row in gated.rows if row.decision is not None or row.above]
    if not tried:
        return "Nothing to compare: no skill changed its name or description."
    return f"Fine: {many(len(tried), 'skill')} tested, none worse by the margin or more."


def _largest_drop(gated: GateResult) -> str:
    """The undecided skill that fell most, if by the margin or more."""
    fallen = [(row.decision.difference, row.skill) for row in gated.undecided if row.decision is not None]
    least, skill = min(fallen, default=(0.0, ""))
    if least > -gated.margin:
        return ""
    return f" {skill} fell most, by {-100 * least:.1f} points. With so few prompts that may be chance."


def verdict_of(row: GateRow) -> str:
    """One word or two."""
    if row.failed:
        return "not measured"
    if row.regressed:
        return "regression"
    if row.above is False:
        return "below the floor"
    if row.decision is None:
        return "above the floor" if row.above else "no verdict"
    return row.decision.verdict


def change_of(row: GateRow) -> str:
    """What happened to its entry in the listing."""
    return _CHANGES[row.change]


def rate(value: float | None) -> str:
    """An accuracy in percent, or a dash."""
    return "—" if value is None else f"{100 * value:.1f} %"


def points_moved(decision: Decision | None) -> str:
    """The difference in points, with its bounds."""
    if decision is None or not decision.clusters:
        return "—"
    return f"{_points(decision.difference)} [{_points(decision.low)}, {_points(decision.high)}]"


def reason_of(row: GateRow) -> str:
    """Why it has this verdict, and which drop the trials could detect."""
    said = [row.decision.why if row.decision is not None and not row.failed else row.why]
    if row.decision is not None and not row.failed and row.decision.clusters >= LEAST_CLUSTERS:
        said.append(f"{row.decision.clusters} clusters; {_detectable(row.decision)}")
    return "; ".join(part for part in said if part)


def method(gated: GateResult) -> str:
    """The method in one line."""
    parts = dict(gated.method.parts)
    model = parts.get("model:subject", parts.get("subject", ""))
    made = f"{gated.made:,} of {gated.planned:,} trials" if gated.made != gated.planned else f"{gated.made:,} trials"
    return f"{made} with {model}, mode {parts.get('mode', '')}, {parts.get('runs', '')} runs per prompt; method {gated.method.digest}"


def self_test(gated: GateResult) -> str:
    """What the self-test shows; empty without one."""
    if gated.self_test is None:
        return ""
    one = gated.self_test
    return (
        f"Self-test, one revision twice: the usual outcome changed for {100 * one.flipped:.1f} % of the prompts; "
        f"{100 * one.alarms:.1f} % of {one.splits} random splits of the trials would have been called a regression."
    )


def gate_notes(gated: GateResult) -> tuple[str, ...]:
    """Notes on the verdict."""
    gone = [name for field in gated.fields for name in field.gone]
    listed = f"no longer listed, so not tested: {', '.join(gone)}" if gone else ""
    saved = gated.planned - gated.made
    stopped = f"{saved:,} trials were skipped: they could not change a verdict" if saved > 0 else ""
    return tuple(note for note in (*gated.notes, listed, stopped, self_test(gated)) if note)


def _detectable(decision: Decision) -> str:
    if decision.detectable is None:
        return "no variation, so the smallest detectable drop is unknown"
    least = f"could detect a drop of {100 * decision.detectable:.1f} points or more (80 % power)"
    if decision.needed is None or decision.needed <= decision.clusters:
        return least
    return f"{least}; detecting twice the margin takes {decision.needed:,} clusters"


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"


_COLORS = {"regression": "31", "below the floor": "31", "fine": "32", "above the floor": "32"}


def render(gated: GateResult, color: bool, width: int | None = None) -> str:
    """The whole text, with a final newline; ``width`` is the terminal's unless given."""
    broad = width or width_of_output()
    lines = [paint(headline(gated), "1", color)]
    rows = [row for row in gated.rows if row.change != "unchanged"]
    for row in rows:
        lines += ["", *_row(row, color, broad)]
    if same := len(gated.rows) - len(rows):
        lines += ["", f"Not tested, because the listing entry is unchanged: {many(same, 'skill')}."]
    if notes := gate_notes(gated):
        lines += ["", *(wrap("  ", for_terminal(note), broad) for note in notes)]
    if gated.made:
        lines += ["", *_foot(gated, broad)]
    return "\n".join(lines) + "\n"


def _row(row: GateRow, color: bool, width: int) -> Iterator[str]:
    verdict = verdict_of(row)
    name = f"{for_terminal(row.skill)} ({change_of(row)})"
    yield f"{paint(verdict, _COLORS.get(verdict, '33'), color)}  {name}"
    if row.base is not None and row.head is not None:
        yield f"  right {rate(row.base)} -> {rate(row.head)}: {points_moved(row.decision)} points"
    elif row.head is not None:
        yield f"  right {rate(row.head)}"
    if why := reason_of(row):
        yield wrap("  ", for_terminal(why), width)


def _foot(gated: GateResult, width: int) -> Iterator[str]:
    cost = f"; {many(gated.spent.calls, 'call')}, {dollars(gated.spent.cost)}" if gated.spent.models else ""
    yield wrap("", for_terminal(method(gated) + cost), width)
    yield wrap("", ABOUT, width)
