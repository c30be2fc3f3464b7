"""``plugin-eval agreement FILES``: how well judges agree over many skills."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from plugin_eval_ci import SCHEMA_VERSION, stats
from plugin_eval_ci.commands.json_input import json_of
from plugin_eval_ci.errors import MeasurementError, UsageError, not_output_of
from plugin_eval_ci.report.document import dump_json
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.stats.agreement import LEAST_UNITS
from plugin_eval_ci.util.json_values import DamagedError, as_list, as_object, as_text

ALL, BETWEEN = "all", "between_models"
_MOST_BYTES = 1 << 26
_Sample = tuple[str, float | None]  # the tier, empty without a panel, and its score


class Row(NamedTuple):
    """The agreement on one dimension: of all answers, between the models of a panel, or of one model with itself."""

    name: str
    agreement: stats.Agreement
    among: str = ALL


def run(files: Sequence[str], format: str, seed: int, out: TextIO) -> int:
    """Read JSON of ``score --judges N``: 0, 2 (another kind of file) or 3 (no skill scored by two judges)."""
    rows = rows_of([_scores_in(file) for file in files], seed)
    if not rows:
        raise MeasurementError(
            "no skill in these files has scores of two judges; run `plugin-eval score SKILL --judges 3 --format json`"
        )
    out.write(_json(rows) if format == "json" else _text(rows))
    return 0


def rows_of(skills: Sequence[dict[str, list[_Sample]]], seed: int) -> tuple[Row, ...]:
    """The agreement on each dimension."""
    names = dict.fromkeys(name for skill in skills for name in skill)
    found = []
    for name in names:
        said = [skill.get(name, []) for skill in skills]
        found += [(name, among, stats.agreement(units, seed)) for among, units in _groups(said)]
    return tuple(Row(name, agreed, among) for name, among, agreed in found if agreed is not None)


def _groups(said: Sequence[Sequence[_Sample]]) -> Iterator[tuple[str, list[list[float | None]]]]:
    """Which answers are compared, and their scores for each skill."""
    yield ALL, [[score for _, score in unit] for unit in said]
    models = list(dict.fromkeys(model for unit in said for model, _ in unit if model))
    if len(models) > 1:
        yield BETWEEN, [[_first(unit, model) for model in models] for unit in said]
    for model in models:
        yield f"within:{model}", [[score for asked, score in unit if asked == model] for unit in said]


def _first(unit: Sequence[_Sample], model: str) -> float | None:
    return next((score for asked, score in unit if asked == model and score is not None), None)


def _scores_in(file: str) -> dict[str, list[_Sample]]:
    """The scores of each judge in one file, by dimension."""
    try:
        document = as_object(json_of(file, _MOST_BYTES), "the file")
        layers = [as_object(one, "a layer") for one in as_list(document.get("layers"), "layers")]
        judged = [as_object(one.get("details"), "details").get("judge") for one in layers]
        found: dict[str, list[_Sample]] = {}
        for judge in judged:
            for row in as_list(as_object(judge, "judge").get("dimensions"), "dimensions"):
                dimension = as_object(row, "a dimension")
                samples = as_list(dimension.get("samples"), "samples")
                found[as_text(dimension.get("name"), "name")] = [
                    _sample_of(as_object(one, "a sample")) for one in samples
                ]
    except DamagedError as error:
        raise UsageError(not_output_of(file, str(error), "score")) from None
    return found


def _sample_of(sample: dict[str, object]) -> _Sample:
    """Raises ``DamagedError`` for a number outside 0 to 1."""
    score, asked = sample.get("score"), as_text(sample.get("asked"), "asked")
    if isinstance(score, bool) or not isinstance(score, int | float):
        return asked, None
    if not 0 <= score <= 1:
        raise DamagedError(f"{score} is not a score from 0 to 1")
    return asked, float(score)


def _text(rows: Sequence[Row]) -> str:
    lines = ["Krippendorff's alpha (ordinal): 1 is full agreement, 0 is chance"]
    for name, said, among in rows:
        span = "" if said.interval is None else f" (95 %: {said.interval.low:.2f} to {said.interval.high:.2f})"
        few = "" if said.enough else f"; fewer than {LEAST_UNITS} skills, so this says little about the judges"
        title = name if among == ALL else f"  {_among(among)}"
        judges = many(said.judges, "model" if among == BETWEEN else "judge")
        lines.append(f"  {for_terminal(title):<24}{said.alpha:6.2f}{span}  {many(said.units, 'skill')}, {judges}{few}")
    lines.append("Models of one family share their blind spots, so agreement does not prove a score right.")
    return "\n".join(lines) + "\n"


def _among(among: str) -> str:
    return "between models" if among == BETWEEN else f"{among.removeprefix('within:')} with itself"


def _json(rows: Sequence[Row]) -> str:
    """Documented by ``schemas/agreement.schema.json``."""
    listed = [
        {
            "dimension": name,
            "alpha": round_score(said.alpha),
            "low": None if said.interval is None else round_score(said.interval.low),
            "high": None if said.interval is None else round_score(said.interval.high),
            "skills": said.units,
            "judges": said.judges,
            "enough": said.enough,
            "among": among,
        }
        for name, said, among in rows
    ]
    return dump_json({"schema_version": SCHEMA_VERSION, "method": "krippendorff_ordinal", "dimensions": listed})
