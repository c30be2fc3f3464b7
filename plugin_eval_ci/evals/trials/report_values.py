"""The parts of trials as the reports show them: labels, the list, triggering and help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum, isfinite
from statistics import stdev
from typing import NamedTuple

from plugin_eval_ci import stats
from plugin_eval_ci.evals.trials.catalogue import Catalogue
from plugin_eval_ci.evals.trials.labels.drafts import FILE as DRAFTED
from plugin_eval_ci.evals.trials.lift.numbers import LiftResult, Pair
from plugin_eval_ci.evals.trials.triggering.numbers import NONE, Row, Triggering, by_prompt, rate_of, trials_made
from plugin_eval_ci.evals.trials.values import LEAST_USABLE, Labels, Prompt, Trial
from plugin_eval_ci.scoring.layer_details import (
    TOLD,
    Attempt,
    ChoiceRow,
    Confusion,
    LabelSource,
    PromptResult,
    ShownList,
    Span,
    TriggerResult,
)
from plugin_eval_ci.scoring.layer_details import LiftDetails as HelpShown
from plugin_eval_ci.stats import Estimate

OTHER = "other"  # a skill that is none of the plugin's


class Line(NamedTuple):
    """The prompts of one skill. ``cells``: the share that each column has, in the order of ``Matrix.columns``; the shares sum to 1.

    Without a prompt, or with too few usable trials, ``cells`` is empty and ``reason`` says why.
    """

    skill: str
    cells: tuple[Estimate, ...]
    prompts: int
    runs: int
    reason: str = ""


class Share(NamedTuple):
    """``taker`` has this share of the prompts of ``owner``."""

    taker: str
    owner: str
    share: Estimate


class Matrix(NamedTuple):
    """A line for each skill, and one for the prompts that no skill is right for; ``columns``: the skills, ``other`` and ``none``."""

    skills: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    unexpected: Line

    @property
    def taken(self) -> tuple[Share, ...]:
        """Who takes whose prompts, the largest share first; what went to no skill is not taken."""
        found = [
            Share(column, line.skill, cell)
            for line in self.lines
            for column, cell in zip(self.columns, line.cells, strict=False)
            if cell.value > 0 and column not in (line.skill, NONE)
        ]
        return tuple(sorted(found, key=lambda one: (-one.share.value, one.owner, one.taker)))


def matrix_of(trials: Iterable[Trial], skills: Sequence[str]) -> Matrix:
    """What was chosen, by what is right. A run that chose several skills counts for each of them in equal parts.

    A prompt that several skills are right for stands in the line of its home, where any of them counts as the home itself.
    """
    columns = (*skills, OTHER, NONE)
    groups: dict[str, list[list[Trial]]] = {name: [] for name in (*skills, NONE)}
    for group in by_prompt(trials_made(trials)):
        owner = _owner(group[0].prompt)
        if owner in groups:
            groups[owner].append(group)
    lines = tuple(_line(name, groups[name], columns) for name in skills)
    return Matrix(tuple(skills), columns, lines, _line(NONE, groups[NONE], columns))


def _owner(prompt: Prompt) -> str | None:
    """In whose line a prompt stands."""
    if not prompt.expect:
        return NONE
    if len(prompt.expect) == 1:
        return prompt.expect[0]
    return prompt.home if prompt.home in prompt.expect else None


def _line(owner: str, groups: Sequence[Sequence[Trial]], columns: Sequence[str]) -> Line:
    tried = sum(len(group) for group in groups)
    kept = [usable for group in groups if (usable := [one for one in group if one.usable])]
    runs = sum(len(group) for group in kept)
    if not tried:
        return Line(owner, (), 0, 0, "no prompt was tried")
    if runs / tried < LEAST_USABLE:
        return Line(owner, (), len(kept), runs, f"{tried - runs} of {tried} trials failed")
    weighed = [(group[0].prompt.cluster, [_weights(one, owner, columns) for one in group]) for group in kept]
    cells = []
    for place in range(len(columns)):
        means = [(cluster, fsum(one[place] for one in each) / len(each)) for cluster, each in weighed]
        cell = rate_of(means, runs)
        assert cell is not None  # there is a usable trial
        cells.append(cell)
    return Line(owner, tuple(cells), len(kept), runs)


def _weights(trial: Trial, owner: str, columns: Sequence[str]) -> list[float]:
    """What part of one run each column has."""
    parts = [0.0] * len(columns)
    for name in trial.chosen or (NONE,):
        column = owner if owner != NONE and name in trial.prompt.expect else name
        parts[columns.index(column if column in columns else OTHER)] += 1 / max(1, len(trial.chosen))
    return parts


_MOST = 300  # characters of what a grader says
_RATES = (
    ("selection_recall", "recall"),
    ("false_trigger_rate", "false_triggers"),
    ("selection_precision", "precision"),
    ("selection_f1", "f1"),
    ("balanced_accuracy", "balanced_accuracy"),
    ("youden_j", "youden"),
    ("run_agreement", "agreement"),
    ("routed", "routed"),
)


def span(name: str, estimate: Estimate) -> Span:
    """A number with its interval."""
    one = estimate.interval
    return Span(name, estimate.value) if one is None else Span(name, estimate.value, one.low, one.high, one.method)


def label_source(labels: Labels) -> LabelSource:
    """Where prompts come from."""
    drafted = labels.file == DRAFTED
    return LabelSource(
        "" if drafted else labels.file, labels.digest, len(labels.prompts), labels.reviewed, drafted, labels.notes
    )


def shown_list(catalogue: Catalogue) -> ShownList:
    """The list that the model is shown."""
    return ShownList(
        len(catalogue.entries),
        len(catalogue.skills),
        len(catalogue.distractors),
        len(catalogue.orders),
        catalogue.digest,
        catalogue.truncated,
        catalogue.dropped,
    )


def confusion_of(catalogue: Catalogue, trials: Sequence[Trial]) -> Confusion | None:
    """Who takes whose prompts; None without trials."""
    if not trials:
        return None
    found = matrix_of(trials, catalogue.skills)
    rows = tuple(_choice_row(line) for line in (*found.lines, found.unexpected))
    return Confusion(found.skills, found.columns, rows, shown_list(catalogue))


def _choice_row(line: Line) -> ChoiceRow:
    return ChoiceRow(
        line.skill, tuple(span("share", cell) for cell in line.cells), line.prompts, line.runs, line.reason
    )


def trigger_result(found: Triggering) -> TriggerResult:
    """The numbers of triggering."""
    values = [(name, getattr(found, field)) for name, field in _RATES]
    detectable, needed = _seen_drop(found.rows)
    return TriggerResult(
        found.positives,
        found.negatives,
        found.clusters,
        sum(count for _, count in found.outcomes),
        found.usable,
        found.outcomes,
        tuple(span(name, value) for name, value in values if value is not None),
        found.flaky,
        detectable,
        tuple(_prompt_result(row, found.skill) for row in found.rows),
        found.lost,
        _seen_drop([row for row in found.rows if row.positive])[0],
        tuple(span(one.place, one.recall) for one in found.thirds if one.recall is not None),
        needed,
        found.design_effect,
    )


def lift_details(found: LiftResult) -> HelpShown:
    """The numbers of help."""
    detectable, needed = _seen_lift([one.share for one in found.by_task])
    first: dict[str, Pair] = {}
    for pair in found.pairs:
        first.setdefault(pair.task, pair)
    return HelpShown(
        sum(one.share > 0.5 for one in found.by_task),
        sum(one.share == 0.5 for one in found.by_task),
        sum(one.share < 0.5 for one in found.by_task),
        span("lift", found.lift),
        found.tokens.extra,
        tuple(Attempt(one.task, one.text, one.share, one.extra_tokens, _how(first[one.task])) for one in found.by_task),
        bool(found.author),
        (found.grader,),
        detectable,
        tuple(_about_grading(found)),
        needed,
        found.tokens.skill,
        found.tokens.cost,
    )


def _about_grading(found: LiftResult) -> Iterator[str]:
    if found.by_checks:
        yield f"{found.by_checks} of {len(found.pairs)} comparisons were decided by checks"
    if found.consistent is not None:
        first = (
            ""
            if found.first_share is None
            else f"; {found.first_share:.0%} of its votes went to the answer shown first"
        )
        yield f"the grader gave the same verdict in both orders in {found.consistent:.0%} of comparisons{first}"
    if found.sign_p is not None:
        yield f"sign test over tasks: p = {found.sign_p:.2g}"


def _how(pair: Pair) -> str:
    said = " ".join(pair.reason.split())[:_MOST]
    return "by checks" if pair.by == "checks" else f"by the grader: {said}" if said else "by the grader"


def _prompt_result(row: Row, skill: str) -> PromptResult:
    own = row.prompt.expect if row.positive else (skill,)
    others = tuple(one for one in row.chosen if one[0] not in own)
    prompt = row.prompt
    return PromptResult(
        prompt.id, prompt.text, prompt.home, prompt.expect, prompt.kind, row.positive, row.runs, row.hits, others
    )


def _seen_drop(rows: Sequence[Row]) -> tuple[float | None, int | None]:
    """The smallest drop in right choices that a repeated run would notice, of clusters; and how many of them ``TOLD`` takes."""
    if not stats.available():
        return None, None
    return _seen(stats.difference_sd([(row.rate, row.runs) for row in rows]), len({row.prompt.cluster for row in rows}))


def _seen_lift(shares: Sequence[float]) -> tuple[float | None, int | None]:
    """The same of a lift, of tasks."""
    if len(shares) < 2 or not stats.available():
        return None, None
    return _seen(stdev(shares), len(shares))


def _seen(sd: float | None, many: int) -> tuple[float | None, int | None]:
    """A spread of nothing says nothing."""
    if not sd:
        return None, None
    least = stats.detectable(sd, many)
    return (least if isfinite(least) else None), stats.clusters_needed(sd, TOLD)
