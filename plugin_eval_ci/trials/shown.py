"""The parts of trials as the reports show them: labels, the list, triggering and help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from statistics import stdev

from plugin_eval_ci import stats
from plugin_eval_ci.measure.trialled import TOLD, Attempt, Confusion, Labelled, Shown, Span, Taken, Tried, Triggered
from plugin_eval_ci.measure.trialled import Helped as HelpShown
from plugin_eval_ci.stats import Estimate
from plugin_eval_ci.trials.catalogue import Catalogue
from plugin_eval_ci.trials.drafting import FILE as DRAFTED
from plugin_eval_ci.trials.help_values import Helped, Pair
from plugin_eval_ci.trials.matrix import Line, matrix_of
from plugin_eval_ci.trials.numbers import Triggering
from plugin_eval_ci.trials.rows import Row
from plugin_eval_ci.trials.values import Labels, Trial

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


def labels_shown(labels: Labels) -> Labelled:
    """Where prompts come from."""
    drafted = labels.file == DRAFTED
    return Labelled(
        "" if drafted else labels.file, labels.digest, len(labels.prompts), labels.reviewed, drafted, labels.notes
    )


def list_shown(catalogue: Catalogue) -> Shown:
    """The list that the model is shown."""
    return Shown(
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
    rows = tuple(_taken(line) for line in (*found.lines, found.unexpected))
    return Confusion(found.skills, found.columns, rows, list_shown(catalogue))


def _taken(line: Line) -> Taken:
    return Taken(line.skill, tuple(span("share", cell) for cell in line.cells), line.prompts, line.runs, line.reason)


def triggered_shown(found: Triggering) -> Triggered:
    """The numbers of triggering."""
    values = [(name, getattr(found, field)) for name, field in _RATES]
    detectable, needed = _seen_drop(found.rows)
    return Triggered(
        found.positives,
        found.negatives,
        found.clusters,
        sum(count for _, count in found.outcomes),
        found.usable,
        found.outcomes,
        tuple(span(name, value) for name, value in values if value is not None),
        found.flaky,
        detectable,
        tuple(_tried(row, found.skill) for row in found.rows),
        found.lost,
        _seen_drop([row for row in found.rows if row.positive])[0],
        tuple(span(one.place, one.recall) for one in found.thirds if one.recall is not None),
        needed,
        found.design_effect,
    )


def helped_shown(found: Helped) -> HelpShown:
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


def _about_grading(found: Helped) -> Iterator[str]:
    if found.by_checks:
        yield f"{found.by_checks} of {len(found.pairs)} comparisons were decided by checks"
    if found.consistent is not None:
        first = (
            "" if found.first_share is None else f"; {found.first_share:.0%} of its votes went to the one shown first"
        )
        yield f"the grader said the same in both orders in {found.consistent:.0%} of comparisons{first}"
    if found.sign_p is not None:
        yield f"sign test over tasks: p = {found.sign_p:.2g}"


def _how(pair: Pair) -> str:
    said = " ".join(pair.reason.split())[:_MOST]
    return "by checks" if pair.by == "checks" else f"by the grader: {said}" if said else "by the grader"


def _tried(row: Row, skill: str) -> Tried:
    own = row.prompt.expect if row.positive else (skill,)
    others = tuple(one for one in row.chosen if one[0] not in own)
    prompt = row.prompt
    return Tried(
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
    return (least if isfinite(least) else None), stats.needed(sd, TOLD)
