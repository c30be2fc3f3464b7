"""``plugin-eval agreement FILES``: how far judges agree over the scores of many skills."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from plugin_eval_ci import SCHEMA_VERSION, stats
from plugin_eval_ci.commands.json_input import json_of
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.report.document import dump_json
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.stats.agreement import LEAST_UNITS
from plugin_eval_ci.util.json_values import DamagedError, as_list, as_object, as_text

ALL, BETWEEN = "all", "between_models"
_MOST_BYTES = 1 << 26
_Said = tuple[str, float | None]  # the tier that was asked, empty where there is no panel, and its score


class Row(NamedTuple):
    """One dimension, and whose agreement: of all answers, of one answer of each model of a panel, or of one model with itself."""

    name: str
    agreement: stats.Agreement
    among: str = ALL


def run(files: Sequence[str], output: str, seed: int, out: TextIO) -> int:
    """Read JSON of ``score --judges N``: 0, 2 (not such a file) or 3 (no skill that two judges scored)."""
    rows = rows_of([_scores_in(file) for file in files], seed)
    if not rows:
        raise MeasurementError(
            "no skill in these files was scored by two judges: plugin-eval score SKILL --judges 3 --output json"
        )
    out.write(_json(rows) if output == "json" else _text(rows))
    return 0


def rows_of(skills: Sequence[dict[str, list[_Said]]], seed: int) -> tuple[Row, ...]:
    """Agreement by dimension, of what the judges said of each skill."""
    names = dict.fromkeys(name for skill in skills for name in skill)
    found = []
    for name in names:
        said = [skill.get(name, []) for skill in skills]
        found += [(name, among, stats.agreement(units, seed)) for among, units in _groups(said)]
    return tuple(Row(name, agreed, among) for name, among, agreed in found if agreed is not None)


def _groups(said: Sequence[Sequence[_Said]]) -> Iterator[tuple[str, list[list[float | None]]]]:
    """Whose answers are compared, and what they said of each skill."""
    yield ALL, [[score for _, score in unit] for unit in said]
    models = list(dict.fromkeys(model for unit in said for model, _ in unit if model))
    if len(models) > 1:
        yield BETWEEN, [[_first(unit, model) for model in models] for unit in said]
    for model in models:
        yield f"within:{model}", [[score for asked, score in unit if asked == model] for unit in said]


def _first(unit: Sequence[_Said], model: str) -> float | None:
    return next((score for asked, score in unit if asked == model and score is not None), None)


def _scores_in(file: str) -> dict[str, list[_Said]]:
    """Of one score: by dimension, what each judge gave."""
    try:
        document = as_object(json_of(file, _MOST_BYTES), "the file")
        layers = [as_object(one, "a layer") for one in as_list(document.get("layers"), "layers")]
        judged = [as_object(one.get("details"), "details").get("judge") for one in layers]
        found: dict[str, list[_Said]] = {}
        for judge in judged:
            for row in as_list(as_object(judge, "judge").get("dimensions"), "dimensions"):
                dimension = as_object(row, "a dimension")
                samples = as_list(dimension.get("samples"), "samples")
                found[as_text(dimension.get("name"), "name")] = [_said(as_object(one, "a sample")) for one in samples]
    except DamagedError as error:
        raise UsageError(f"{file}: not the JSON of a score ({error})") from None
    return found


def _said(sample: dict[str, object]) -> _Said:
    """Raises ``DamagedError`` for a number that is no score."""
    score, asked = sample.get("score"), as_text(sample.get("asked"), "asked")
    if isinstance(score, bool) or not isinstance(score, int | float):
        return asked, None
    if not 0 <= score <= 1:
        raise DamagedError("a score is between 0 and 1")
    return asked, float(score)


def _text(rows: Sequence[Row]) -> str:
    lines = ["Krippendorff's alpha, ordinal: 1 all agree, 0 as often as by chance"]
    for name, said, among in rows:
        span = "" if said.interval is None else f" (95 %: {said.interval.low:.2f} to {said.interval.high:.2f})"
        few = "" if said.enough else f"; fewer than {LEAST_UNITS}: about these skills, not about the judges"
        title = name if among == ALL else f"  {_among(among)}"
        judges = many(said.judges, "model" if among == BETWEEN else "judge")
        lines.append(f"  {for_terminal(title):<24}{said.alpha:6.2f}{span}  {many(said.units, 'skill')}, {judges}{few}")
    lines.append("Judges of one model family share their blind spots: agreement is not truth.")
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
