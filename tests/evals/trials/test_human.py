"""People's labels: what a file must be, what a correction learns from, and what it leaves alone."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.trials.calibration import Result, items_of, pick
from plugin_eval_ci.evals.trials.human_labels import (
    LEAST_LABELS,
    HumanLabel,
    correct_dimensions,
    judge_settings,
    labels_near,
    line_of,
    pairs_of,
    read_labels,
)
from plugin_eval_ci.scoring.layer_details import JudgedDimension

HASH = "ab" * 32
GOOD = {
    "skill": "skills/a/SKILL.md",
    "dimension": "scope_calibration",
    "score": 0.75,
    "who": "ana",
    "when": "2026-11-30",
    "sha256": HASH,
}
HOW = judge_settings("2026-11-30", ("haiku", "opus"), 2)


def read(tmp_path: Path, *rows: object) -> tuple[HumanLabel, ...]:
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return read_labels(str(file))


def test_a_label_is_read_and_written_as_it_was(tmp_path: Path) -> None:
    full = GOOD | {"judge": 0.5, "judged_by": HOW, "picked": "informative", "who": "bo", "note": "thin"}
    one, other = read(tmp_path, GOOD, "", full, "")
    assert one == HumanLabel("skills/a/SKILL.md", "scope_calibration", 0.75, "ana", "2026-11-30", HASH, line=1)
    assert (other.judge, other.judged_by, other.picked, other.line) == (0.5, HOW, "informative", 3)
    assert read(tmp_path, line_of(one), line_of(other)) == (one, other._replace(line=2))
    assert "judge" not in json.loads(line_of(one))


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ([], "must be an object"),
        (GOOD | {"scores": 1}, "unknown key 'scores'"),
        ({key: value for key, value in GOOD.items() if key != "who"}, "needs who"),
        (GOOD | {"score": 0.6}, "one of 0, 0.25"),
        (GOOD | {"score": True}, "one of 0, 0.25"),
        (GOOD | {"score": "0.5"}, "one of 0, 0.25"),
        (GOOD | {"score": None}, "the score is missing"),
        (GOOD | {"dimension": "beauty"}, "unknown dimension"),
        (GOOD | {"dimension": 3}, "dimension must be text"),
        (GOOD | {"sha256": "abc"}, "64 digits"),
        (GOOD | {"when": "30.11.2026"}, "a date"),
        (GOOD | {"who": " "}, "must not be empty"),
        (GOOD | {"judge": 2}, "from 0 to 1"),
        (GOOD | {"judge": "x"}, "from 0 to 1"),
        (GOOD | {"picked": "mine"}, "picked must"),
        (GOOD, "already labelled this on line 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, row: object, what: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, GOOD, row)
    assert f"{tmp_path / 'labels.jsonl'}:2: " in str(caught.value)
    assert what in str(caught.value)


def test_a_repository_without_labels_has_none(tmp_path: Path) -> None:
    assert labels_near(str(tmp_path)) == ()
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "labels.jsonl").write_text(json.dumps(GOOD) + "\n")
    assert len(labels_near(str(tmp_path))) == 1
    with pytest.raises(UsageError):
        read_labels(str(tmp_path / "gone.jsonl"))


def labelled(number: int, bias: float = 0.25, how: str = HOW, seed: int = 1) -> list[HumanLabel]:
    draw = random.Random(seed)
    anchors = [draw.choice((0.0, 0.25, 0.5, 0.75)) for _ in range(number)]
    return [
        HumanLabel(f"s{n}", "scope_calibration", anchor, "ana", "2026-11-30", f"{n:064x}", anchor + bias, how)
        for n, anchor in enumerate(anchors)
    ]


def corrected(labels: list[HumanLabel], sha: str = HASH, score: float | None = 0.75) -> JudgedDimension:
    judged = JudgedDimension("scope_calibration", score, ())
    (one,) = correct_dimensions([judged], labels, sha, HOW)
    assert one._replace(corrected=None) == judged  # the judge's own number stays
    return one


def test_a_judge_that_is_kind_by_one_anchor_is_corrected_by_it() -> None:
    found = corrected(labelled(30)).corrected
    assert found.score == pytest.approx(0.5)
    assert (found.labels, found.method) == (30, "line")
    assert found.low <= 0.5 <= found.high


@pytest.mark.parametrize(
    "labels",
    [
        [],
        labelled(LEAST_LABELS - 1),
        labelled(40, how=judge_settings("2026-11-30", ("haiku",), 2)),
        [one._replace(judge=None) for one in labelled(40)],
        [one._replace(dimension="output_quality") for one in labelled(40)],
        [one._replace(sha256="0" * 64, who=f"w{n}") for n, one in enumerate(labelled(40))],
    ],
    ids=["none", "few", "another panel", "judge not known", "another dimension", "one text, many people"],
)
def test_without_enough_labels_of_the_same_judge_nothing_is_corrected(labels: list[HumanLabel]) -> None:
    assert corrected(labels).corrected is None


def test_the_skill_itself_does_not_correct_itself_and_what_has_no_score_gets_none() -> None:
    labels = labelled(LEAST_LABELS)
    assert corrected(labels).corrected is not None
    assert corrected(labels, sha=labels[3].sha256).corrected is None
    assert corrected(labels, score=None).corrected is None


def test_several_people_are_one_fact() -> None:
    labels = labelled(2)
    more = [*labels, labels[0]._replace(who="bo", score=1.0)]
    pairs = pairs_of(more, "scope_calibration", HOW)
    assert pairs[0] == ((labels[0].score + 1) / 2, labels[0].judge)
    assert len(pairs) == 2


def result(number: int, score: float, judges: tuple[float, ...] = ()) -> Result:
    scores = {("scope_calibration", "score"): score}
    if judges:
        scores["scope_calibration", "judge"] = sum(judges) / len(judges)
    return Result(
        f"s{number}", f"s{number}", f"{number:064x}", scores, {"scope_calibration": judges} if judges else {}, HOW
    )


def test_half_is_drawn_and_half_is_what_tells_most() -> None:
    results = [result(n, 1.0, (1.0, 1.0)) for n in range(90)]
    results += [result(100, 0.5, (0.0, 1.0)), result(101, 0.5, (0.5, 0.5)), result(102, 0.9, (0.75, 1.0))]
    items = items_of(results, ["scope_calibration"], set(), 0.5)
    chosen = pick(items, 6, 0)
    assert len(chosen) == len({item.sha256 for item in chosen}) == 6
    drawn = {item.path for item in chosen if item.picked == "random"}
    assert {"s100", "s101", "s102"} <= {item.path for item in chosen}
    assert len(drawn) == 3
    assert pick(items, 6, 0) == chosen != pick(items, 6, 1)
    assert len(pick(items, 500, 0)) == 93


def test_what_is_labelled_or_not_here_is_not_asked_again() -> None:
    results = [result(1, 0.5), result(2, 0.5), result(1, 0.5)._replace(path="copy"), result(3, 0.5)._replace(sha256="")]
    items = items_of(results, ["scope_calibration"], {(f"{2:064x}", "scope_calibration")}, 0.5)
    assert [item.path for item in items] == ["s1"]
    assert items[0].judge is None and items[0].judged_by == ""
    assert items_of(results, ["output_quality"], set(), 0.5) == ()
