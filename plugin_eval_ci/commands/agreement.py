"""``plugin-eval agreement FILES``: how far judges agree over the scores of many skills."""

import json
from collections.abc import Sequence
from typing import NamedTuple, TextIO

from plugin_eval_ci import SCHEMA_VERSION, stats
from plugin_eval_ci.dimensions import rounded
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.json_values import DamagedError, as_list, as_object, as_text
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.score_json import dumped
from plugin_eval_ci.stats.agreement import LEAST_UNITS


class Row(NamedTuple):
    """One dimension."""

    name: str
    agreement: stats.Agreement


def run(files: Sequence[str], output: str, seed: int, out: TextIO) -> int:
    """Read JSON of ``score --judges N``: 0, 2 (not such a file) or 3 (no skill that two judges scored)."""
    rows = rows_of([_scores_in(file) for file in files], seed)
    if not rows:
        raise MeasurementError(
            "no skill in these files was scored by two judges: plugin-eval score SKILL --judges 3 --output json"
        )
    out.write(_json(rows) if output == "json" else _text(rows))
    return 0


def rows_of(skills: Sequence[dict[str, list[float | None]]], seed: int) -> tuple[Row, ...]:
    """Agreement by dimension, of what the judges said of each skill."""
    names = dict.fromkeys(name for skill in skills for name in skill)
    found = ((name, stats.agreement([skill.get(name, []) for skill in skills], seed)) for name in names)
    return tuple(Row(name, said) for name, said in found if said is not None)


def _scores_in(file: str) -> dict[str, list[float | None]]:
    """Of one score: by dimension, what each judge gave."""
    try:
        with open(file, encoding="utf-8") as stream:
            document = as_object(json.load(stream), "the file")
        layers = [as_object(one, "a layer") for one in as_list(document.get("layers"), "layers")]
        judged = [as_object(one.get("details"), "details").get("judge") for one in layers]
        found: dict[str, list[float | None]] = {}
        for judge in judged:
            for row in as_list(as_object(judge, "judge").get("dimensions"), "dimensions"):
                dimension = as_object(row, "a dimension")
                samples = as_list(dimension.get("samples"), "samples")
                found[as_text(dimension.get("name"), "name")] = [_score(as_object(one, "a sample")) for one in samples]
    except (OSError, ValueError, RecursionError, DamagedError) as error:
        raise UsageError(f"{file}: not the JSON of a score ({error})") from None
    return found


def _score(sample: dict[str, object]) -> float | None:
    score = sample.get("score")
    return float(score) if isinstance(score, int | float) and not isinstance(score, bool) else None


def _text(rows: Sequence[Row]) -> str:
    lines = ["Krippendorff's alpha, ordinal: 1 all agree, 0 as often as by chance"]
    for name, said in rows:
        span = "" if said.interval is None else f" (95 %: {said.interval.low:.2f} to {said.interval.high:.2f})"
        few = "" if said.enough else f"; fewer than {LEAST_UNITS}: about these skills, not about the judges"
        lines.append(
            f"  {name:<24}{said.alpha:6.2f}{span}  {many(said.units, 'skill')}, {many(said.judges, 'judge')}{few}"
        )
    lines.append("Judges of one model family share their blind spots: agreement is not truth.")
    return "\n".join(lines) + "\n"


def _json(rows: Sequence[Row]) -> str:
    """Documented by ``schemas/agreement.schema.json``."""
    listed = [
        {
            "dimension": name,
            "alpha": rounded(said.alpha),
            "low": None if said.interval is None else rounded(said.interval.low),
            "high": None if said.interval is None else rounded(said.interval.high),
            "skills": said.units,
            "judges": said.judges,
            "enough": said.enough,
        }
        for name, said in rows
    ]
    return dumped({"schema_version": SCHEMA_VERSION, "method": "krippendorff_ordinal", "dimensions": listed})
