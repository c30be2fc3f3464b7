"""Trials in words and in lines of characters, for terminals and for Markdown. Not escaped."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.report.escape import for_markdown
from plugin_eval_ci.report.tables import table_head, table_row
from plugin_eval_ci.report.trials.layout import Forest, forests, headings, listing_words, percent_cell, row_name, thefts
from plugin_eval_ci.scoring.layer_details import (
    NONE,
    TOLD,
    Confusion,
    ControlResult,
    LiftDetails,
    ShownList,
    SkillTrials,
    TriggerResult,
)
from plugin_eval_ci.scoring.report import ScoreReport

_ROOM = 33  # characters of a plot; odd, so that the middle of a scale is one of them
_MOST = 60  # characters of a task
_NAMES = 34


def trial_lines(trials: SkillTrials) -> Iterator[str]:
    """The setup of the trials and their results, in addition to the plots."""
    subjects = ", ".join(trials.subjects) or "no model"
    yield (
        f"mode {trials.mode}: {subjects}, {trials.runs} runs per prompt, at most {trials.turns} turns, seed {trials.seed}, "
        f"method {trials.method[:12]}"
    )
    if trials.shown is not None:
        yield from _listing(trials.shown)
    if trials.labels is not None:
        labels = trials.labels
        where = "prompts drafted in this run, not reviewed" if labels.drafted else f"prompts from {labels.file}"
        yield f"{labels.prompts} {where}" + ("" if labels.reviewed or labels.drafted else ", not all reviewed")
        yield from (f"labels: {note}" for note in labels.notes)
    if trials.controls:
        tried = "; ".join(_control(one) for one in trials.controls)
        yield f"controls, a good skill against an empty one: {tried}"
    if trials.triggered is not None:
        yield from _triggering(trials.triggered)
    else:
        yield f"triggering was not measured: {trials.untriggered}"
    if trials.helped is not None:
        yield from _lift(trials.helped)
    else:
        yield f"lift was not measured: {trials.unhelped}"


def _control(one: ControlResult) -> str:
    if one.good is None or one.hollow is None:
        return f"{one.test} could not be tested ({one.why})"
    return f"{one.test} {one.good:.2f} against {one.hollow:.2f}" + ("" if one.passed else ", not distinguished")


def _listing(shown: ShownList) -> Iterator[str]:
    yield (
        f"tested in a listing of {shown.skills} skills ({shown.siblings} from its own folder, {shown.distractors} distractors), in "
        f"{shown.orders} orders"
    )


def _triggering(found: TriggerResult) -> Iterator[str]:
    yield (
        f"{found.positives} positive and {found.negatives} negative prompts in {found.clusters} families; "
        f"{found.trials} trials, {found.usable * 100:.0f} % usable"
    )
    if found.lost:
        yield "chosen instead: " + ", ".join(
            f"{'no skill' if name == NONE else name} {share * 100:.0f} %" for name, share in found.lost
        )
    if found.flaky:
        yield f"{found.flaky * 100:.0f} % of the prompts gave different results between runs"
    if found.design_effect is not None:
        yield f"design effect {found.design_effect:.1f}: so many runs of these prompts are worth one independent run"
    if found.thirds:
        places = ", ".join(f"{one.name} {one.value * 100:.0f} %" for one in found.thirds)
        yield f"recall by place in the listing: {places}"
    if found.detectable is not None:
        right = f"a drop of {found.detectable * 100:.0f} points or more in accuracy over these prompts"
        if found.detectable_recall is not None:
            right += f", or of {found.detectable_recall * 100:.0f} in recall"
        yield f"this run could detect {right} (80 % power)" + _needs(
            found.detectable, found.needed, "families of prompts"
        )


def _lift(found: LiftDetails) -> Iterator[str]:
    yield (
        f"{found.wins + found.ties + found.losses} tasks with and without it: {found.wins} better, {found.ties} even, "
        f"{found.losses} worse" + (f"; graded by {', '.join(found.graders)}" if found.graders else "")
    )
    if found.drafted:
        yield "tasks drafted in this run, not reviewed"
    if found.extra_tokens is not None:
        own = "" if found.skill_tokens is None else f", {found.skill_tokens:,.0f} of them its own text"
        cost = "" if found.extra_cost is None else f", and ${found.extra_cost:.4f} more"
        yield f"a task takes {found.extra_tokens:+,.0f} tokens with it (median{own}){cost}"
    if found.detectable is not None:
        yield f"this run could detect a lift of {found.detectable * 100:.0f} points or more (80 % power)" + _needs(
            found.detectable, found.needed, "tasks"
        )
    yield from (f"lift: {note}" for note in found.notes)
    for task in found.tasks:
        said = "better" if task.share > 0.5 else "even" if task.share == 0.5 else "worse"
        yield f"task {task.id}, {said}: {' '.join(task.text.split())[:_MOST]}"


def _needs(detectable: float, needed: int | None, what: str) -> str:
    """What it takes to detect a smaller difference; empty if this run can."""
    return "" if needed is None or detectable <= TOLD else f"; {TOLD * 100:.0f} points would need {needed:,} {what}"


def forest_lines(forest: Forest) -> Iterator[tuple[str, str]]:
    """A plot: what a line begins with, its number in words."""
    broad = max((len(_short(one.name)) for one in forest.lines), default=0)
    for one in forest.lines:
        yield f"{_short(one.name):<{broad}}  {drawn(forest, one.span.value, one.span.low, one.span.high)}  ", one.text


def drawn(forest: Forest, value: float, low: float | None, high: float | None) -> str:
    """One interval on the scale, as characters."""

    def place(number: float) -> int:
        share = (number - forest.low) / (forest.high - forest.low)
        return round(min(1.0, max(0.0, share)) * (_ROOM - 1))

    line = ["·"] * _ROOM
    for mark, _ in forest.marks:
        line[place(mark)] = "┊"
    if low is not None and high is not None:
        first, last = place(low), place(high)
        line[first : last + 1] = ["─"] * (last - first + 1)
        line[first], line[last] = "├", "┤"
    line[place(value)] = "●"
    return "".join(line)


def matrix_lines(confusion: Confusion) -> Iterator[str]:
    """The matrix in percent, a row for each skill's prompts."""
    heads = headings(confusion)
    names = [_short(row_name(confusion, row.skill)) for row in confusion.rows]
    broad = max(map(len, names), default=0)
    widths = [max(4, len(head)) for head in heads]
    yield (
        " " * broad
        + "  "
        + " ".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))
        + "  prompts"
    )
    for name, row in zip(names, confusion.rows, strict=True):
        if row.cells:
            cells = " ".join(f"{percent_cell(cell):>{width}}" for cell, width in zip(row.cells, widths, strict=True))
            yield f"{name:<{broad}}  {cells}  {row.prompts:>7}"
        else:
            yield f"{name:<{broad}}  not measured: {row.reason}"


def _short(name: str) -> str:
    return name if len(name) <= _NAMES else name[: _NAMES - 1] + "…"


def blocks(report: ScoreReport) -> Iterator[tuple[str, Iterator[str]]]:
    """Titles and lines."""
    if report.confusion is not None:
        yield "Confusion matrix", _matrix(report.confusion)
    for forest in forests(report):
        yield forest.title, _forest(forest)


def _matrix(confusion: Confusion) -> Iterator[str]:
    heads = [for_markdown(head) for head in headings(confusion)]
    yield "In %. Row: the skill a prompt is for. Column: the skill chosen."
    yield ""
    yield table_head(("Prompts of", *heads, "Prompts"), range(1, len(heads) + 2))
    for row in confusion.rows:
        name = for_markdown(row_name(confusion, row.skill))
        if row.cells:
            cells = [
                f"**{percent_cell(cell)}**" if column == row.skill else percent_cell(cell)
                for column, cell in zip(confusion.columns, row.cells, strict=True)
            ]
            yield table_row((name, *cells, str(row.prompts)))
        else:
            yield f"| {name} (not measured: {for_markdown(row.reason)}) |{' |' * (len(heads) + 1)}"
    yield ""
    for line in (*thefts(confusion), *listing_words(confusion)):
        yield f"- {for_markdown(line)}"


def _forest(forest: Forest) -> Iterator[str]:
    if forest.note:
        yield f"{for_markdown(forest.note[:1].upper() + forest.note[1:])}."
        yield ""
    yield table_head(("", f"95 % interval, {forest.low:g} to {forest.high:g}", ""))
    for one in forest.lines:
        plot = drawn(forest, one.span.value, one.span.low, one.span.high)
        yield table_row((for_markdown(one.name), f"`{plot}`", for_markdown(one.text)))
