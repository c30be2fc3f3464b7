"""``score --judge-file``: what it gives, and what it refuses."""

import hashlib
import json
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli
from tests.evals.layers.conftest import rated, tasks, triggering

SCHEMA = json.loads((Path(cli.__file__).parents[1] / "schemas/judge.schema.json").read_text())


@pytest.fixture
def score(repo, skill_text, inside, capsys):
    """``score(changes)``: exit code, JSON and what was said of the skill with a file that has those changes."""
    root: Path = repo(
        {"skills/stock-report/SKILL.md": skill_text(), "agents/x.md": "---\nname: x\ndescription: Y.\n---\nZ\n"}
    )
    inside(root)

    def run(changes: dict | str | bytes, *words: str, path: str = "skills/stock-report"):
        document = changes if isinstance(changes, str | bytes) else json.dumps(good() | changes)
        Path("judge.json").write_bytes(document if isinstance(document, bytes) else document.encode())
        code = cli.run(["score", path, "--judge-file", "judge.json", "--output", "json", *words])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return run


def good() -> dict:
    return {
        "schema_version": 1, "rubrics": "2026-11-30", "judge": "eval-judge", "skill": "skills/stock-report/SKILL.md",
        "triggering_accuracy": triggering("yyyyn nnnnn", 1.0), "orchestration_fitness": rated(0.75),
        "output_quality": tasks(0.5, 0.75, 1), "scope_calibration": rated(0.5),
    }  # fmt: skip


def test_the_numbers_of_a_file(score):
    jsonschema.Draft202012Validator(SCHEMA).validate(good())
    code, document, err = score({})
    assert (code, err) == (0, "")
    assert document["depth"] == "standard" and document["composite"]["confidence_label"] == "Assessed"
    judge = next(layer for layer in document["layers"] if layer["layer"] == "judge")
    assert judge["sub_scores"] == {
        "triggering_accuracy": 0.888888889, "orchestration_fitness": 0.75, "output_quality": 0.75, "scope_calibration": 0.5,
    }  # fmt: skip
    assert judge["details"]["judge"]["source"] == "file"
    assert any(
        "the judge says F1 1.00; its own predictions give 0.89" in caveat for caveat in judge["details"]["caveats"]
    )
    assert document["model_usage"] is None


def test_what_is_missing_is_unmeasured(score):
    code, document, _ = score({"output_quality": None, "scope_calibration": None})
    assert code == 0
    reasons = {row["name"]: row["reason"] for row in document["composite"]["dimensions"]}
    assert reasons["output_quality"] == "the judge layer: not in the file"
    assert reasons["orchestration_fitness"] is None


def test_a_file_that_says_nothing_measures_nothing(score):
    said = {key: None for key in good() if key.endswith(("accuracy", "fitness", "quality", "calibration"))}
    code, document, _ = score(said)
    assert code == 3 and document["composite"]["confidence_label"] == "Estimated"
    assert document["unmeasured"][0]["layer"] == "judge"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema_version": 2}, "schema_version"),
        ({"extra": 1}, "unknown key 'extra'"),
        ({"scope_calibration": rated(0.9)}, "one of 0, 0.25, 0.5, 0.75, 1"),
        ({"scope_calibration": rated(True)}, "number from 0 to 1"),
        ({"scope_calibration": "1.0"}, "must be an object"),
        ({"output_quality": {"tasks": []}}, "is empty"),
        ({"output_quality": tasks(0.5, 0.33)}, "one of 0"),
        (
            {"triggering_accuracy": {"predictions": [{"message": "m", "intended": "yes", "chosen": True}]}},
            "true or false",
        ),
        ({"triggering_accuracy": triggering("yyyyy nnnnn", 2.0)}, "number from 0 to 1"),
        ({"skill": "skills/other/SKILL.md"}, "is about "),
        ({"skill": ""}, "is about "),
        ({"sha256": "0" * 64}, "has changed since"),
        ("[1]", "must be an object"),
        ("{", "not valid JSON"),
        (b"\xff\xfe", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        (" " * 1_000_001, "bytes"),
    ],
)
def test_what_is_refused(score, changes, words):
    code, document, err = score(changes)
    assert (code, document) == (2, None) and words in err and err.count("\n") == 1


def test_the_hash_counts_more_than_the_path(score):
    digest = hashlib.sha256(Path("skills/stock-report/SKILL.md").read_bytes()).hexdigest()
    assert score({"sha256": digest, "skill": "/elsewhere/SKILL.md"})[0] == 0


def test_another_rubric_is_a_caveat(score):
    _, document, _ = score({"rubrics": "2025-01-01"})
    assert any("rubric of 2025-01-01" in caveat for caveat in document["layers"][1]["details"]["caveats"])


def test_hostile_words_are_escaped(score, capsys):
    score({"judge": "\x1b[31m", "scope_calibration": rated(1, "\x1b]0;title\x07 | <script> @octocat")})
    for output in ("text", "markdown", "html"):
        assert cli.run(["score", "skills/stock-report", "--judge-file", "judge.json", "--output", output]) == 0
        out = capsys.readouterr().out
        assert "\x1b" not in out and "\x07" not in out
        assert output == "text" or ("<script> |" not in out and "| <script> @" not in out)


def test_a_file_is_about_a_skill(score):
    assert score({}, path="agents/x.md")[0] == 2
    assert score({}, "--depth", "quick")[0] == 2
    assert cli.run(["score", "skills/stock-report", "--judge-file", "gone.json"]) == 2
