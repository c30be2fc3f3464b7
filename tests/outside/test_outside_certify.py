"""``certify`` with a real, small model that cannot write JSON: real replies are measured, and a judge without answers is no score."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli

pytestmark = pytest.mark.outside
SCHEMA = Path(cli.__file__).parents[1] / "schemas/score.schema.json"


def test_fifty_runs(local_model: str, repo, skill_text, inside, capsys, monkeypatch, tmp_path: Path) -> None:
    pytest.importorskip("anthropic")
    inside(
        repo({"skills/stock-report/SKILL.md": skill_text(body="Read the export and say what is left of each article.")})
    )
    monkeypatch.setenv("ANTHROPIC_BASE_URL", local_model)
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "cache"))
    code = cli.run(["certify", "skills/stock-report", "--output", "json", "--concurrency", "4"])
    out, err = capsys.readouterr()
    document = json.loads(out)
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    layers = {layer["layer"]: layer for layer in document["layers"]}
    runs = layers["monte_carlo"]["details"]["monte_carlo"]
    assert (runs["runs"], len(runs["prompts"])) == (50, 15)
    assert runs["activation_rate"] > 0.5 and runs["median_tokens"] > 50
    assert all(0 <= one["low"] <= one["high"] <= 1 for one in runs["intervals"])
    unmeasured = {layer["layer"] for layer in document["unmeasured"]}
    assert "judge" in layers or "judge" in unmeasured
    assert code == (3 if unmeasured else 0) and "experimental" in err
    assert document["composite"]["confidence_label"] == ("Estimated" if unmeasured else "Certified")
    for row in document["composite"]["dimensions"]:
        assert (row["score"] is None) == (row["reason"] is not None)
    usage = document["model_usage"]
    assert (usage["calls"] >= 55 and usage["cost_usd"] is None) or usage["cost_usd"] >= 0
