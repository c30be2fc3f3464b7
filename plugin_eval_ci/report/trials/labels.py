"""Agreement of scores with human labels, and checked trigger labels: text, and JSON (``schemas/calibration.schema.json``)."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci import SCHEMA_VERSION
from plugin_eval_ci.evals.trials.calibration import Calibration, Row
from plugin_eval_ci.evals.trials.labels import LabelCheck
from plugin_eval_ci.report.document import Json, dump_json, json_head
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.stats.agreement import LEAST_UNITS
from plugin_eval_ci.stats.intervals import Estimate

_HEAD = f"  {'':<16}{'labels':>6}  {'order (Spearman)':<22}{'alpha':<22}{'mean error':<20}{'bias':<20}"


def as_text(found: Calibration) -> str:
    """A table for each dimension."""
    lines = [
        f"{many(found.used, 'label')} against {many(len({row.source for row in found.rows}), 'kind')} of score. "
        "Order: 1 = same as people, 0 = chance, -1 = reversed. 95 % intervals over skills."
    ]
    people = dict(found.people)
    for dimension in dict.fromkeys(row.dimension for row in found.rows):
        lines += ["", dimension, _HEAD]
        if dimension in people:
            agreed = people[dimension]
            lines.append(f"  {'people':<16}{agreed.units:>6}  {'':<22}{agreed.alpha:.2f}")
        for row in (one for one in found.rows if one.dimension == dimension):
            lines += _lines(row, found.threshold)
    few = any(row.accord.n < LEAST_UNITS for row in found.rows)
    if few:
        lines += [
            "",
            f"fewer than {LEAST_UNITS} labels for a score: the result describes these skills, not the score in general",
        ]
    return "\n".join(for_terminal(line).rstrip() for line in lines) + "\n"


def _lines(row: Row, threshold: float) -> list[str]:
    accord = row.accord
    agreed = f"{_cell(accord.spearman):<22}{_cell(accord.alpha):<22}"
    first = f"  {row.source:<16}{accord.n:>6}  {agreed}{_cell(accord.error):<20}{_cell(accord.bias, True):<20}"
    more = []
    if row.corrected is not None:
        more.append(f"mean of {row.results}: {row.mean:.2f}, corrected with labels {_cell(row.corrected)}")
    if row.corrected_passed is not None:
        more.append(f"{threshold:g} or more: {row.passed:.0%}, corrected with labels {_cell(row.corrected_passed)}")
    return [first, *(f"  {'':<16}{'':>6}  {one}" for one in more)]


def _cell(one: Estimate | None, signed: bool = False) -> str:
    if one is None:
        return "-"
    form = "{:+.2f}" if signed else "{:.2f}"
    span = "" if one.interval is None else f" ({form.format(one.interval.low)} to {form.format(one.interval.high)})"
    return form.format(one.value) + span


def as_json(found: Calibration) -> str:
    """The document, with a final newline."""
    document: Json = {
        "schema_version": SCHEMA_VERSION,
        "labels": found.labels,
        "used": found.used,
        "stale": found.stale,
        "threshold": found.threshold,
        "people": [
            {"dimension": name, "alpha": round_score(agreed.alpha), "skills": agreed.units, "people": agreed.judges}
            for name, agreed in found.people
        ],
        "scores": [_row(row) for row in found.rows],
    }
    return dump_json(document)


def _row(row: Row) -> Json:
    accord = row.accord
    return {
        "dimension": row.dimension,
        "source": row.source,
        "labels": accord.n,
        "enough": accord.n >= LEAST_UNITS,
        "spearman": _estimate(accord.spearman),
        "kendall": _estimate(accord.kendall),
        "alpha": _estimate(accord.alpha),
        "mean_error": _estimate(accord.error),
        "bias": _estimate(accord.bias),
        "results": row.results,
        "mean": round_score(row.mean),
        "corrected_mean": _estimate(row.corrected),
        "passed": round_score(row.passed),
        "corrected_passed": _estimate(row.corrected_passed),
    }


def _estimate(one: Estimate | None) -> Json | None:
    if one is None:
        return None
    ends = (None, None) if one.interval is None else (round_score(one.interval.low), round_score(one.interval.high))
    return {"value": round_score(one.value), "low": ends[0], "high": ends[1]}


def render_json(checked: Sequence[LabelCheck]) -> str:
    """The document, with a final newline."""
    return dump_json(json_head() | {"skills": [_skill(one) for one in checked]})


def _skill(one: LabelCheck) -> Json:
    return {
        "skill": one.skill,
        "file": one.file or None,
        "form": one.form or None,
        "usable": bool(one.file) and not one.broken,
        "digest": one.digest or None,
        "positives": one.positives,
        "negatives": one.negatives,
        "reviewed": one.reviewed,
        "notes": [
            {"level": note.level, "line": note.line, "message": note.message, "prompt": note.prompt or None}
            for note in one.notes
        ],
    }


def render_text(checked: Sequence[LabelCheck]) -> str:
    """A line for each note, then one for each skill."""
    lines = []
    for one in checked:
        lines += [f"{one.file}:{note.line}: {note.level}: {note.message}" for note in one.notes]
    for one in checked:
        if not one.file:
            lines.append(f"{one.skill}: no labels; run `plugin-eval triggers init` to draft some")
        elif one.broken:
            lines.append(f"{one.skill}: {one.file} cannot be used")
        else:
            what = f"{many(one.positives, 'positive')}, {many(one.negatives, 'negative')}"
            where = f"{one.file}{f' ({one.form})' if one.form else ''}"
            lines.append(f"{one.skill}: {what}, {one.reviewed} reviewed; {where}")
    return "".join(f"{for_terminal(line)}\n" for line in lines)
