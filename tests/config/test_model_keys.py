"""``models`` and ``prices``: what they mean for a run, and what is wrong with them, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.config.read import load
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.llm.anthropic import Options
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.scoring.spending import Rate


def read(tmp_path: Path, text: str) -> Config:
    file = tmp_path / ".plugin-eval.yaml"
    file.write_text(text)
    found = load(str(file), frozenset({"A"}))
    assert found is not None
    return found


def test_they_reach_a_run_and_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    config = read(tmp_path, "models: {haiku: small, opus: large}\nprices:\n  small: 0.2/0.8\n  free: 0/0\n")
    options = Options.from_environ({"PLUGIN_EVAL_MODEL_OPUS": "mine"}).configured(config.for_score())
    named = {tier: table().name_of(tier, options.models) for tier in ("haiku", "sonnet", "opus", "claude-x")}
    assert named == {"haiku": "small", "sonnet": table().tiers["sonnet"], "opus": "mine", "claude-x": "claude-x"}
    price = table().model("small", options.rates).price
    assert price is not None and price.rate == Rate(0.2, 0.8)
    assert table().model("free", options.rates).price is not None
    assert table().model("other", options.rates).price is None
    assert Options().configured(Config()) == Options()


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("models: [a]", 1, "mapping"),
        ("models:\n  haiku: a\n  tiny: b", 3, "'tiny' is not valid (expected haiku"),
        ("models:\n  haiku: ''", 2, "name of a model"),
        ("models:\n  haiku: [a]", 2, "name of a model"),
        ("models:\n  haiku: a\n  haiku: b", 3, "duplicate key"),
        ("prices: 3", 1, "mapping"),
        ("prices:\n  m: 3", 2, "input/output"),
        ("prices:\n  m: 1/2/3", 2, "input/output"),
        ("prices:\n  m: 1/nan", 2, "input/output"),
        ("prices:\n  m: 1/-2", 2, "input/output"),
        ("prices:\n  m: cheap", 2, "input/output"),
    ],
)
def test_what_is_wrong_has_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert f".plugin-eval.yaml:{line}: " in str(caught.value)
    assert says in str(caught.value)
