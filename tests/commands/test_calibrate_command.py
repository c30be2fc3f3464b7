"""``plugin-eval label`` and ``plugin-eval calibrate`` from files to files."""

from __future__ import annotations

import hashlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.commands.model_layers import estimate_text
from plugin_eval_ci.evals.llm.prompt_templates import ANCHORS
from plugin_eval_ci.evals.trials.calibration import Calibration, Row
from plugin_eval_ci.report.trials import labels
from plugin_eval_ci.scoring.spending import Estimate as Estimated
from plugin_eval_ci.stats import Estimate
from plugin_eval_ci.stats.agreement_with_labels import LabelAgreement, label_agreement, nearest

SCHEMA = json.loads((Path(__file__).parents[2] / "plugin_eval_ci/schemas/calibration.schema.json").read_text("utf-8"))
DIMENSION = "scope_calibration"


class World:
    """Skills on disk, a result for each, and labels: the judge is one anchor too kind, the static score knows nothing."""

    def __init__(self, root: Path, number: int, labelled: int) -> None:
        draw = random.Random(5)
        self.root, self.files, rows = root, [], []
        for n in range(number):
            skill = root / "skills" / f"s{n}" / "SKILL.md"
            skill.parent.mkdir(parents=True)
            skill.write_text(f"---\nname: s{n}\ndescription: d\n---\n{n}\n")
            level = draw.choice((0.0, 0.25, 0.5, 0.75))
            judge = level + 0.25
            samples = [{"score": judge, "asked": "haiku"}, {"score": judge, "asked": "opus"}]
            dimension = {"name": DIMENSION, "score": judge, "samples": samples,
                         "models": [{"model": "haiku", "asked": 1, "scores": [judge]}, {"model": "opus", "asked": 1, "scores": []}]}  # fmt: skip
            details = {"judge": {"rubrics": "r", "judges": 1, "panel": ["haiku", "opus"], "dimensions": [dimension]}}
            document = {
                "kind": "skill", "path": f"skills/s{n}/SKILL.md", "name": f"s{n}",
                "composite": {"score": 80.0, "dimensions": [{"name": DIMENSION, "score": judge}]},
                "layers": [
                    {"layer": "static", "sub_scores": {"frontmatter_quality": draw.random()}},
                    {"layer": "judge", "sub_scores": {DIMENSION: judge}, "details": details},
                ],
            }  # fmt: skip
            file = root / f"{n}.json"
            file.write_text(json.dumps(document))
            self.files.append(str(file))
            if n < labelled:
                sha = hashlib.sha256(skill.read_bytes()).hexdigest()
                about = {"skill": f"skills/s{n}/SKILL.md", "who": "ana", "when": "2026-11-30", "sha256": sha}
                rows.append(about | {"dimension": DIMENSION, "score": level})
                rows.append(about | {"dimension": "triggering_accuracy", "score": draw.choice(ANCHORS)})
        self.labels = root / "labels.jsonl"
        self.labels.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def world(tmp_path: Path, inside: Callable[[Path], None]) -> Callable[..., World]:
    inside(tmp_path)
    return lambda number=40, labelled=25: World(tmp_path, number, labelled)


def calibrated(world: World, capsys: pytest.CaptureFixture[str]) -> dict:
    assert cli.run(["calibrate", *world.files, "--labels", str(world.labels), "--output", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    return document


def test_a_kind_judge_orders_well_and_is_off_by_an_anchor(world, capsys) -> None:
    document = calibrated(world(), capsys)
    rows = {(row["dimension"], row["source"]): row for row in document["scores"]}
    assert set(rows) == {
        (DIMENSION, "score"), (DIMENSION, "judge"), (DIMENSION, "judge:haiku"), ("triggering_accuracy", "static"),
    }  # fmt: skip
    judge = rows[DIMENSION, "judge"]
    assert (judge["labels"], judge["enough"], judge["results"]) == (25, True, 40)
    assert judge["spearman"]["value"] == judge["kendall"]["value"] == 1.0
    assert judge["bias"] == {"value": 0.25, "low": None, "high": None}
    assert judge["mean_error"]["value"] == 0.25
    assert judge["alpha"]["value"] < 1
    assert judge["corrected_mean"]["value"] == pytest.approx(judge["mean"] - 0.25, abs=0.05)
    assert judge["passed"] > judge["corrected_passed"]["value"]
    static = rows["triggering_accuracy", "static"]
    assert static["spearman"]["low"] < 0 < static["spearman"]["high"]
    assert (document["used"], document["stale"], document["people"]) == (50, 0, [])


def test_an_edited_skill_has_no_label_any_more(world, capsys) -> None:
    built = world()
    (built.root / "skills/s0/SKILL.md").write_text("other")
    assert cli.run(["calibrate", *built.files, "--labels", str(built.labels), "--output", "json"]) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert (document["used"], document["stale"]) == (48, 2)
    assert "skipped 2 labels of texts that were edited" in said.err


def test_text(world, capsys) -> None:
    built = world(10, 8)
    lines = built.labels.read_text().splitlines()
    twice = [json.dumps(json.loads(line) | {"who": "bo"}) for line in lines[:6]]
    built.labels.write_text("\n".join([*lines, *twice]) + "\n")
    assert cli.run(["calibrate", *built.files, "--labels", str(built.labels)]) == 0
    out = capsys.readouterr().out
    assert "judge:haiku" in out and "+0.25" in out and "people" in out
    assert "fewer than 20 labels" in out


def test_what_was_picked_for_being_doubtful_stands_for_nothing_else(world, capsys) -> None:
    built = world()
    lines = [json.loads(line) | {"picked": "informative"} for line in built.labels.read_text().splitlines()]
    built.labels.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for row in calibrated(built, capsys)["scores"]:
        assert row["corrected_mean"] is None and row["corrected_passed"] is None
        assert row["bias"] is not None


def test_without_labels_or_results_there_is_nothing_to_say(world, capsys) -> None:
    built = world(5, 2)
    assert cli.run(["calibrate", *built.files, "--labels", str(built.labels)]) == 3
    capsys.readouterr()
    assert cli.run(["calibrate", *built.files, "--labels", "gone.jsonl"]) == 2
    err = capsys.readouterr().err
    assert "gone.jsonl: no such file; create it with `plugin-eval label" in err and "jsonl:1" not in err
    assert cli.run(["calibrate", "gone.json", "--labels", str(built.labels)]) == 2
    assert "gone.json: cannot be read: No such file" in capsys.readouterr().err
    (built.root / "bad.json").write_text('{"layers": [], "composite": {"score": 900}, "kind": "skill"}')
    assert cli.run(["calibrate", "bad.json", "--labels", str(built.labels)]) == 2
    assert "expected the JSON output of plugin-eval score or report" in capsys.readouterr().err
    for text in ("[]", "{}", "{", '{"targets": [3]}', '{"targets": [{"kind": "skill", "path": 3}]}'):
        (built.root / "bad.json").write_text(text)
        assert cli.run(["calibrate", "bad.json", "--labels", str(built.labels)]) == 2


def test_a_report_of_a_whole_repository_will_do(repo, skill_text, inside, capsys) -> None:
    names = [f"skill-{n}" for n in range(4)]
    root = repo(
        {f"skills/{name}/SKILL.md": skill_text(name, body=f"{name} " * (20 + 200 * n)) for n, name in enumerate(names)}
    )
    inside(root)
    assert cli.run(["report", "--output", "json"]) == 0
    (root / "report.json").write_text(capsys.readouterr().out)
    rows = []
    for n, name in enumerate(names):
        sha = hashlib.sha256((root / f"skills/{name}/SKILL.md").read_bytes()).hexdigest()
        rows.append(
            {"skill": name, "dimension": "composite", "score": n / 4, "who": "a", "when": "2026-11-30", "sha256": sha}
        )
    (root / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli.run(["calibrate", "report.json", "--labels", "labels.jsonl", "--output", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["scores"]
    assert (row["dimension"], row["source"], row["labels"]) == ("composite", "score", 4)


def test_a_score_of_a_plugin_is_left_out_and_said_so(world, capsys) -> None:
    built = world()
    (built.root / "plugin.json").write_text('{"kind": "plugin", "composite": {}, "layers": []}')
    assert cli.run(["calibrate", "plugin.json", *built.files, "--labels", str(built.labels)]) == 0
    assert "plugin.json: skipped: it is the score of a plugin" in capsys.readouterr().err
    assert cli.run(["calibrate", "plugin.json", "--labels", str(built.labels)]) == 3


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def label(world: World, monkeypatch, typed: str | None, *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("") if typed is None else Terminal(typed))
    return cli.run(["label", *world.files, "--labels", str(world.labels), *words])


def test_a_person_is_asked_and_what_is_said_is_kept(world, monkeypatch, capsys) -> None:
    built = world(6, 0)
    assert label(built, monkeypatch, "0.75\nmuch\n1\ns\nq\n", "--who", "ana", "--dimension", DIMENSION) == 0
    said = capsys.readouterr()
    assert "2 labels added" in said.err
    assert "1/6" in said.out and "One subject, covered as deeply" in said.out
    rows = [json.loads(line) for line in built.labels.read_text().splitlines()]
    assert [row["score"] for row in rows] == [0.75, 1]
    assert {row["who"] for row in rows} == {"ana"}
    assert all(row["judge"] in (0.25, 0.5, 0.75, 1) and "haiku+opus" in row["judged_by"] for row in rows)
    # what the judge said is written down and was not shown
    assert "judge" not in said.out
    assert label(built, monkeypatch, "0\n" * 9, "--who", "ana", "--dimension", DIMENSION) == 0
    assert "1/4" in capsys.readouterr().out
    assert label(built, monkeypatch, "", "--who", "ana", "--dimension", DIMENSION) == 3
    assert label(built, monkeypatch, "0.5\n", "--who", "bo", "--dimension", DIMENSION) == 0
    assert len(built.labels.read_text().splitlines()) == 7


def test_without_a_terminal_a_file_is_written_and_open_scores_are_refused(world, monkeypatch, capsys) -> None:
    built = world(6, 0)
    assert label(built, monkeypatch, None) == 2
    assert "--output FILE" in capsys.readouterr().err
    assert label(built, monkeypatch, "1\n") == 2
    assert "--who" in capsys.readouterr().err
    assert label(built, monkeypatch, None, "--output", "todo.jsonl", "--who", "ana", "--number", "3") == 0
    rows = [json.loads(line) for line in Path("todo.jsonl").read_text().splitlines()]
    assert len(rows) == 3 and {row["score"] for row in rows} == {None}
    assert label(built, monkeypatch, None, "--output", "todo.jsonl") == 2  # nothing is written over
    assert cli.run(["calibrate", *built.files, "--labels", "todo.jsonl"]) == 2
    assert "the score is missing" in capsys.readouterr().err


def test_a_hyphen_is_standard_output(world, monkeypatch, capsys) -> None:
    built = world(6, 0)
    assert label(built, monkeypatch, None, "--output", "-", "--who", "ana", "--number", "3") == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["score"] for line in out.splitlines()] == [None] * 3
    assert err == "" and not Path("-").exists()


def test_a_label_begins_a_line_of_its_own(world, monkeypatch) -> None:
    built = world(6, 1)
    built.labels.write_text(built.labels.read_text().rstrip("\n"))
    assert label(built, monkeypatch, "1\n", "--who", "bo") == 0
    assert len(built.labels.read_text().splitlines()) == 3


def test_a_path_cannot_write_to_the_terminal(world, monkeypatch, capsys) -> None:
    built = world(1, 0)
    folder = built.root / "skills" / "s\x1b[31mred"
    (built.root / "skills/s0").rename(folder)
    document = json.loads(Path(built.files[0]).read_text()) | {"path": "skills/s\x1b[31mred/SKILL.md"}
    Path(built.files[0]).write_text(json.dumps(document))
    assert label(built, monkeypatch, "q\n", "--who", "ana") == 0
    assert "\x1b" not in capsys.readouterr().out


def test_options_that_do_not_fit(world, monkeypatch) -> None:
    built = world(1, 0)
    assert label(built, monkeypatch, "q\n", "--dimension", "beauty") == 2
    assert label(built, monkeypatch, "q\n", "--pass", "2") == 2


def test_accord_by_hand() -> None:
    pairs = [(0.0, 0.1), (0.5, 0.4), (1.0, 0.9)]
    found = label_agreement([[pair] for pair in pairs], ANCHORS)
    assert (found.spearman.value, found.kendall.value, found.alpha.value) == (1.0, 1.0, 1.0)
    assert found.error.value == pytest.approx(0.1)
    assert found.bias.value == pytest.approx(-0.1 / 3)
    assert label_agreement([[pair] for pair in pairs[:2]], ANCHORS) is None
    assert label_agreement([pairs], ANCHORS).bias.interval is None  # one cluster: nothing to draw
    assert (nearest(0.125, ANCHORS), nearest(0.9, ANCHORS)) == (0.0, 1.0)
    flat = label_agreement([[(0.5, 0.1)], [(0.5, 0.9)], [(0.5, 0.4)]], ANCHORS)
    assert flat.spearman is None and flat.kendall is None


def test_a_name_from_a_file_of_results_cannot_write_to_the_terminal() -> None:
    nothing = Estimate(0.5, None)
    row = Row(
        "scope_calibration",
        "\x1b[31mred",
        LabelAgreement(20, 20, None, None, None, nothing, nothing),
        0.5,
        None,
        0.5,
        None,
        20,
    )
    said = labels.as_text(Calibration((row,), (), 20, 20, 0, 0.5))
    assert "\x1b" not in said and "red" in said


def test_a_path_in_an_estimate_cannot_write_to_the_terminal() -> None:
    for estimate in (Estimated(), Estimated(cells=1, models=("\x1b]0;m",))):
        said = estimate_text(estimate, "a\x1b[2Jb\nc")
        assert "\x1b" not in said and said.count("\n") == 1
