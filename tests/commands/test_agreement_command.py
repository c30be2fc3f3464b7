"""``plugin-eval agreement`` on the JSON of scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.stats import ordinal_alpha

SAID = [(0.5, 0.5, 0.75), (1.0, 1.0, 1.0), (0.0, 0.25, 0.0), (0.5, 0.75, None)]


def files_of(folder: Path, said: list[tuple[float | None, ...]]) -> list[str]:
    places = []
    for number, scores in enumerate(said):
        samples = [{"score": score} for score in scores]
        judge = {"judges": len(scores), "dimensions": [{"name": "scope_calibration", "samples": samples}]}
        layers = [{"layer": "static", "score": 1}, {"layer": "judge", "details": {"judge": judge}}]
        place = folder / f"{number}.json"
        place.write_text(json.dumps({"schema_version": "1.0", "layers": layers}))
        places.append(str(place))
    return places


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["agreement", *files_of(tmp_path, SAID), "--output", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["dimensions"]
    assert row["dimension"] == "scope_calibration"
    assert row["alpha"] == pytest.approx(ordinal_alpha(SAID))
    assert row["low"] <= row["alpha"] <= row["high"]
    assert (row["skills"], row["judges"], row["enough"]) == (4, 3, False)


@pytest.mark.parametrize(("times", "few"), [(1, True), (5, False)])
def test_text_says_where_it_is_about_few_skills(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], times: int, few: bool
) -> None:
    assert cli.run(["agreement", *files_of(tmp_path, SAID * times)]) == 0
    out = capsys.readouterr().out
    assert "scope_calibration" in out
    assert f"{4 * times} skills, 3 judges" in out
    assert ("says little about the judges" in out) is few


def test_one_judge_is_no_agreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["agreement", *files_of(tmp_path, [(0.5,), (1.0, None)])]) == 3
    assert "--judges 3" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "[]", '{"layers": 1}', '{"layers": [{"details": {"judge": {"dimensions": [1]}}}]}']
)
def test_what_is_no_score(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    assert cli.run(["agreement", str(tmp_path / "a.json")]) == 2
    assert cli.run(["agreement", str(tmp_path / "gone.json")]) == 2
    assert "expected the JSON output of plugin-eval score" in capsys.readouterr().err


def panel_of(folder: Path, said: list[dict[str, tuple[float | None, ...]]]) -> list[str]:
    places = []
    for number, models in enumerate(said):
        samples = [{"asked": model, "score": score} for model, scores in models.items() for score in scores]
        judge = {"judges": 2, "dimensions": [{"name": "scope_calibration", "samples": samples}]}
        place = folder / f"{number}.json"
        place.write_text(json.dumps({"layers": [{"details": {"judge": judge}}]}))
        places.append(str(place))
    return places


def test_a_panel_between_its_models_and_each_with_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = [
        {"haiku": (low, low), "opus": (None, high)} for low, high in ((0.0, 1.0), (0.5, 0.5), (1.0, 0.0), (0.25, 0.75))
    ]
    files = panel_of(tmp_path, said)
    assert cli.run(["agreement", *files, "--output", "json"]) == 0
    rows = {row["among"]: row for row in json.loads(capsys.readouterr().out)["dimensions"]}
    assert set(rows) == {"all", "between_models", "within:haiku"}  # opus never scored one skill twice
    assert rows["within:haiku"]["alpha"] == 1.0
    assert rows["between_models"]["alpha"] == pytest.approx(ordinal_alpha([(0, 1), (0.5, 0.5), (1, 0), (0.25, 0.75)]))
    assert rows["between_models"]["alpha"] < 0 < rows["all"]["alpha"] + 1
    assert cli.run(["agreement", *files]) == 0
    out = capsys.readouterr().out
    assert "between models" in out and "haiku with itself" in out and "opus with itself" not in out


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -0.5, 1.5, 10**400])
def test_a_number_that_is_no_score_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], score: float) -> None:
    assert cli.run(["agreement", *files_of(tmp_path, [(0.5, 0.5), (0.5, score)])]) == 2
    assert "is not a score from 0 to 1" in capsys.readouterr().err


def test_a_name_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file, *_) = files_of(tmp_path, SAID)
    Path(file).write_text(Path(file).read_text().replace("scope_calibration", "\\u001b[31m\\n::error::x"))
    assert cli.run(["agreement", file]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\n::error::" not in out and "error::x" in out
